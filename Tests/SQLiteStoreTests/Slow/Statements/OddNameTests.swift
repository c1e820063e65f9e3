import Query
import Repository
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Names are what their bytes are, whatever they hold")
struct OddNameTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  private static func table() throws -> TableSchema {
    try TableSchema(
      "drink",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema(composed, .integer, isIndexed: true),
        ColumnSchema(decomposed, .text),
      ], primaryKey: ["id"])
  }

  @Test("two columns whose names are canonically equal are two")
  func canonicallyEqual() throws {
    let table = try Self.table()
    let store = try SQLiteStore.inMemory()
    let sqlite = try store.sqlRepository(Schema(table))
    let memory = try MemoryRepository(schema: Schema(table))
    let record = try Record(["id": 1, Self.decomposed: "text", Self.composed: 5], for: table)
    #expect(record[Self.composed] == 5)
    #expect(record[Self.decomposed] == "text")
    try sqlite.blocking.save([record])
    try memory.blocking.save([record])
    let query = AnyQuery.equal(key: Self.composed, value: 5) && .equal(key: Self.decomposed, value: "text")
    #expect(try sqlite.blocking.findAll(FetchRequest(query)) == [record])
    #expect(try memory.blocking.findAll(FetchRequest(query)) == [record])
    // The index is one column's alone.
    let found = try store.schema(ofTable: "drink")
    #expect(found.columns.map(\.isIndexed) == [false, true, false])
    let other = try TableSchema(
      "drink", columns: [ColumnSchema("id", .integer), ColumnSchema(Self.composed, .text)], primaryKey: ["id"])
    let error = #expect(throws: RepositoryError.self) { try store.sqlRepository(Schema(other)) }
    #expect(error?.reason?.contains("column \(Self.composed) stores integer") == true, "\(String(describing: error))")
  }

  @Test("an index has a name of its own, and a table that takes it is refused as such")
  func indexNames() throws {
    func table(_ name: String, _ column: String) throws -> Schema<Record> {
      Schema(
        try TableSchema(
          name, columns: [ColumnSchema("id", .integer), ColumnSchema(column, .integer, isIndexed: true)],
          primaryKey: ["id"]))
    }
    for (first, second) in [(("a.b", "c"), ("a", "b.c")), (("a", "b"), ("\"a\"", "b")), (("a", "b"), ("a.", "b"))] {
      let store = try SQLiteStore.inMemory()
      _ = try store.sqlRepository(table(first.0, first.1))
      _ = try store.sqlRepository(table(second.0, second.1))
    }
    for (first, second) in [(("a", "b"), ("a.b", "c")), (("a.b", "c"), ("a", "b"))] {
      let store = try SQLiteStore.inMemory()
      _ = try store.sqlRepository(table(first.0, first.1))
      expectError(.invalidSchema, summary: "a table and an index would have the same name") {
        try store.sqlRepository(table(second.0, second.1))
      }
      #expect(try store.tableNames() == [first.0])
    }
  }

  @Test("a record of another spelling does not fit")
  func strayRecord() throws {
    let table = try TableSchema("a", columns: [ColumnSchema(Self.composed, .integer)], primaryKey: [Self.composed])
    let other = try TableSchema("a", columns: [ColumnSchema(Self.decomposed, .integer)], primaryKey: [Self.decomposed])
    let memory = try MemoryRepository<Record>(schema: Schema(table))
    #expect(throws: RepositoryError.self) { try memory.blocking.save([Record([Self.decomposed: 1], for: other)]) }
  }

  struct Drink: Entity, Equatable {
    let id: Int
    var number: Int
    var text: String
    static let schema = Schema(
      "drink", columns: Column("id", \.id), Column("caf\u{E9}", \.number), Column("cafe\u{301}", \.text)
    ) { row in
      Drink(id: try row.read("id"), number: try row.read("caf\u{E9}"), text: try row.read("cafe\u{301}"))
    }
  }

  @Test("a row is read by the bytes of a name")
  func namedRow() throws {
    let drink = Drink(id: 1, number: 5, text: "text")
    let store = try SQLiteStore.inMemory().sqlRepository(of: Drink.self)
    try store.blocking.save([drink])
    #expect(try store.blocking.findAll(FetchRequest()) == [drink])
  }

  @Test("tables in memory whose names are canonically equal are two")
  func tablesInMemory() async throws {
    let store = MemoryStore()
    for name in [Self.composed, Self.decomposed] {
      let table = try TableSchema(name, columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
      let repository: AnyRepository<Record> = try store.repository(Schema(table))
      #expect(try await repository.count() == 0)
      try await repository.save(Record(["id": 1], for: table))
    }
  }

  @Test("two columns whose names are canonically equal are told apart, one after the other")
  func equalNames() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let table = try TableSchema(
      "t",
      columns: [ColumnSchema("id", .integer), ColumnSchema(composed, .integer), ColumnSchema(decomposed, .integer)],
      primaryKey: ["id"])
    let store = try SQLiteStore.inMemory()
    let records = try store.sqlRepository(Schema(table))
    try records.blocking.save([Record(values: [1, 1, 2], in: table), Record(values: [2, 2, 1], in: table)])
    for (key, first) in [(composed, RecordKey(values: [1])), (decomposed, RecordKey(values: [2]))] {
      #expect(try records.blocking.findAll(FetchRequest(sortedBy: .ascending(key: key))).first?.id == first)
      #expect(try records.blocking.findAll(FetchRequest(.equal(key: key, value: 1))).map(\.id) == [first])
    }
  }

  @Test(
    "a conflict names the table and the columns, also where names look like lists of names",
    arguments: [
      ("t", ["a"]), ("t.u", ["a"]), ("t, u", ["a"]), ("t", ["a, t.b"]), ("t", ["a.b", "c, d"]), ("t.t", ["t", "t.t"]),
      ("t: u", ["a"]),
    ] as [(String, [String])])
  func conflicts(name: String, key: [String]) throws {
    let columns = (key + ["a", "b"]).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let table = try TableSchema(
      name, columns: columns.map { ColumnSchema($0, .integer) } + [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let store = try SQLiteStore.inMemory()
    let repository = try store.sqlRepository(Schema(table))
    let quoted = { (name: String) in "\"\(name)\"" }
    try store.execute(
      "CREATE UNIQUE INDEX i ON \(quoted(name)) (\(key.map(quoted).joined(separator: ", ")))")
    let values = [Value](repeating: 1, count: columns.count)
    let row = { (id: Int64) in
      Record(values: values + [.integer(id)], in: table)
    }
    try repository.blocking.save([row(1)])
    expectError(
      .conflict,
      summary: "another row of \(name) has the same \(key.map { "\($0) (number)" }.joined(separator: " and "))"
    ) { try repository.blocking.save([row(2)]) }
  }
}

extension SQLiteStore {
  fileprivate func execute(_ sql: String) throws {
    try runBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }
}
