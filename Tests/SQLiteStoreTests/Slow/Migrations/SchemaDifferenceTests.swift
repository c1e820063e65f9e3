import Query
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("The difference of a table from its schema")
struct SchemaDifferenceTests {
  struct Monster: Entity, Hashable {
    let id: Int
    var name: String
    var type: String
    var nickname: String?
    var code: Int?
    var level: Int
    static let schema = Schema(
      "monster", Monster.init, Column("id", \.id), Column("name", \.name, .unique), Column("type", \.type, .indexed),
      Column("nickname", \.nickname, .indexed), Column("code", \.code, .unique),
      Column("level", \.level, .default(5)))
  }

  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
  }

  private func run(_ statements: String...) throws {
    for sql in statements { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) }
  }

  @Test("is a list of differences, each with the statements that remove it")
  func list() throws {
    try run(
      "CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, old ANY, must INT NOT NULL, "
        + "filled INT NOT NULL DEFAULT 1, twice INT NOT NULL AS (id * 2), code TEXT) STRICT")
    let differences = try store.schemaDifferences(of: Monster.schema)
    let lines = differences.map { "\($0.isTolerable ? "(tolerable) " : "")\($0.summary): \($0.statements)" }
    #expect(
      lines == [
        #"column name is not unique: ["CREATE UNIQUE INDEX \"monster.name\" ON \"monster\" (\"name\")"]"#,
        #"(tolerable) column type has no index: ["CREATE INDEX \"monster.type\" ON \"monster\" (\"type\")"]"#,
        #"column nickname is missing: ["ALTER TABLE \"monster\" ADD COLUMN \"nickname\" TEXT", "#
          + #""CREATE INDEX \"monster.nickname\" ON \"monster\" (\"nickname\")"]"#,
        "column code stores text, not integer: []",
        #"column code is not unique: ["CREATE UNIQUE INDEX \"monster.code\" ON \"monster\" (\"code\")"]"#,
        #"column level is missing: ["ALTER TABLE \"monster\" ADD COLUMN \"level\" INTEGER NOT NULL DEFAULT 5"]"#,
        #"(tolerable) column old is not in the schema: ["ALTER TABLE \"monster\" DROP COLUMN \"old\""]"#,
        #"column must is not in the schema and may not be null: ["ALTER TABLE \"monster\" DROP COLUMN \"must\""]"#,
        #"(tolerable) column filled is not in the schema: ["ALTER TABLE \"monster\" DROP COLUMN \"filled\""]"#,
        #"(tolerable) column twice is not in the schema: ["ALTER TABLE \"monster\" DROP COLUMN \"twice\""]"#,
      ])
    #expect(differences.filter(\.deletesData).compactMap(\.column) == ["old", "must", "filled", "twice"])
    #expect(differences.allSatisfy { $0.table == "monster" })
    #expect(differences.count { $0.kind == .missingColumn } == 2)
  }

  @Test("is removed by its statements")
  func removed() throws {
    try run(
      "CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, must INT NOT NULL) STRICT")
    for sql in try store.schemaDifferences(of: Monster.schema).flatMap(\.statements) { try run(sql) }
    #expect(try store.schemaDifferences(of: Monster.schema) == [])
    let monsters = try store.sqlRepository(of: Monster.self)
    try monsters.blocking.save([Monster(id: 1, name: "a", type: "b", nickname: nil, code: 1, level: 2)])
  }

  @Test("of a missing table is the table; of one that fits it is nothing")
  func missing() throws {
    let differences = try store.schemaDifferences(of: Monster.schema)
    #expect(differences.map(\.kind) == [.missingTable])
    #expect(differences.first?.statements == SQLiteDriver.compiler.create(try Monster.schema.table()))
    #expect(try store.tableNames() == [])
    _ = try store.repository(of: Monster.self)
    #expect(try store.schemaDifferences(of: Monster.schema) == [])
  }

  @Test("of a key, a type and nulls can't be removed without a copy")
  func unremovable() throws {
    try run(
      "CREATE TABLE monster (id INTEGER, name TEXT UNIQUE, type TEXT NOT NULL, nickname TEXT NOT NULL, code INT UNIQUE, "
        + "level REAL NOT NULL, PRIMARY KEY (type)) STRICT", "CREATE INDEX i ON monster (nickname)")
    let differences = try store.schemaDifferences(of: Monster.schema)
    #expect(
      differences.map(\.summary) == [
        "column id may be null", "column name may be null", "column nickname may not be null",
        "column level stores real, not integer", "the primary key is type, not id",
      ])
    #expect(differences.allSatisfy { $0.statements.isEmpty && !$0.isTolerable })
    expectError(.schemaMismatch, "copy the table in a migration with `rebuild`") {
      try store.repository(of: Monster.self)
    }
  }

  @Test("in a column that the schema leaves out is tolerable where that may be null, or has a default")
  func unknownColumn() throws {
    let table = try TableSchema("t", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    for (column, isTolerable) in [
      ("other INT NOT NULL", false), ("other INT", true), ("other INT NOT NULL DEFAULT 1", true),
    ] {
      try run("DROP TABLE IF EXISTS t", "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column)) STRICT")
      #expect(try store.schemaDifferences(of: table).map(\.isTolerable) == [isTolerable], "\(column)")
    }
  }

  @Test("of a key of several columns is its order, too")
  func keyOrder() throws {
    try run("CREATE TABLE pair (a INT NOT NULL, b INT NOT NULL, PRIMARY KEY (b, a)) STRICT")
    let columns = [ColumnSchema("a", .integer), ColumnSchema("b", .integer)]
    let differences = try store.schemaDifferences(of: TableSchema("pair", columns: columns, primaryKey: ["a", "b"]))
    #expect(differences.map(\.summary) == ["the primary key is b, a, not a, b"])
    #expect(try store.schemaDifferences(of: TableSchema("pair", columns: columns, primaryKey: ["b", "a"])) == [])
  }

  @Test("is the error of opening, with the differences as values and the statements as its suggestion")
  func opening() throws {
    try run(
      "CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, type TEXT NOT NULL, old ANY, code INT UNIQUE, level INT NOT NULL) STRICT"
    )
    let error = #expect(throws: RepositoryError.self) { try store.repository(of: Monster.self) }
    #expect(error?.reason == "column nickname is missing")
    #expect(
      error?.suggestion == """
        add the missing parts with `adopt`, or run: ALTER TABLE "monster" ADD COLUMN "nickname" TEXT; \
        CREATE INDEX "monster.nickname" ON "monster" ("nickname")
        """)
    #expect((error?.underlying as? SchemaMismatch)?.differences.map(\.kind) == [.missingColumn])
    try run("ALTER TABLE monster ADD COLUMN must INT NOT NULL DEFAULT 1", "ALTER TABLE monster DROP COLUMN level")
    try run("ALTER TABLE monster ADD COLUMN level REAL NOT NULL DEFAULT 1")
    expectError(.schemaMismatch, "; for the rest, change the schema, or copy") {
      try store.repository(of: Monster.self)
    }
  }

  @Test("is removed automatically where that only adds something, when asked for")
  func adopted() throws {
    try run(
      "CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, type TEXT NOT NULL, old ANY) STRICT",
      "INSERT INTO monster VALUES (1, 'a', 'b', 'kept')")
    expectError(.schemaMismatch) { try store.repository(of: Monster.self) }
    expectError(.schemaMismatch) { try store.repository(of: Monster.self, adding: .indexes) }
    #expect(try store.schema(ofTable: "monster").columns.count == 4)
    _ = try store.repository(of: Monster.self, adding: .columns)
    let monsters = try store.sqlRepository(of: Monster.self)
    #expect(try monsters.blocking.find(1) == Monster(id: 1, name: "a", type: "b", nickname: nil, code: nil, level: 5))
    #expect(try store.schemaDifferences(of: Monster.schema).map(\.kind) == [.missingIndex, .unknownColumn])
    #expect(try store.adopt(Monster.schema).map(\.kind) == [.missingIndex])
    #expect(try store.adopt(Monster.schema) == [])
    #expect(try store.blocking.sql.query("SELECT old FROM monster", as: String.self) == ["kept"])
  }

  @Test("is not removed in part")
  func all() throws {
    try run("CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT UNIQUE, type TEXT NOT NULL) STRICT")
    expectError(.schemaMismatch, "column name may be null") { try store.adopt(Monster.schema) }
    try run("DROP TABLE monster")
    try run(
      "CREATE TABLE monster (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL) STRICT",
      "INSERT INTO monster VALUES (1, 'a', 'b'), (2, 'a', 'b')")
    expectError(.conflict, "another row of monster has the same name") { try store.adopt(Monster.schema) }
    #expect(try store.schema(ofTable: "monster").columns.count == 3)
  }

  @Test("of a view has no statements")
  func view() throws {
    try run(
      "CREATE TABLE a (id INTEGER PRIMARY KEY)", "CREATE VIEW monster AS SELECT id, 'x' AS name FROM a")
    let differences = try store.schemaDifferences(of: Monster.schema)
    #expect(differences.contains { $0.kind == .missingColumn })
    #expect(differences.allSatisfy { $0.statements.isEmpty })
  }

  @Test(
    "takes defaults of every kind",
    arguments: [
      (.integer, .integer(.min)), (.integer, -1), (.real, .real(.infinity)), (.real, -1.5e300), (.real, 5),
      (.text, "it's; \"x\" --"), (.text, ""), (.blob, .blob([0, 15, 255])), (.blob, .blob([])), (.any, "5"),
    ] as [(ValueType, Value)])
  func defaults(type: ValueType, value: Value) throws {
    let column = ColumnSchema("added", type, defaultValue: value)
    try run("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT", "INSERT INTO t VALUES (1)")
    let table = try TableSchema("t", columns: [ColumnSchema("id", .integer), column], primaryKey: ["id"])
    try store.adopt(Schema<Record>(table))
    let (repository, stored) = (try store.sqlRepository(Schema(table)), try column.stored(value))
    #expect(try repository.blocking.find(1)?["added"] == stored)
    // The same where the table is created.
    let other = try TableSchema("u", columns: [ColumnSchema("id", .integer), column], primaryKey: ["id"])
    _ = try store.sqlRepository(Schema(other))
    try run("INSERT INTO u (id) VALUES (1)")
    #expect(try store.sqlRepository(Schema(other)).blocking.find(1)?["added"] == stored)
  }

  @Test("a default that does not fit its column is refused")
  func unfittingDefault() {
    for value in [Value.text("x"), .real(.nan), .real(1.5)] {
      expectError(.invalidSchema, of: QueryError.self) {
        try TableSchema("t", columns: [ColumnSchema("id", .integer, defaultValue: value)], primaryKey: ["id"])
      }
    }
  }
}
