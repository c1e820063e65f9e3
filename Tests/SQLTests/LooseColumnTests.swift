import Query
import SQL
import Testing

@Suite("A loosely typed column is compared without conversion")
struct LooseColumnTests {
  private func table() throws -> TableSchema {
    try TableSchema(
      "other",
      columns: [
        ColumnSchema("number", .integer, loose: "INTEGER"), ColumnSchema("date", .real, loose: "DATE"),
        ColumnSchema("word", .text, loose: "VARCHAR(20)", collation: "NOCASE"), ColumnSchema("any", .any, loose: ""),
        ColumnSchema("real", .real),
      ], primaryKey: [])
  }

  @Test(
    arguments: [
      (AnyQuery.equal(key: "number", value: 5), #""number" = ?"#),
      (.equal(key: "number", value: "5"), #"+"number" = ?"#),
      (.greaterThan(key: "date", value: "2026-01-01"), #"+"date" > ?"#),
      (.equal(key: "word", value: "x"), #""word" COLLATE BINARY = ?"#),
      (.equal(key: "any", value: 5), #""any" = ?"#),
      (.in(key: "number", values: [Value.integer(5), "x"]), #"+"number" IN (?, ?)"#),
      (.lessThan(key: "number", otherKey: "date"), #""number" < "date""#),
      (.lessThan(key: "number", otherKey: "any"), #"+"number" < +"any""#),
      (.equal(key: "any", otherKey: "word"), #"+"any" COLLATE BINARY = +"word""#),
      (
        .hasPrefix(key: "word", value: "a"),
        #"typeof("word") = 'text' AND "word" COLLATE BINARY >= ? AND "word" COLLATE BINARY < ?"#
      ),
      (.equal(key: "real", value: 9_007_199_254_740_993), #"+"real" = ?"#),
      (.equal(key: "real", value: 9_007_199_254_740_992), #""real" = ?"#),
    ] as [(AnyQuery, String)])
  func comparison(query: AnyQuery, sql: String) throws {
    let compiled = Compiler(for: SQLiteDialect()).count(try query.resolved(in: table()))
    #expect(compiled.sql == #"SELECT count(*) FROM "other" WHERE "# + sql)
  }

  @Test("sorting sets the collation, and goes by all columns where there is no key")
  func sorting() throws {
    let request = try FetchRequest(sortedBy: .descending(key: "word")).resolved(in: table())
    let compiled = Compiler(for: SQLiteDialect()).select(request)
    #expect(
      compiled.sql.hasSuffix(
        """
        ORDER BY "word" COLLATE BINARY DESC NULLS LAST, "number" ASC NULLS FIRST, "date" ASC NULLS FIRST, \
        "any" ASC NULLS FIRST, "real" ASC NULLS FIRST
        """))
  }
}
