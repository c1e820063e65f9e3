import Query
import TestSupport
import Testing

@Suite("A column is found by its name")
struct NamedSearchTests {
  @Test("wherever it is expected", arguments: [-1, 0, 1, 2, 3, 9])
  func near(position: Int) {
    let columns = ["a", "b", "c"].map { ColumnSchema($0, .integer) }
    for (index, column) in columns.enumerated() {
      #expect(columns.firstIndex(named: column.name, near: position) == index)
    }
    #expect(columns.firstIndex(named: "d", near: position) == nil)
  }

  @Test("in requests for the columns of a table in any order, and of columns again", arguments: SplitMix64.seeds)
  func requests(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = (0..<40).map { "c\($0)" }
    let table = try TableSchema("t", columns: names.map { ColumnSchema($0, .integer) }, primaryKey: [])
    for order in [names, names.reversed(), names.shuffled(using: &random), names + names.prefix(3)] {
      let request = ProjectionRequest(order.enumerated().map { ProjectedColumn(.key($1), as: "column\($0)") })
      let resolved = try request.resolved(in: table) { _ in nil }
      #expect(resolved.columns.map { table.columns[$0].name } == order)
    }
    #expect(throws: QueryError.self) { try ProjectionRequest([.key("c40")]).resolved(in: table) { _ in nil } }
  }
}
