import Query
import Repository
import TestSupport
import Testing

@testable import SQLStore
@testable import SQLiteStore

@Suite("Rebuilding a table")
struct RebuildTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
  }

  private static func table(_ columns: ColumnSchema...) throws -> TableSchema {
    try TableSchema("pokemon", columns: columns, primaryKey: ["id"])
  }

  /// What another program may have made: a table that is not strict, to which others refer, with all that names it.
  private static let before = Migration("before") {
    for sql in [
      "CREATE TABLE pokemon (id INTEGER PRIMARY KEY, name TEXT, weight TEXT, old INT)",
      "CREATE TABLE caught (id INTEGER PRIMARY KEY, pokemon INT NOT NULL REFERENCES pokemon ON DELETE CASCADE)",
      "CREATE TABLE log (text)",
      "INSERT INTO pokemon VALUES (1, 'Bulbasaur', '6.9', 1), (6, 'Charizard', '90.5', 2)",
      "INSERT INTO caught VALUES (1, 6), (2, 6), (3, 1)",
      #"CREATE INDEX "pokemon.name" ON pokemon (name)"#,
      "CREATE INDEX long_names ON pokemon (length(name)) WHERE name > 'B'",
      "CREATE VIEW heavy AS SELECT name FROM pokemon WHERE weight > 50.0",
      "CREATE TRIGGER named AFTER UPDATE OF name ON pokemon BEGIN INSERT INTO log VALUES (new.name); END",
      "CREATE TRIGGER seen AFTER INSERT ON caught BEGIN INSERT INTO log SELECT name FROM pokemon WHERE id = new.pokemon; END",
    ] { try $0.execute(SQLStatement(verbatim: sql)) }
  }

  private static func after() throws -> TableSchema {
    try table(
      ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .real, isIndexed: true),
      ColumnSchema("nickname", .text, isNullable: true), ColumnSchema("level", .integer, defaultValue: 5))
  }

  private static let rebuild = Migration("rebuild") { try $0.rebuild("pokemon", as: after()) }

  @Test("that cannot begin, since another connection writes, leaves foreign keys enforced")
  func busy() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.sqlite"), timeout: .milliseconds(20))
    try await store.migrate([Self.before])
    let other = try SQLiteStore(path: folder.path("a.sqlite"))
    try await other.transaction { _ in
      await expectError(.busy) { try await store.migrate([Self.before, Self.rebuild]) }
    }
    await expectError(.foreignKeyViolation) { try await store.sql.execute("INSERT INTO caught VALUES (5, 99)") }
    #expect(try await store.sql.query("SELECT count(*) FROM caught WHERE pokemon = 99", as: Int.self) == [0])
    // The same migration succeeds once the other connection has committed.
    #expect(try await store.migrate([Self.before, Self.rebuild]).map(\.name) == ["rebuild"])
  }

  @Test("keeps rows, indexes, triggers, views and the foreign keys of others")
  func keeping() async throws {
    try await store.migrate([Self.before, Self.rebuild])
    #expect(try store.schemaDifferences(of: Self.after()) == [])
    let rows = try await store.sql.query("SELECT * FROM pokemon ORDER BY id")
    #expect(rows.map(\.values) == [[1, "Bulbasaur", 6.9, .null, 5], [6, "Charizard", 90.5, .null, 5]])
    // The index that only the old table asked for is gone; the one that no schema can ask for is there.
    let indexes = try await store.sql.query(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'pokemon' ORDER BY name", as: String.self)
    #expect(indexes == ["long_names", "pokemon.weight"])
    #expect(try await store.sql.query("SELECT name FROM heavy", as: String.self) == ["Charizard"])
    try await store.sql.execute("UPDATE pokemon SET name = 'Glurak' WHERE id = 6")
    try await store.sql.execute("INSERT INTO caught VALUES (4, 1)")
    #expect(try await store.sql.query("SELECT text FROM log", as: String.self) == ["Glurak", "Bulbasaur"])
    // Foreign keys are kept again, and lead to the new table.
    await expectError(.foreignKeyViolation) { try await store.sql.execute("INSERT INTO caught VALUES (5, 99)") }
    try await store.sql.execute("DELETE FROM pokemon WHERE id = 6")
    #expect(try await store.sql.query("SELECT id FROM caught ORDER BY id", as: Int.self) == [3, 4])
    #expect(try await store.integrityCheck() == [])
  }

  @Test("leaves rows that refer to nothing as another program made them")
  func brokenBefore() async throws {
    try await store.migrate([Self.before])
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.execute("INSERT INTO caught VALUES (7, 99)")
      try connection.execute("PRAGMA foreign_keys = ON")
    }
    try await store.migrate([Self.before, Self.rebuild])
    #expect(try await store.sql.query("SELECT pokemon FROM caught WHERE id = 7", as: Int.self) == [99])
  }

  @Test("makes columns of expressions")
  func expressions() async throws {
    let table = try Self.table(
      ColumnSchema("id", .integer), ColumnSchema("title", .text), ColumnSchema("weight", .integer))
    let migration = Migration("rebuild") {
      try $0.execute("DROP VIEW heavy")
      try $0.execute("DROP TRIGGER named")
      try $0.execute("DROP TRIGGER seen")
      try $0.execute("DROP INDEX long_names")
      try $0.rebuild(
        "pokemon", as: table,
        taking: ["title": "name || \(", the old")", "weight": "CAST(weight * \(10) AS INTEGER)"])
    }
    try await store.migrate([Self.before, migration])
    let rows = try await store.sql.query("SELECT * FROM pokemon ORDER BY id")
    #expect(rows.map(\.values) == [[1, "Bulbasaur, the old", 69], [6, "Charizard, the old", 905]])
  }

  @Test(
    "names what is in the way, and keeps all as it was",
    arguments: [
      ("DROP VIEW heavy", "the trigger named prevents rebuilding pokemon", ["id", "weight"]),
      ("DROP VIEW heavy; trigger", "the trigger on insert of caught prevents", ["id", "weight"]),
      ("DROP TRIGGER named", "the index long_names prevents rebuilding pokemon", ["id", "weight"]),
      ("SELECT 1", "the view heavy prevents rebuilding pokemon", ["id", "name"]),
      ("CREATE TABLE pokemon_other (a)", "the view heavy prevents", ["id", "name"]),
      ("CREATE INDEX quoted ON pokemon (\"old\")", "the index quoted prevents", ["id", "name", "weight"]),
    ] as [(String, String, [String])])
  func inTheWay(statement: String, words: String, columns: [String]) async throws {
    let table = try TableSchema(
      "pokemon", columns: columns.map { ColumnSchema($0, $0 == "id" ? .integer : .text, isNullable: $0 != "id") },
      primaryKey: ["id"])
    let migration = Migration("rebuild") {
      if statement.hasPrefix("DROP VIEW heavy") {
        try $0.drop(index: "long_names")
        try $0.execute(statement == "DROP VIEW heavy" ? "DROP TRIGGER seen" : "DROP TRIGGER named")
        try $0.execute("DROP VIEW heavy")
      } else {
        try $0.execute(SQLStatement(verbatim: statement))
      }
      try $0.rebuild("pokemon", as: table)
    }
    try await store.migrate([Self.before])
    let schema = try await store.sql.query("SELECT * FROM sqlite_schema ORDER BY rowid")
    await expectError(.migrationFailed, words) { try await store.migrate([Self.before, migration]) }
    expectError(.migrationFailed, words) { try store.migrationPlan([Self.before, migration]) }
    #expect(try await store.sql.query("SELECT * FROM sqlite_schema ORDER BY rowid") == schema)
    #expect(try await store.sql.query("SELECT count(*) FROM caught", as: Int.self) == [3])
    await expectError(.foreignKeyViolation) { try await store.sql.execute("INSERT INTO caught VALUES (5, 99)") }
  }

  @Test("fails where rows don't fit, or would refer to nothing")
  func unfitting() async throws {
    let strict = try Self.table(
      ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .integer))
    let cases: [(Migration, RepositoryError.Code, String)] = [
      (Migration("x") { try $0.rebuild("pokemon", as: strict) }, .constraint, "REAL value in INTEGER column"),
      (
        Migration("x") {
          try $0.rebuild("pokemon", as: Self.after())
          try $0.execute("DELETE FROM pokemon WHERE id = 6")
        }, .constraint, "2 rows of caught would refer to missing rows of pokemon"
      ),
      (
        Migration("x") {
          try $0.rebuild("pokemon", as: Self.after(), taking: ["id": "id + 1"])
        }, .constraint, "3 rows of caught would refer"
      ),
      (
        Migration("x") {
          try $0.rebuild("heavy", as: .init("heavy", columns: [ColumnSchema("id", .any)], primaryKey: []))
        },
        .unsupported, "view or a virtual table"
      ),
      (
        Migration("x") {
          try $0.rebuild("pokmon", as: .init("pokmon", columns: [ColumnSchema("id", .any)], primaryKey: []))
        },
        .missingTable, "did you mean pokemon?"
      ),
      (
        Migration("x") {
          try $0.rebuild("caught", as: .init("caught", columns: [ColumnSchema("pokemon", .integer)], primaryKey: []))
        },
        .unsupported, "caught would lose a foreign key: pokemon refers to pokemon"
      ),
      (
        Migration("x") {
          try $0.rebuild("pokemon", as: Self.table(ColumnSchema("id", .integer), ColumnSchema("rank", .integer)))
        }, .invalidSchema, "but has no value for existing rows"
      ),
      (
        Migration("x", deferringForeignKeys: true) { try $0.execute("DELETE FROM pokemon") }, .constraint,
        "3 rows of caught"
      ),
    ]
    try await store.migrate([Self.before])
    for (migration, code, words) in cases {
      do {
        try await store.migrate([Self.before, migration])
        Issue.record("no error, but \(words) was expected")
      } catch {
        #expect(error.code == .migrationFailed)
        #expect((error.underlying as? RepositoryError)?.code == code, "\(error)")
        #expect(error.description.contains(words), "\(error)")
      }
    }
    #expect(try await store.sql.query("SELECT count(*) FROM pokemon", as: Int.self) == [2])
    #expect(try await store.sql.query("SELECT count(*) FROM caught", as: Int.self) == [3])
    expectError(.invalidSchema, "has the name other") {
      try store.migrationPlan([
        Self.before,
        Migration("x") {
          try $0.rebuild("pokemon", as: .init("other", columns: [ColumnSchema("id", .any)], primaryKey: []))
        },
      ])
    }
    expectError(.invalidSchema, "names column name of pokemon twice") {
      try store.migrationPlan([
        Self.before,
        Migration("x") { try $0.rebuild("pokemon", as: Self.after(), taking: ["name": "name", "name": "nickname"]) },
      ])
    }
    expectError(.invalidQuery, "titel") {
      try store.migrationPlan([
        Self.before, Migration("x") { try $0.rebuild("pokemon", as: Self.after(), taking: ["titel": "name"]) },
      ])
    }
  }

  @Test("shows all its statements in a dry run")
  func plan() async throws {
    try await store.migrate([Self.before])
    let plan = try store.migrationPlan([Self.before, Self.rebuild])
    let before = try await store.sql.query("SELECT sql FROM sqlite_schema WHERE name = 'named'", as: String.self)
    let index = "CREATE INDEX long_names ON pokemon (length(name)) WHERE name > 'B'"
    let statements = [
      """
      CREATE TABLE "repokit_new_pokemon" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, \
      "weight" REAL NOT NULL, "nickname" TEXT, "level" INTEGER NOT NULL DEFAULT 5) STRICT
      """,
      """
      INSERT INTO "repokit_new_pokemon" ("id", "name", "weight") SELECT "id", "name", "weight" FROM "pokemon"
      """,
      #"DROP TABLE "pokemon""#, "PRAGMA legacy_alter_table = ON",
      #"ALTER TABLE "repokit_new_pokemon" RENAME TO "pokemon""#, "PRAGMA legacy_alter_table = OFF",
      #"CREATE INDEX "pokemon.weight" ON "pokemon" ("weight")"#, index, before[0],
    ]
    #expect(plan.pending.map { $0.statements.map(\.sql) } == [statements])
  }

  /// The old table, the columns of the new one, and the rowids afterwards.
  static let numbers: [(old: String, columns: [ColumnSchema], after: [Int])] = [
    (
      "(id TEXT NOT NULL PRIMARY KEY, rowid INT)",
      [ColumnSchema("id", .text), ColumnSchema("oid", .integer, isNullable: true)], [2, 9]
    ),
    ("(id INTEGER PRIMARY KEY)", [ColumnSchema("id", .text)], [2, 9]),
    ("(id TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID", [ColumnSchema("id", .text)], [1, 2]),
    ("(id TEXT NOT NULL PRIMARY KEY)", [ColumnSchema("id", .integer, isGenerated: true)], [2, 9]),
  ]

  @Test("keeps the rowids by which another index finds the rows", arguments: numbers)
  func rowids(of row: (old: String, columns: [ColumnSchema], after: [Int])) async throws {
    try await store.migrate([
      Migration("before") {
        try $0.execute(SQLStatement(verbatim: "CREATE TABLE pokemon \(row.old)"))
        try $0.execute("INSERT INTO pokemon (id) VALUES ('1'), ('2'), ('9')")
        if !row.old.hasSuffix("ROWID") { try $0.execute("UPDATE pokemon SET _rowid_ = 9 WHERE id = '9'") }
        try $0.execute("DELETE FROM pokemon WHERE id = '1'")
      },
      Migration("rebuild") {
        try $0.rebuild("pokemon", as: try TableSchema("pokemon", columns: row.columns, primaryKey: ["id"]))
      },
    ])
    #expect(try await store.sql.query("SELECT _rowid_ FROM pokemon ORDER BY 1", as: Int.self) == row.after)
  }
}
