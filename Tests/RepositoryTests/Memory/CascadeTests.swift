import Query
import Repository
import Testing

@Suite("Deletions in memory go on from row to row")
struct CascadeTests {
  private static func nodes(_ rule: DeleteRule, _ count: Int) throws -> MemoryRepository<Record> {
    let table = try TableSchema(
      "node", columns: [ColumnSchema("id", .integer), ColumnSchema("parent", .integer, isNullable: true)],
      primaryKey: ["id"], references: [ReferenceRule(["parent"], to: "node", key: ["id"], onDelete: rule)])
    let repository = try MemoryRepository(schema: Schema(table))
    try repository.insert(
      (1...count).map { number in
        try Record(
          ["id": .integer(Int64(number)), "parent": number == 1 ? .null : .integer(Int64(number - 1))], for: table)
      })
    return repository
  }

  @Test("a chain of 5,000 is refused as too long, and can be deleted as a whole")
  func longChain() throws {
    let nodes = try Self.nodes(.cascade, 5_000)
    let error = #expect(throws: RepositoryError.self) { try nodes.delete([[1]]) }
    #expect(error?.code == .tooBig)
    #expect(error?.summary == "a deletion from node goes on through more than 1000 levels of references")
    #expect(try nodes.count(.true) == 5_000)
    #expect(try nodes.delete(where: .greaterThan(key: "id", value: 4_500)) == 500)
  }

  @Test("a row with 5,000 that refer to it takes them along, or leaves them with nothing to refer to")
  func wide() throws {
    for rule in [DeleteRule.cascade, .setNull] {
      let nodes = try Self.nodes(rule, 5_000)
      try nodes.update(where: .greaterThan(key: "id", value: 1), set: [Assignment("parent", 1)])
      #expect(try nodes.delete([[1]]) == 1)
      #expect(try nodes.count(.isNull(key: "parent")) == (rule == .cascade ? 0 : 4_999))
    }
  }
}
