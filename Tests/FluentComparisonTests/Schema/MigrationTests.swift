import SQLiteStore
import Testing

// A store in memory has no migrations: its tables are those of today's schemas from the start.

private let firstCategory = Result {
  try TableSchema("category", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text)], primaryKey: ["id"])
}

@Suite("Migrations")
struct MigrationTests {
  @Test("are applied in their order, once, and remembered")
  func order() async throws {
    let store = try SQLiteStore.inMemory()
    var migrations = [
      Migration("create category") { try $0.create(firstCategory.get()) },
      Migration("add note") { try $0.addColumn(ColumnSchema("note", .text, isNullable: true), to: "category") },
    ]
    #expect(try await store.migrate(migrations).map(\.name) == ["create category", "add note"])
    // Rows of a new version are a migration as well.
    migrations.append(
      Migration("first categories") { try $0.execute("INSERT INTO category VALUES (1, 'comet', NULL)") })
    #expect(try await store.migrate(migrations).map(\.name) == ["first categories"])
    #expect(try await store.migrate(migrations).isEmpty)
    #expect(try store.appliedMigrations().map(\.name) == migrations.map(\.name))
  }

  @Test("that fail leave nothing behind, and those before them stay")
  func failure() async throws {
    struct Broken: Error {}
    let store = try SQLiteStore.inMemory()
    let migrations = [
      Migration("create category") { try $0.create(firstCategory.get()) },
      Migration("fail") {
        try $0.execute("INSERT INTO category VALUES (1, 'comet')")
        try $0.run("fail") { _ in throw Broken() }
      },
      Migration("never reached") { try $0.drop(table: "category") },
    ]
    await expectRefusal(.migrationFailed) { try await store.migrate(migrations) }
    #expect(try store.appliedMigrations().map(\.name) == ["create category"])
    #expect(try await store.sql.query("SELECT count(*) FROM category", as: Int.self) == [0])
  }

  @Test("of two databases know nothing of each other")
  func twoDatabases() async throws {
    let (one, other) = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
    let migrations = [Migration("create category") { try $0.create(firstCategory.get()) }]
    try await one.migrate(migrations)
    #expect(try one.appliedMigrations().count == 1)
    #expect(try other.appliedMigrations().isEmpty)
    try await other.migrate(migrations)
    #expect(try other.appliedMigrations().count == 1)
  }
}

@Suite("Tables that change")
struct ChangingTableTests {
  private struct Category: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema("category", Category.init, Column("id", \.id), Column("name", \.name))
  }

  private struct Named: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema("category", Named.init, Column("id", \.id), Column("name", \.name, .unique))
  }

  @Test("a unique index is added, keeps its rule, and is dropped again")
  func uniqueIndex() async throws {
    let store = try SQLiteStore.inMemory()
    var migrations = [
      Migration("create category") { try $0.create(firstCategory.get()) },
      Migration("unique names") { try $0.addIndex(on: "name", of: "category", name: "one_name", isUnique: true) },
    ]
    try await store.migrate(migrations)
    let named = try store.repository(of: Named.self)
    try await named.insert([Named(id: 1, name: "a"), Named(id: 2, name: "b")])
    await expectRefusal(.conflict) { try await named.insert(Named(id: 3, name: "a")) }
    migrations.append(Migration("names may repeat") { try $0.drop(index: "one_name") })
    try await store.migrate(migrations)
    let categories = try store.repository(of: Category.self)
    try await categories.insert(Category(id: 3, name: "a"))
    #expect(try await categories.count() == 3)
    // The other schema no longer fits, which is told before anything is read.
    await expectRefusal(.schemaMismatch) { _ = try store.repository(of: Named.self) }
  }

  private struct Rated: Entity, Equatable {
    let id: Int
    var name: String
    var stars: Int

    static let schema = Schema(
      "category", Rated.init, Column("id", \.id), Column("name", \.name), Column("stars", \.stars, .default(3)))
  }

  @Test("a column with a default is added on request, and old rows have it")
  func defaultValue() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.repository(of: Category.self).insert(Category(id: 1, name: "comet"))
    await expectRefusal(.schemaMismatch) { try store.repository(of: Rated.self) }
    let rated = try store.repository(of: Rated.self, adding: .columns)
    #expect(try await rated.findAll() == [Rated(id: 1, name: "comet", stars: 3)])
  }

  @Test("a column gets another type when its table is copied")
  func rebuild() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.repository(of: Category.self).insert(Category(id: 1, name: "42"))
    let numbered = try TableSchema(
      "category", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .integer)], primaryKey: ["id"])
    try await store.migrate([
      Migration("names are numbers") {
        try $0.rebuild("category", as: numbered, taking: ["name": "CAST(name AS INTEGER)"])
      }
    ])
    #expect(try await store.sql.query("SELECT name FROM category", as: Int.self) == [42])
  }

  @Test("tables and columns get other names, and columns go")
  func renaming() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.repository(of: Rated.self).insert(Rated(id: 1, name: "comet", stars: 5))
    try await store.migrate([
      Migration("kinds") {
        try $0.rename(table: "category", to: "kind")
        try $0.renameColumn("name", to: "title", in: "kind")
        try $0.dropColumn("stars", from: "kind")
      }
    ])
    #expect(try store.tableNames() == ["kind"])
    let records = try await store.sql.query("SELECT * FROM kind")
    #expect(records.map(\.keys) == [["id", "title"]] && records.map(\.values) == [[1, "comet"]])
  }

  @Test("what the library has no word for is written in SQL, and any table is opened as records")
  func ownSQL() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.migrate([
      Migration("create reading") {
        try $0.execute(
          "CREATE TABLE reading (id INTEGER PRIMARY KEY, raw REAL, half REAL AS (raw / 2), CHECK (raw < 9))")
      }
    ])
    try await store.sql.execute("INSERT INTO reading (raw) VALUES (\(3.0))")
    let readings = try store.repository(Schema(try store.schema(ofTable: "reading")))
    #expect(try await readings.find(1)?["half"] == 1.5)
    await expectRefusal(.constraint) { try await store.sql.execute("INSERT INTO reading (raw) VALUES (\(10.0))") }
  }
}
