import Testing

@testable import SQLInspection

@Suite("A condition of a definition is read as SQLite and as PostgreSQL write it")
struct PortableExpressionTests {
  private static let columns: [PortableExpression.Column] = [
    .init(name: "n", kind: .number), .init(name: "t", kind: .text, typeName: "mood"),
    .init(name: "u", kind: .text, isByBytes: false), .init(name: "b", kind: .truth), .init(name: "A b", kind: .number),
  ]

  static let alike: [(sqlite: String, postgres: String)] = [
    ("n > -1", "(n > '-1'::integer)"), ("n>=0 AND n<=(1)", "((n >= 0) AND (n <= 1))"),
    ("n BETWEEN 1 AND 2.5", "((n >= (1)::numeric) AND (n <= 2.5))"), ("n NOT BETWEEN 1 AND 2", "((n < 1) OR (n > 2))"),
    ("t IN ('a', 'it''s')", "((t)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character varying])::text[]))"),
    ("t NOT IN ('a', 'b')", "(t <> ALL (ARRAY['a'::text, 'b'::text]))"), ("t IN ('a')", "(t = 'a'::text)"),
    ("t == 'a' OR t != 'b' OR n IS NULL", "((t = 'a'::mood) OR (t <> 'b'::public.mood) OR (n IS NULL))"),
    ("[A b] NOTNULL", "(\"A b\" IS NOT NULL)"), ("length(t) < 3", "(char_length((t)::text) < 3)"),
    ("NOT (n = 1)", "(NOT (n = 1))"), ("n + 2 + n > 1", "(((n + 2) + n) > 1)"), ("b = 1", "b"), ("b = 0", "(NOT b)"),
    ("b", "(b = true)"), ("(n > 1) IS 1", "((n > 1) IS TRUE)"), ("t < 'b' -- first", "(t < 'b'::text)"),
  ]

  @Test("and has the same meaning", arguments: alike)
  func meaning(sqlite: String, postgres: String) throws {
    let one = try #require(PortableExpressionParser.condition(sqlite, columns: Self.columns), "\(sqlite)")
    let two = try #require(PortableExpressionParser.condition(postgres, columns: Self.columns), "\(postgres)")
    #expect(one.sql == two.sql)
    #expect(PortableExpressionParser.condition(one.sql, columns: Self.columns)?.sql == one.sql)
  }

  @Test(
    "unless the databases evaluate the condition differently",
    arguments: [
      "t LIKE 'a%'", "t GLOB 'a*'", "(t ~ 'a'::text)", "n / 2 > 1", "n % 2 = 1", "n + 1 * 2 > 1", "t || 'x' = 'ax'",
      "n = '1'",
      "t = 1", "u < 'b'", "u > t", "lower(t) = 'a'", "n", "1", "n AND 1", "other = 1", "t = \"a\"", "abs(n) > 1",
      "(n)::date > 1", "(t)::integer = 1", "n IS 1", "n = ANY ('{1,2}'::integer[])", "EXISTS (SELECT 1)", "n >",
      "n = 1)",
      "CASE WHEN n = 1 THEN 1 END", "t = E'\\x'", "b IN (0, 1)", "CAST(n AS TEXT) = '1'", "",
    ])
  func refused(_ sql: String) {
    #expect(PortableExpressionParser.condition(sql, columns: Self.columns) == nil)
  }

  @Test(
    "and references are removed from a statement, with their names",
    arguments: [
      ("a INT REFERENCES p, b INT", "a INT , b INT"),
      ("a INT CONSTRAINT x REFERENCES P (id) ON DELETE SET NULL NOT NULL", "a INT  NOT NULL"),
      (
        "a INT, CONSTRAINT x FOREIGN KEY (a) REFERENCES \"p\" (id) MATCH FULL ON UPDATE NO ACTION, UNIQUE (a)",
        "a INT, UNIQUE (a)"
      ),
      ("a INT, FOREIGN KEY (a) REFERENCES p DEFERRABLE INITIALLY DEFERRED", "a INT"),
      ("a INT REFERENCES p NOT DEFERRABLE CHECK (a > 1)", "a INT  CHECK (a > 1)"),
      ("a INT REFERENCES q", "a INT REFERENCES q"),
      (
        "a INT CHECK ('REFERENCES p' <> 'x') REFERENCES p ON DELETE CASCADE DEFAULT 1",
        "a INT CHECK ('REFERENCES p' <> 'x')  DEFAULT 1"
      ),
    ])
  func removedReferences(columns: String, left: String) {
    let sql = ReferenceClauses.removing(referencesTo: ["p"], from: "CREATE TABLE t (\(columns))")
    #expect(sql == "CREATE TABLE t (\(left))")
  }
}
