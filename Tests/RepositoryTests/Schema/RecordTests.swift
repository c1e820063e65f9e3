import Query
import Repository
import TestSupport
import Testing

@Suite("Rows of tables for which no model type is known")
struct RecordTests {
  private let table: TableSchema
  private let store = MemoryStore()
  private let records: AnyRepository<Record>

  init() throws {
    table = try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .real, isNullable: true),
        ColumnSchema("note", .any, isNullable: true),
      ], primaryKey: ["id"])
    records = try store.repository(Schema(table))
  }

  @Test("A record takes fields in any order, and missing fields are null")
  func fields() throws {
    let record = try Record(["name": "Pikachu", "id": 25], for: table)
    #expect(record.keys == ["id", "name", "weight", "note"])
    #expect(record.values == [25, "Pikachu", .null, .null])
    #expect(record.id == [25])
    #expect(record["name"] == "Pikachu")
    #expect(record["weight"] == .null)
    #expect(record["height"] == nil)
    #expect("\(record)" == "[id: 25, name: 'Pikachu', weight: null, note: null]")
    #expect(try Record(["id": 1, "name": "a", "name": "b"], for: table)["name"] == "b")
  }

  @Test("A field that the table does not have is an error with the nearest name")
  func unknownField() throws {
    expectError(.invalidQuery, summary: "no column nmae in pokemon", suggestion: "did you mean name?") {
      try Record(["id": 1, "nmae": "Pikachu"], for: table)
    }
  }

  @Test(
    "Keys are written as literals", arguments: [([1], 1), (["a"], "a"), ([.integer(1)], 1)] as [(RecordKey, RecordKey)])
  func keys(lhs: RecordKey, rhs: RecordKey) {
    #expect(lhs == rhs)
    #expect((["red", 25] as RecordKey).values == [.text("red"), .integer(25)])
  }

  @Test("Records are saved, found, replaced and deleted")
  func repository() async throws {
    let pikachu = try Record(["id": 25, "name": "Pikachu", "weight": 6, "note": .blob([1])], for: table)
    try await records.save([pikachu, try Record(["id": 1, "name": "Bulbasaur"], for: table)])
    let found = try await records.find(25)
    // A column of reals keeps 6 as 6.0.
    #expect(found?["weight"] == 6.0 && found == pikachu)
    if case .real? = found?["weight"] {} else { Issue.record("the weight is no real") }
    #expect(try await records.filter(.isNull(key: "weight")).all().map(\.id) == [1])
    try await records.save(try Record(["id": 25, "name": "Raichu"], for: table))
    #expect(try await records.find(25)?.values == [25, "Raichu", .null, .null])
    #expect(try await records.delete([25, 7]) == 1)
    #expect(try await records.count() == 1)
  }

  @Test(
    "What a column can't hold is refused with its name",
    arguments: [
      (["id": 1, "name": 5], "name"), (["id": 1], "name"), (["id": 1, "name": "a", "weight": "heavy"], "weight"),
      (["id": 1.5, "name": "a"], "id"), (["id": "1", "name": "a"], "id"), (["name": "a"], "id"),
      (["id": 1, "name": "a", "note": .real(.nan)], "note"),
      (["id": 1, "name": "a", "weight": 9_007_199_254_740_993], "weight"),
    ] as [(KeyValuePairs<String, Value>, String)])
  func unstorable(fields: KeyValuePairs<String, Value>, column: String) async throws {
    let record = try Record(fields, for: table)
    await expectError(.invalidValue, summary: "can't store this value in pokemon, column \(column)") {
      try await records.save(record)
    }
    #expect(try await records.count() == 0)
  }

  @Test("A record of another table is taken by the names of its columns, and a stray one is named")
  func otherTable() async throws {
    let reordered = try TableSchema(
      "other", columns: [ColumnSchema("name", .text), ColumnSchema("id", .integer)], primaryKey: ["id"])
    try await records.save(try Record(["id": 3, "name": "Venusaur"], for: reordered))
    #expect(try await records.find(3)?["name"] == "Venusaur")
    let stranger = try TableSchema(
      "other", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("age", .integer)],
      primaryKey: ["id"])
    let record = try Record(["id": 4, "name": "Charmander", "age": 2], for: stranger)
    await expectError(.invalidValue, summary: "can't store this value in pokemon, column age") {
      try await records.save(record)
    }
  }

  @Test("Rows without a key are added and found by queries, not told apart")
  func keyless() async throws {
    let log = try TableSchema("log", columns: [ColumnSchema("line", .text)], primaryKey: [])
    let lines = try store.repository(Schema(log))
    try await lines.save([Record(["line": "a"], for: log), Record(["line": "a"], for: log)])
    #expect(try await lines.count() == 2)
    await expectError(.unsupported) { try await lines.find("a") }
  }

  @Test("A key of the wrong number of columns, or of a kind that the key can't be, is refused")
  func wrongKey() async throws {
    for key in [[1, 2], [], ["a"], [.null], [1.5]] as [RecordKey] {
      await #expect(throws: RepositoryError.self) { try await records.find(key) }
      await #expect(throws: RepositoryError.self) { try await records.delete([key]) }
    }
  }
}
