import Query
import Repository
import Synchronization
import TestSupport
import Testing

@testable import SQLStore
@testable import SQLiteStore

@Suite("Migrations")
struct MigrationTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.path("a.sqlite"))
  }

  static func first() throws -> TableSchema {
    try TableSchema(
      "pokemon", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .real)],
      primaryKey: ["id"])
  }

  static let create = Migration("create pokemon") {
    try $0.create(first())
    try $0.execute("INSERT INTO pokemon VALUES (1, 'Bulbasaur', 6.9), (6, 'Charizard', 90.5)")
  }
  static let nickname = Migration("add nickname") {
    try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true, isIndexed: true), to: "pokemon")
  }
  static let heavier = Migration("heavier") { try $0.execute("UPDATE pokemon SET weight = weight * \(10)") }

  private func names() throws -> [String] { try store.appliedMigrations().map(\.name) }

  private func weights() throws -> [Double] {
    try store.blocking.sql.query("SELECT weight FROM pokemon ORDER BY id", as: Double.self)
  }

  @Test("are applied once, in their order, and the database remembers them")
  func applied() async throws {
    let first = try await store.migrate([Self.create, Self.nickname])
    #expect(first.map(\.name) == ["create pokemon", "add nickname"])
    let second = try await store.migrate([Self.create, Self.nickname, Self.heavier])
    #expect(second.map(\.name) == ["heavier"])
    #expect(try await store.migrate([Self.create, Self.nickname, Self.heavier]) == [])
    #expect(try weights() == [69, 905])
    #expect(try store.appliedMigrations() == first + second)
    #expect(try store.appliedMigrations().map(\.id) == [1, 2, 3])
    #expect(try store.tableNames() == ["pokemon"])
    #expect(try store.schema(ofTable: "pokemon").columns.last?.isIndexed == true)
  }

  @Test("begin with the tables of a program that had none, in its files and in new ones", arguments: [true, false])
  func baseline(isOld: Bool) async throws {
    if isOld {
      _ = try store.repository(Schema<Record>(Self.first()))
      try await store.sql.execute("INSERT INTO pokemon VALUES (1, 'Bulbasaur', 6.9)")
    }
    let migrations = [
      Migration("first tables") { try $0.create(Self.first(), ifMissing: true) }, Self.nickname, Self.heavier,
    ]
    let plan = try store.migrationPlan(migrations)
    #expect(plan.pending.map(\.statements.count) == [isOld ? 0 : 1, 2, 1])
    #expect(try await store.migrate(migrations).count == 3)
    #expect(try weights() == (isOld ? [69] : []))
    #expect(try store.schema(ofTable: "pokemon").columns.map(\.name) == ["id", "name", "weight", "nickname"])
    #expect(try await store.migrate(migrations) == [])
  }

  @Test("don't begin with a table that is another one")
  func otherBaseline() async throws {
    try await store.sql.execute("CREATE TABLE pokemon (id INTEGER NOT NULL PRIMARY KEY, name TEXT)")
    let error = await #expect(throws: RepositoryError.self) {
      try await store.migrate([Migration("first tables") { try $0.create(Self.first(), ifMissing: true) }])
    }
    #expect(error?.code == .migrationFailed)
    #expect((error?.underlying as? RepositoryError)?.code == .schemaMismatch)
    #expect(try names() == [])
  }

  @Test("are applied as a file is opened; one of a newer version is refused by name")
  func newer() async throws {
    _ = try await SQLiteStore(path: folder.path("a.sqlite"), migrations: [Self.create, Self.nickname, Self.heavier])
    #expect(try names().count == 3)
    await expectError(.newerVersion, "does not know add nickname, heavier") {
      try await SQLiteStore(path: folder.path("a.sqlite"), migrations: [Self.create])
    }
    expectError(.newerVersion) { try store.migrationPlan([]) }
  }

  @Test("that stand in another order, or have another name, are refused")
  func order() async throws {
    try await store.migrate([Self.create, Self.nickname])
    let renamed = Migration("give nicknames") {
      try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true, isIndexed: true), to: "pokemon")
    }
    let cases: [(migrations: [Migration], words: String)] = [
      ([Self.nickname, Self.create], "migration 1 is create pokemon in the database"),
      (
        [Self.nickname, Self.create],
        "restore the order in which the database applied the migrations: create pokemon, add nickname"
      ),
      ([Self.create, Self.heavier, Self.nickname], "put heavier after"),
      ([Self.create, renamed], "was add nickname renamed or removed?"),
      ([Self.create, Self.heavier], "was add nickname renamed or removed?"),
    ]
    for (migrations, words) in cases {
      await expectError(.migrationMismatch, words) { try await store.migrate(migrations) }
      expectError(.migrationMismatch, words) { try store.migrationPlan(migrations) }
    }
    await expectError(.invalidSchema, "two migrations have the name heavier") {
      try await store.migrate([Self.create, Self.nickname, Self.heavier, Self.heavier])
    }
    #expect(try weights() == [6.9, 90.5])
  }

  @Test("that were edited are noticed, whatever was edited")
  func edited() async throws {
    try await store.migrate([Self.create, Self.nickname, Self.heavier])
    let edited: [Migration] = [
      Migration("heavier") { try $0.execute("UPDATE pokemon SET weight = weight * \(11)") },
      Migration("heavier") { try $0.execute("UPDATE pokemon SET weight = weight * \(10.0)") },
      Migration("heavier") { try $0.execute("UPDATE pokemon SET weight = weight + \(10)") },
      Migration("heavier") { _ in },
      Migration("heavier") {
        try $0.execute("UPDATE pokemon SET weight = weight * \(10)")
        try $0.execute("UPDATE pokemon SET weight = weight * \(10)")
      },
    ]
    for migration in edited {
      await expectError(.migrationChanged, "heavier") {
        try await store.migrate([Self.create, Self.nickname, migration])
      }
    }
    let unindexed = Migration("add nickname") {
      try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true), to: "pokemon")
    }
    await expectError(.migrationChanged, "add nickname") {
      try await store.migrate([Self.create, unindexed, Self.heavier])
    }
  }

  @Test("have checksums that stay the same in later versions")
  func checksums() throws {
    #expect(try Self.create.checksum == "bba77c5a295019ba")
    #expect(try Self.nickname.checksum == "13596caa66f0e2a7")
    #expect(try Self.heavier.checksum == "d8858abd8514a6f6")
  }

  @Test("are undone where they fail, and those before them are kept")
  func failing() async throws {
    let broken = Migration("broken") {
      try $0.execute("UPDATE pokemon SET weight = 0")
      try $0.drop(index: "no_such_index")
    }
    await expectError(
      .migrationFailed,
      "migration broken failed, and the database rolled back the migration; the earlier migration create pokemon stays"
    ) {
      try await store.migrate([Self.create, broken, Self.nickname])
    }
    #expect(try names() == ["create pokemon"])
    #expect(try weights() == [6.9, 90.5])
    // One that was never applied may be corrected.
    let corrected = Migration("broken") { try $0.execute("UPDATE pokemon SET weight = 1") }
    try await store.migrate([Self.create, corrected, Self.nickname])
    #expect(try weights() == [1, 1])
  }

  @Test("are refused before anything runs where a closure makes no sense")
  func senseless() async throws {
    let cases: [(Migration, RepositoryError.Code)] = [
      (Migration("x") { try $0.execute("PRAGMA foreign_keys = OFF") }, .invalidStatement),
      (Migration("x") { try $0.execute("COMMIT") }, .invalidStatement),
      (Migration("x") { try $0.execute("SELECT \(Double.nan)") }, .invalidValue),
      (Migration("x") { try $0.addColumn(ColumnSchema("a", .text), to: "pokemon") }, .invalidSchema),
      (Migration("x") { try $0.drop(table: "") }, .invalidSchema),
      (Migration("x") { try $0.addIndex(of: "pokemon") }, .invalidSchema),
      (Migration("x") { _ in throw QueryError(.invalidSchema, "no") }, .invalidSchema),
      (Migration("") { _ in }, .invalidSchema),
    ]
    for (migration, code) in cases {
      await expectError(code) { try await store.migrate([Self.create, migration]) }
      expectError(code) { try store.migrationPlan([Self.create, migration]) }
    }
    #expect(try store.tableNames() == [])
  }

  @Test("may run code, in their transaction")
  func code() async throws {
    let code = Migration("lower names") {
      try $0.run("names in small letters") { transaction in
        let pokemon = try transaction.sqlRepository(Schema(try Self.first()))
        for record in try await pokemon.findAll() {
          guard case .text(let name)? = record["name"], let id = record["id"] else { continue }
          try await transaction.sql.execute("UPDATE pokemon SET name = \(name.lowercased()) WHERE id = \(id)")
        }
      }
    }
    let failing = Migration("fail") {
      try $0.run("delete all, and throw") { transaction in
        try await transaction.sql.execute("DELETE FROM pokemon")
        throw CancellationError()
      }
    }
    await expectError(.migrationFailed) { try await store.migrate([Self.create, code, failing]) }
    let names = try await store.sql.query("SELECT name FROM pokemon ORDER BY id", as: String.self)
    #expect(names == ["bulbasaur", "charizard"])
    let plan = try store.migrationPlan([Self.create, code, failing])
    #expect(plan.description == "-- fail\n-- code: delete all, and throw\n")
  }

  @Test("are refused by a file that can only be read, unless there is nothing to do")
  func readOnly() async throws {
    try await store.migrate([Self.create])
    let reader = try SQLiteStore(path: folder.path("a.sqlite"), mode: .readOnly)
    #expect(try await reader.migrate([Self.create]) == [])
    await expectError(.readOnly) { try await reader.migrate([Self.create, Self.nickname]) }
    #expect(try reader.migrationPlan([Self.create, Self.nickname]).pending.map(\.name) == ["add nickname"])
  }

  @Test("that are cancelled leave nothing behind")
  func cancelled() async throws {
    try await store.migrate([Self.create])
    let store = store
    let endless = Migration("endless") {
      try $0.execute("DELETE FROM pokemon")
      try $0.run("cancel") { _ in withUnsafeCurrentTask { $0?.cancel() } }
      try $0.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    }
    await expectError(.cancelled) { try await Task { try await store.migrate([Self.create, endless]) }.value }
    #expect(try weights() == [6.9, 90.5])
    #expect(try names() == ["create pokemon"])
  }

  @Test("can't run within a transaction")
  func withinTransaction() async throws {
    try await store.transaction { _ in
      await expectError(.unsupported) { try await store.migrate([Self.create]) }
    }
  }

  @Test("change tables in all the ways that SQLite knows")
  func changes() async throws {
    try await store.migrate([
      Self.create,
      Migration("all") {
        try $0.addColumn(ColumnSchema("level", .integer, defaultValue: 5), to: "pokemon")
        try $0.addColumn(ColumnSchema("code", .text, isNullable: true, isUnique: true), to: "pokemon")
        try $0.renameColumn("name", to: "title", in: "pokemon")
        try $0.addIndex(on: "title", "level", of: "pokemon", name: "by_title")
        try $0.addIndex(on: "weight", of: "pokemon")
        try $0.dropColumn("weight", from: "pokemon")
        try $0.rename(table: "pokemon", to: "monster")
        try $0.create(Self.first())
        try $0.drop(table: "pokemon")
        try $0.drop(index: "by_title")
      },
    ])
    let table = try store.schema(ofTable: "monster")
    #expect(table.columns.map(\.name) == ["id", "title", "level", "code"])
    #expect(table.columns.map(\.isIndexed) == [false, false, false, true])
    #expect(table.columns.map(\.isUnique) == [false, false, false, true])
    #expect(try await store.sql.query("SELECT level FROM monster", as: Int.self) == [5, 5])
    #expect(try store.tableNames() == ["monster"])
  }

  @Test("don't drop a table to which others refer")
  func drop() async throws {
    let tables = Migration("tables") {
      try $0.execute("CREATE TABLE trainer (id INTEGER PRIMARY KEY)")
      try $0.execute("CREATE TABLE badge (id INTEGER PRIMARY KEY, trainer REFERENCES trainer ON DELETE CASCADE)")
      try $0.execute("INSERT INTO trainer VALUES (1)")
      try $0.execute("INSERT INTO badge VALUES (1, 1)")
    }
    await expectError(.migrationFailed, "other tables refer to trainer") {
      try await store.migrate([tables, Migration("drop") { try $0.drop(table: "trainer") }])
    }
    #expect(try await store.sql.query("SELECT count(*) FROM badge", as: Int.self) == [1])
  }

  @Test("of another program that is at it are waited for, and found done")
  func waiting() async throws {
    let path = folder.path("a.sqlite")
    let (store, other) = (
      try SQLiteStore(path: path, timeout: .seconds(60)), try SQLiteStore(path: path, timeout: .seconds(60))
    )
    let start = Mutex<(@Sendable () -> Void)?>(nil)
    let migrations = [
      Self.create,
      Migration("wait") {
        try $0.run("wait until the other one waits") { _ in
          let start = start.withLock { start in
            defer { start = nil }
            return start
          }
          guard let start else { return }
          start()
          while WriteQueue.status(ofDatabase: path) != .inUse { await Task.yield() }
        }
      },
    ]
    let (reports, continuation) = AsyncStream.makeStream(of: Result<[AppliedMigration], any Error>.self)
    start.withLock {
      $0 = {
        Task.detached {
          do {
            continuation.yield(.success(try await other.migrate(migrations)))
          } catch {
            continuation.yield(.failure(error))
          }
          continuation.finish()
        }
      }
    }
    #expect(try await store.migrate(migrations).count == 2)
    for await report in reports {
      #expect(try report.get() == [])
    }
    #expect(try other.appliedMigrations().map(\.name) == ["create pokemon", "wait"])
  }

  @Test("of two stores at once are applied once")
  func atOnce() async throws {
    let stores = try (0..<4).map { _ in try SQLiteStore(path: folder.path("a.sqlite"), timeout: .seconds(60)) }
    let many =
      [Self.create]
      + (0..<10).map { number in
        Migration("heavier \(number)") { try $0.execute("UPDATE pokemon SET weight = weight + \(1)") }
      }
    let applied = try await withThrowingTaskGroup { group in
      for store in stores { group.addTask { try await store.migrate(many).count } }
      return try await group.reduce(0, +)
    }
    #expect(applied == 11)
    #expect(try weights() == [16.9, 100.5])
  }
}
