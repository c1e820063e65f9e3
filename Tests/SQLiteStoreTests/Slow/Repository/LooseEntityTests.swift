import Query
import Repository
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("A model type over a table that another program made")
struct LooseEntityTests {
  struct Species: Entity, Hashable {
    let id: Int
    var name: String
    var number: Int?
    static let schema = Schema(
      "species", Species.init, Column("id", \.id), Column("name", \.name), Column("number", \.number))
  }

  private let store: SQLiteStore

  init() throws { store = try Self.store(withNumber: "NUMERIC)") }

  private static func store(withNumber end: String) throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute(
        "CREATE TABLE species (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL, number \(end)")
    }
    return store
  }

  @Test(
    "is asked by the contract, not by the table's collation and affinity",
    arguments: [
      "name = 'PIKACHU'", "name = 'Pikachu'", "name < 'a'", "name in ('pikachu', 'Mew')", "name starts with 'p'",
      "not name between 'A' and 'Z'", "number = 5", "number is null", "number in (5, 7)",
    ], ["NUMERIC)", "INTEGER) STRICT"])
  func asked(text: String, end: String) throws {
    let species = [
      Species(id: 1, name: "Pikachu", number: 5), Species(id: 2, name: "pikachu", number: nil),
      Species(id: 3, name: "Mew", number: 7),
    ]
    let sqlite = try Self.store(withNumber: end).sqlRepository(of: Species.self)
    try sqlite.blocking.save(species)
    let memory = try MemoryRepository(species)
    for sort in [AnySort.primaryKey, .descending(key: "name")] {
      let first = FetchRequest(try AnyQuery(parsing: text), sortedBy: sort)
      #expect(try sqlite.blocking.findAll(first) == memory.blocking.findAll(first))
      guard let found = try memory.blocking.findAll(first).first else { continue }
      let next = FetchRequest(first.query, sortedBy: sort, after: try Species.schema.cursor(at: found, sortedBy: sort))
      #expect(try sqlite.blocking.findAll(next) == memory.blocking.findAll(next))
    }
    #expect(try sqlite.blocking.count(first(text)) == memory.blocking.count(first(text)))
  }

  private func first(_ text: String) throws -> AnyQuery { try AnyQuery(parsing: text) }

  @Test("is refused what its schema rules out, although the table does not")
  func refused() throws {
    expectError(.invalidQuery) {
      try store.sqlRepository(of: Species.self).blocking.count(.equal(key: "number", value: "5"))
    }
  }

  @Test("is told where a column is not unique")
  func unique() throws {
    struct Unique: Entity {
      let id: Int
      var name: String
      static let schema = Schema("species", Unique.init, Column("id", \.id), Column("name", \.name, .unique))
    }
    expectError(reason: "column name is not unique") { try store.repository(of: Unique.self) }
  }

  @Test("may ask the store while it is read")
  func reentrant() throws {
    let sqlite = try store.sqlRepository(of: Species.self)
    try sqlite.blocking.save([Species(id: 1, name: "Pikachu", number: 5)])
    struct Asking: Storable {
      let id: Int
      let count: Int
    }
    let schema = Schema<Asking>("species", columns: Column("id", \.id), Column("number", \.count)) { row in
      Asking(id: try row.read("id"), count: try sqlite.blocking.count(.true))
    }
    let table = try store.sqlRepository(Schema(try store.schema(ofTable: "species")))
    #expect(try table.blocking.count(.true) == 1)
    #expect(throws: RepositoryError.self) { try store.sqlRepository(schema) }  // number may be null
  }

  @Test("may ask the store while it is read, also where the store has one connection")
  func lent() throws {
    let store = try SQLiteStore.inMemory(timeout: .milliseconds(200))
    let plain = try store.sqlRepository(of: Counted.self)
    try plain.blocking.save((1...100).map { Counted(id: $0, count: 0) })
    let schema = Schema<Counted>("counted", columns: Column("id", \.id), Column("count", \.count)) { row in
      Counted(id: try row.read("id"), count: try plain.blocking.count(.true) + (try plain.blocking.find(1)?.id ?? 0))
    }
    let counting = try store.sqlRepository(schema)
    #expect(try counting.blocking.find(1)?.count == 101)
    #expect(try counting.blocking.findAll(FetchRequest()).map(\.count) == Array(repeating: 101, count: 100))
    let found = try store.blocking.transaction { transaction in
      try transaction.repository(schema).findAll(FetchRequest(limit: 3))
    }
    #expect(found.map(\.count) == [101, 101, 101])
    let read = try store.blocking.read { transaction in try transaction.repository(schema).find(2) }
    #expect(read?.count == 101)
  }

  private struct Counted: Entity {
    let id: Int
    var count: Int
    static let schema = Schema("counted", Counted.init, Column("id", \.id), Column("count", \.count))
  }
}

@Suite("A table of any database is described as it is")
struct DescribedTableTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
    try run(
      "CREATE TABLE strict (id INTEGER PRIMARY KEY, a INT UNIQUE, b REAL NOT NULL, c TEXT, d BLOB, e ANY) STRICT",
      "CREATE INDEX i ON strict (c, b)",
      "CREATE TABLE loose (id INTEGER PRIMARY KEY, a VARCHAR(10) NOT NULL, b DATE, c, d FLOATING, e TEXT COLLATE NOCASE)",
      "CREATE TABLE wordy (word TEXT PRIMARY KEY, n INT)",
      "CREATE TABLE pairs (a TEXT NOT NULL, b INT NOT NULL, PRIMARY KEY (b, a)) WITHOUT ROWID",
      #"CREATE TABLE "odd ""name"";--" ("a b" TEXT, "select" INT, "日本" REAL)"#,
      "CREATE VIEW seen AS SELECT a, e FROM loose")
  }

  private func run(_ statements: String...) throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in statements { try connection.execute(sql) }
    }
  }

  @Test func strict() throws {
    let table = try store.schema(ofTable: "strict")
    #expect(
      table.columns == [
        ColumnSchema("id", .integer, isGenerated: true),
        ColumnSchema("a", .integer, isNullable: true, isUnique: true, isIndexed: true),
        ColumnSchema("b", .real), ColumnSchema("c", .text, isNullable: true, isIndexed: true),
        ColumnSchema("d", .blob, isNullable: true), ColumnSchema("e", .any, isNullable: true),
      ])
    #expect(table.primaryKey == [0])
  }

  @Test func loose() throws {
    let table = try store.schema(ofTable: "loose")
    #expect(
      table.columns == [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("a", .text, declaredType: "VARCHAR(10)"),
        ColumnSchema("b", .real, isNullable: true, declaredType: "DATE"),
        ColumnSchema("c", .any, isNullable: true, declaredType: ""),
        ColumnSchema("d", .real, isNullable: true, declaredType: "FLOATING"),
        ColumnSchema("e", .text, isNullable: true, declaredType: "TEXT", collation: "NOCASE"),
      ])
  }

  @Test("a key that may be null tells no rows apart; one of several columns keeps its order")
  func keys() throws {
    #expect(try store.schema(ofTable: "wordy").primaryKey == [])
    #expect(try store.schema(ofTable: "pairs").primaryKey == [1, 0])
    #expect(try store.schema(ofTable: "seen").primaryKey == [])
  }

  @Test("odd names are names")
  func oddNames() throws {
    #expect(try store.tableNames() == ["loose", #"odd "name";--"#, "pairs", "seen", "strict", "wordy"])
    let table = try store.schema(ofTable: #"odd "name";--"#)
    #expect(table.columns.map(\.name) == ["a b", "select", "日本"])
    let records = try store.sqlRepository(Schema(table))
    try records.blocking.save([try Record(["a b": "x", "select": 1, "日本": 2.5], for: table)])
    #expect(try records.blocking.findAll(FetchRequest(try AnyQuery(parsing: #""a b" = 'x' and 日本 > 2"#))).count == 1)
    #expect(try store.tableNames().count == 6)
  }

  @Test("a missing table is an error that suggests the nearest one")
  func missing() throws {
    expectError(.missingTable, suggestion: "did you mean strict?") { try store.schema(ofTable: "strct") }
    // SQLite takes it for the same table; a repository would keep its rows under another name in memory.
    #expect(throws: RepositoryError.self) { try store.schema(ofTable: "STRICT") }
  }

  @Test("what a loose table holds comes back as it is, and what is no text is an error that names its place")
  func looseValues() throws {
    try run(
      "INSERT INTO loose VALUES (1, 5, 'soon', x'00', 'word', 7)",
      "INSERT INTO loose VALUES (2, CAST(x'ff' AS TEXT), NULL, NULL, NULL, NULL)")
    let records = try store.sqlRepository(Schema(try store.schema(ofTable: "loose")))
    #expect(try records.blocking.find(1)?.values == [1, "5", "soon", .blob([0]), "word", "7"])
    expectError(.unreadableRow, summary: "can't read row 2 of loose, column a") { try records.blocking.find(2) }
  }

  @Test("the least and the greatest of texts of which one is not UTF-8 is an error")
  func unreadableExtremes() throws {
    try store.blocking.sql.execute("CREATE TABLE odd (id INTEGER PRIMARY KEY, a)")
    try store.blocking.sql.execute("INSERT INTO odd VALUES (1, 'a'), (2, CAST(x'ff' AS TEXT)), (3, 'c')")
    let records = try store.sqlRepository(Schema(try store.schema(ofTable: "odd")))
    for aggregate in [AnyAggregate.min(key: "a"), .max(key: "a")] {
      expectError(.unreadableRow) {
        try records.blocking.aggregate(AggregateRequest([aggregate]))
      }
      let others = try records.blocking.aggregate(AggregateRequest([aggregate], of: .notEqual(key: "id", value: 2)))
      #expect(others[0].aggregates == [aggregate == .min(key: "a") ? "a" : "c"])
    }
  }
}
