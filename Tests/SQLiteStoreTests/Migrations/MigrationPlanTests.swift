import Foundation
import Query
import Repository
import TestSupport
import Testing

@testable import SQLStore
@testable import SQLiteStore

@Suite("A dry run of migrations")
struct MigrationPlanTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }

  @Test("shows the SQL of pending migrations, without the values")
  func text() async throws {
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    let create = Migration("create pokemon") { try $0.create(MigrationTests.first()) }
    let plan = try store.migrationPlan([create, MigrationTests.nickname, MigrationTests.heavier])
    #expect(
      plan.description == """
        -- create pokemon
        CREATE TABLE "pokemon" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "weight" REAL NOT NULL) STRICT;

        -- add nickname
        ALTER TABLE "pokemon" ADD COLUMN "nickname" TEXT;
        CREATE INDEX "pokemon.nickname" ON "pokemon" ("nickname");

        -- heavier
        UPDATE pokemon SET weight = weight * ?;

        """)
    #expect(plan.pending.map(\.name) == ["create pokemon", "add nickname", "heavier"])
    #expect(plan.pending.last?.statements.map(\.bindings) == [[10]])
    try await store.migrate([create, MigrationTests.nickname])
    let rest = try store.migrationPlan([create, MigrationTests.nickname, MigrationTests.heavier])
    #expect(rest.pending.map(\.name) == ["heavier"])
    #expect(try store.migrationPlan([create, MigrationTests.nickname]).description == "-- nothing to do\n")
    let odd = Migration("two\nlines; DROP TABLE pokemon") { try $0.run("a\nb") { _ in } }
    let text = try store.migrationPlan([create, MigrationTests.nickname, odd]).description
    #expect(text == "-- two lines; DROP TABLE pokemon\n-- code: a b\n")
  }

  @Test("changes no byte of the file, and is what is done then")
  func unchanged() async throws {
    let path = folder.path("a.sqlite")
    var migrations = [MigrationTests.create]
    do {
      let store = try SQLiteStore(path: path, journal: .unchanged)
      try await store.migrate(migrations)
      // What copies of a schema have to cope with.
      for sql in [
        "CREATE VIRTUAL TABLE words USING fts5(text)", "CREATE VIEW broken AS SELECT * FROM gone",
        "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, twice AS (id * 2))",
        "CREATE TRIGGER t AFTER INSERT ON pokemon BEGIN INSERT INTO words VALUES (new.name); END", "ANALYZE",
      ] { try await store.sql.execute(SQLStatement(verbatim: sql)) }
    }
    let other = try RawDatabase(path: path, mode: .existing)
    try other.setDoubleQuotedTexts(allowed: true)
    _ = try other.prepare(#"CREATE TABLE quoted (a TEXT DEFAULT "text", CHECK (a <> "other"))"#).step()

    migrations += [
      MigrationTests.nickname, MigrationTests.heavier,
      Migration("rebuild") {
        let table = try TableSchema(
          "pokemon", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true)],
          primaryKey: ["id"])
        try $0.rebuild("pokemon", as: table)
      },
      Migration("drop") { try $0.drop(table: "counted") },
    ]
    let before = try bytes("a.sqlite")
    for mode in [OpenMode.readOnly, .existing] {
      let store = try SQLiteStore(path: path, mode: mode, journal: .unchanged)
      let plan = try store.migrationPlan(migrations)
      #expect(plan.pending.count == 4)
      #expect(try store.appliedMigrations().count == 1)
    }
    #expect(try bytes("a.sqlite") == before)

    // The real run runs what the dry run showed.
    let store = try SQLiteStore(path: path, journal: .unchanged)
    let plan = try store.migrationPlan(migrations)
    try await store.backup(to: folder.path("c.sqlite"))
    try await store.migrate(migrations)
    let planned = try SQLiteStore(path: folder.path("c.sqlite"), journal: .unchanged)
    try planned.blockingTransaction { transaction in
      for statement in plan.pending.flatMap(\.statements) {
        try transaction.performBlocking(.write) { connection throws(RepositoryError) in
          try connection.driver.changeSchema(statement, on: connection)
        }
      }
    }
    let schema: SQLStatement = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    #expect(try await planned.sql.query(schema) == store.sql.query(schema))
    #expect(try await planned.sql.query("SELECT * FROM pokemon") == store.sql.query("SELECT * FROM pokemon"))
  }

  @Test("says what makes no sense, and touches nothing")
  func senseless() throws {
    let store = try SQLiteStore.inMemory()
    expectError(.migrationFailed, "no such table: pokemon") { try store.migrationPlan([MigrationTests.heavier]) }
    expectError(.migrationFailed, "no such column: heft") {
      try store.migrationPlan([
        MigrationTests.create, Migration("x") { try $0.execute("UPDATE pokemon SET heft = 1") },
      ])
    }
    #expect(try store.tableNames() == [])
    #expect(try store.appliedMigrations() == [])
  }
}

extension SQLiteStore {
  /// The transaction that does not suspend, also where one that does could be meant.
  fileprivate func blockingTransaction(_ body: (SQLiteTransaction) throws -> Void) throws {
    try blocking.transaction(.writing, body)
  }
}
