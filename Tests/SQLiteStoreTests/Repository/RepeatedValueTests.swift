import Query
import Repository
import SQLiteStore
import Testing

/// SQLite's forms of some operations write an operand twice, with the values in it.
@Suite("Values that the SQL of an expression repeats")
struct RepeatedValueTests {
  @Test(
    "are those of their places",
    arguments: [
      "(n + 5) / 7 = 1", "-(n + 7) = -9 and n in (1, 2)", "(n * 3) % 4 = 2", "((n + 11) / 2) / 3 = 2",
      "coalesce(n / 2, 5) * 3 = 3", "if((n + 1) / 2 > 1, n - 4, n + 9) = 12", "floor((n + 0.5) / 3.0) = 1",
      "abs(n - 9) % 4 = 2 and n not in (3)", "(n + 2) * (n - 3) = 6 or -(n + 1) = 4",
    ])
  func places(text: String) async throws {
    let table = try TableSchema("t", columns: [ColumnSchema("n", .integer)], primaryKey: ["n"])
    let query = try AnyQuery(parsing: text)
    func found(_ store: some Store) async throws -> [Value] {
      let rows: AnyRepository<Record> = try store.repository(Schema(table))
      for n in -20...20 { try await rows.save(Record(values: [.integer(Int64(n))], in: table)) }
      return try await rows.findAll(FetchRequest(query)).flatMap(\.values)
    }
    let expected = try await found(try MemoryStore())
    #expect(!expected.isEmpty)
    #expect(try await found(try SQLiteStore.inMemory()) == expected)
  }
}
