import Query
import SQL
import Testing

@Suite("Conditions with expressions become SQL")
struct ExpressionSQLTests {
  /// A condition, and the values that its SQL mentions in SQLite and in PostgreSQL.
  struct Case: CustomTestStringConvertible {
    let query: String
    let sqlite: [Value]
    let postgres: [Value]
    var testDescription: String { query }

    init(_ query: String, sqlite: [Value], postgres: [Value]) {
      (self.query, self.sqlite, self.postgres) = (query, sqlite, postgres)
    }
  }

  static let cases = [
    // PostgreSQL's numbers are literals, and there is no quotient by zero, whatever is divided.
    Case("n / (-9223372036854775808 / -9e999) = -5", sqlite: [0.0, -5.0], postgres: [-5.0]),
    Case("length(name || 'x') / (1.0 / 9e999) = 5", sqlite: ["x", 0.0, 5.0], postgres: ["x", 5.0]),
    Case("name || 'x' || id_text = 'z' and n + 1 > 2", sqlite: ["x", "z", 1, 2], postgres: ["x", "z", 2]),
    // A value that is written twice is bound once.
    Case("-(n + 7) = 3 and n in (1, 2)", sqlite: [7, 3, 1, 2], postgres: [3, 1, 2]),
    // What every row meets mentions nothing.
    Case("length(name || 'x') < 1e300 or name = 'y'", sqlite: ["y"], postgres: ["y"]),
  ]

  @Test("with a placeholder for each value that they bind, and no other", arguments: cases)
  func placeholders(of expected: Case) throws {
    let table = try TableSchema(
      "t",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("n", .integer), ColumnSchema("name", .text),
        ColumnSchema("id_text", .text),
      ], primaryKey: ["id"])
    let query = try AnyQuery(parsing: expected.query).resolved(in: table)
    for (dialect, values) in [(SQLiteDialect(), expected.sqlite), (PostgresDialect(), expected.postgres)]
      as [(any Dialect, [Value])]
    {
      let statement = Compiler(for: dialect).count(query)
      #expect(statement.bindings == values, "\(statement.sql)")
      #expect(!statement.sql.contains("\0"))
      // SQLite counts a placeholder without a number on from the greatest before it.
      var greatest = 0
      for placeholder in statement.sql.matches(of: /[?$]([0-9]*)/) {
        greatest = max(greatest, Int(placeholder.output.1) ?? greatest + 1)
      }
      #expect(greatest == values.count, "\(statement.sql)")
    }
  }

  @Test("with each list in its place, which PostgreSQL is given as one value")
  func lists() throws {
    let table = try TableSchema("t", columns: [ColumnSchema("n", .integer)], primaryKey: ["n"])
    let lists = [1, 101].map { start in (start..<start + 60).map { Value.integer(Int64($0)) } }
    let texts = [1, 2].map { number in
      "n + \(number) in (\(lists[number - 1].map(\.description).joined(separator: ", ")))"
    }
    let query = try AnyQuery(parsing: texts.joined(separator: " and "))
    let statement = Compiler(for: PostgresDialect()).count(try query.resolved(in: table))
    #expect(statement.lists.map(\.values) == lists)
  }
}
