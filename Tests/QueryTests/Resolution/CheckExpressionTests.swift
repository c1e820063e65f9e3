import Query
import Testing

@Suite("Checks of a schema")
struct CheckExpressionTests {
  @Test("take no expressions, which other programs could not check", arguments: ["length(name) > 3", "n + 1 > 2"])
  func refused(text: String) throws {
    let check = CheckRule("long", try AnyQuery(parsing: text))
    let error = #expect(throws: QueryError.self) {
      try TableSchema(
        "t", columns: [ColumnSchema("n", .integer), ColumnSchema("name", .text)], primaryKey: ["n"], checks: [check])
    }
    #expect(error?.code == .invalidSchema && error?.reason?.contains("uses an expression") == true)
  }
}
