import Query
import Repository
import SQLiteStore
import Testing

@Suite("The sign of computed reals")
struct ExpressionSignTests {
  private struct Reading: Entity {
    let id: Int
    let value: Double
    static let schema = Schema("reading", Reading.init, Column("id", \.id), Column("value", \.value))
  }

  @Test(
    "is the same in memory and in SQLite, zero's included",
    arguments: [
      ("abs(value)", ["0.0", "0.0", "2.5", "2.5"]), ("abs(0 - value * 0.0)", ["0.0", "0.0", "0.0", "0.0"]),
    ])
  func signs(expression: String, values: [String]) async throws {
    let readings = [0.0, -0.0, 2.5, -2.5].enumerated().map { Reading(id: $0, value: $1) }
    let request = ProjectionRequest(try [ProjectedColumn](parsing: "\(expression) as x"))
    let stores = [
      try MemoryStore().repository(of: Reading.self), try SQLiteStore.inMemory().repository(of: Reading.self),
    ]
    for repository in stores {
      try await repository.insert(readings)
      #expect(try await repository.findRows(request).map { $0[0].description } == values)
    }
  }
}
