import Query
import Testing

@Suite("Checks of a schema with expressions")
struct CheckExpressionTests {
  private static func table(_ check: String) throws -> TableSchema {
    try TableSchema(
      "t",
      columns: [
        ColumnSchema("n", .integer), ColumnSchema("m", .integer), ColumnSchema("weight", .real),
        ColumnSchema("name", .text), ColumnSchema("parent", .integer), ColumnSchema("other", .any),
      ], primaryKey: ["n"], checks: [CheckRule("rule", try AnyQuery(parsing: check))],
      references: [ReferenceRule(["parent"], to: "t", key: ["n"])])
  }

  @Test(
    "are made of what every database works out by itself",
    arguments: [
      "n + 1 > 2", "length(name) > 3", "n * m - 1 <= weight / 2", "n % 2 = m % 2", "abs(n) < 10 and abs(weight) < 1.5",
      "coalesce(m, n) > 0", "if(n > 3, n, m) > 1", "length(name || 'x') + n between 1 and 10", "-n < m",
      "name || 'b' contains 'ab'",
    ])
  func accepted(check: String) throws {
    #expect(try Self.table(check).checks.count == 1)
  }

  @Test(
    "are refused where other programs could not check them",
    arguments: [
      ("folded(name) = 'a'", "the check rule uses `folded`"), ("year(name) > 2000", "the check rule uses `year`"),
      ("floor(weight) = 1", "the check rule uses `floor`"), ("other + 1 > 2", "the check rule uses `+`"),
      ("if(n > 1, floor(weight), 1) > 2", "the check rule uses `floor`"),
      ("if(name contains 'a' ignoring case, 1, 2) = 1", "uses `like` or ignores case"),
      ("weight * weight * weight * weight * weight > 1", "has more parts than databases accept"),
      ("parent.n > 1", "there is no table t beside t"), ("count(t by parent) > 1", "there is no table t beside t"),
    ])
  func refused(check: String, reason: String) throws {
    let error = #expect(throws: QueryError.self) { try Self.table(check) }
    #expect(error?.code == .invalidSchema && error?.reason?.contains(reason) == true, "\(String(describing: error))")
  }
}
