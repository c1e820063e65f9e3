import Query
import Repository
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Tables of other programs can be read and queried")
struct OtherProgramsTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
  }

  struct Table: CustomTestStringConvertible {
    let name: String
    let statements: [String]
    let columns: [String]
    let key: [String]
    let rows: [[Value]]
    /// Queries, and how many rows they find.
    let counts: [(String, Int)]
    var testDescription: String { name }
  }

  static let tables: [Table] = [
    // A text stays one beside a column of numbers that may hold texts, too, also behind one that spells no number.
    Table(
      name: "loose",
      statements: [
        "CREATE TABLE loose (id INTEGER PRIMARY KEY, n INTEGER)", "INSERT INTO loose VALUES (1, 5), (2, 'x')",
      ],
      columns: ["id", "n"], key: ["id"], rows: [[1, 5], [2, "x"]],
      counts: [
        ("n = 'x'", 1), ("n = '5'", 0), ("n < 'x'", 1), ("n = '2024-01-01'", 0), ("n in ('a', 'x')", 1), ("n = 5", 1),
        ("n < '5'", 1), ("n in ('5', 'x')", 1), ("not n = '5'", 2),
      ]),
    Table(
      name: "words",
      statements: [
        "CREATE VIRTUAL TABLE words USING fts5(title, body)", "INSERT INTO words VALUES ('b', 'fire'), ('a', 'water')",
      ],
      columns: ["title", "body"], key: [], rows: [["a", "water"], ["b", "fire"]],
      counts: [("title = 'a'", 1), ("body contains 'ir'", 1), ("title > 'A'", 2)]),
    Table(
      name: "places",
      statements: [
        "CREATE VIRTUAL TABLE places USING rtree(id, low, high, +note)", "INSERT INTO places VALUES (7, 1.5, 2.5, 'x')",
      ],
      columns: ["id", "low", "high", "note"], key: [], rows: [[7, 1.5, 2.5, "x"]],
      counts: [("low < 2", 1), ("id = 7", 1), ("note = 'x'", 1)]),
    Table(
      name: "generated",
      statements: [
        "CREATE TABLE generated (id INTEGER PRIMARY KEY, a INT, twice INT AS (a * 2), thrice INT AS (a * 3) STORED)",
        "INSERT INTO generated VALUES (1, 2), (2, NULL)",
      ],
      columns: ["id", "a", "twice", "thrice"], key: ["id"], rows: [[1, 2, 4, 6], [2, .null, .null, .null]],
      counts: [("twice = 4", 1), ("thrice is null", 1)]),
    Table(
      name: "nulls",
      statements: [
        "CREATE TABLE nulls (code TEXT PRIMARY KEY, n INT)", "INSERT INTO nulls VALUES (NULL, 1), (NULL, 2), ('a', 3)",
      ],
      columns: ["code", "n"], key: [], rows: [[.null, 1], [.null, 2], ["a", 3]],
      counts: [("code is null", 2), ("code = 'a'", 1)]),
    Table(
      name: "pairs",
      statements: [
        "CREATE TABLE pairs (a TEXT, b INT, note, PRIMARY KEY (b, a)) WITHOUT ROWID",
        "INSERT INTO pairs VALUES ('x', 2, 1.0), ('y', 1, '1')",
      ],
      columns: ["a", "b", "note"], key: ["b", "a"], rows: [["y", 1, "1"], ["x", 2, 1.0]],
      counts: [("note = 1", 1), ("note = '1'", 1), ("a = 'X'", 0)]),
    Table(
      name: "twins",
      statements: [
        "CREATE TABLE one (a, É)", "INSERT INTO one VALUES (1, 2)",
        #"CREATE VIEW twins AS SELECT a, a, É, É AS é, upper('x') FROM one"#,
      ],
      columns: ["a", "a:1", "É", "é", "upper('x')"], key: [], rows: [[1, 1, 2, 2, "X"]],
      counts: [(#""a:1" = 1"#, 1), (#""upper('x')" = 'X'"#, 1), ("é = 2", 1)]),
    Table(
      name: "Robert'); DROP TABLE one;--",
      statements: [
        #"CREATE TABLE "Robert'); DROP TABLE one;--" ("rowid" TEXT, "a""b" INT, " " INT, "ORDER" INT)"#,
        #"INSERT INTO "Robert'); DROP TABLE one;--" VALUES ('x', 1, 2, 3)"#,
      ],
      columns: ["rowid", "a\"b", " ", "ORDER"], key: [], rows: [["x", 1, 2, 3]],
      counts: [("rowid = 'x'", 1), (#""ORDER" = 3"#, 1), (#"" " = 2"#, 1)]),
    Table(
      name: "collated",
      statements: [
        "CREATE TABLE collated (id INTEGER PRIMARY KEY, a TEXT COLLATE RTRIM UNIQUE, b TEXT COLLATE NOCASE)",
        "CREATE INDEX by_b ON collated (b)", "INSERT INTO collated VALUES (1, 'x', 'A'), (2, 'y ', 'a')",
      ],
      columns: ["id", "a", "b"], key: ["id"], rows: [[1, "x", "A"], [2, "y ", "a"]],
      counts: [("a = 'x '", 0), ("a = 'y '", 1), ("b = 'A'", 1), ("b in ('a', 'A')", 2), ("b >= 'a'", 1)]),
    Table(
      name: "moment",
      statements: [
        "CREATE TABLE moment (at DATETIME DEFAULT CURRENT_TIMESTAMP, flag BOOLEAN, price DECIMAL(10, 2), big UNSIGNED BIG INT, js JSON)",
        #"INSERT INTO moment VALUES ('2020', TRUE, '1.50', 9223372036854775807, '{"a":1}')"#,
      ],
      columns: ["at", "flag", "price", "big", "js"], key: [], rows: [[2020, 1, 1.5, .integer(.max), "{\"a\":1}"]],
      counts: [("flag = true", 1), ("price = 1.5", 1), ("big > 9223372036854775806", 1), ("at = '2020'", 0)]),
  ]

  @Test("whatever they are", arguments: tables)
  func reading(table: Table) async throws {
    for sql in table.statements { try await store.sql.execute(SQLStatement(verbatim: sql)) }
    let schema = try store.schema(ofTable: table.name)
    #expect(schema.columns.map(\.name) == table.columns)
    #expect(schema.primaryKeyColumns.map(\.name) == table.key)
    let records = try store.sqlRepository(Schema(schema))
    let found = try await records.findAll(FetchRequest())
    #expect(found.map(\.values) == table.rows)
    let memory = try MemoryRepository(schema: Schema(schema))
    try await memory.save(found)
    for (text, count) in table.counts {
      let query = try AnyQuery(parsing: text)
      #expect(try await records.count(query) == count, "\(text)")
      #expect(try await memory.count(query) == count, "\(text)")
    }
  }

  @Test("a collation that only the other program knows takes no part")
  func unknownCollation() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    runAsOtherProgram(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE)", "INSERT INTO t VALUES (1, 'b'), (2, 'A')",
      "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'SWISS')", on: path)
    let store = try SQLiteStore(path: path, journal: .unchanged)
    let records = try store.sqlRepository(Schema(try store.schema(ofTable: "t")))
    #expect(
      try records.blocking.findAll(FetchRequest(sortedBy: .ascending(key: "a"))).map(\.values) == [
        [2, "A"], [1, "b"],
      ])
    #expect(try records.blocking.count(.equal(key: "a", value: "a")) == 0)
    #expect(try records.blocking.count(.greaterThan(key: "a", value: "B")) == 1)
  }

  struct Species: Entity {
    let id: String
    let number: Int
    let note: String?
    static let schema = Schema(
      "species", Species.init, Column("id", \.id), Column("number", \.number), Column("note", \.note))
  }

  @Test(
    "a value of an unexpected kind is an error that names table, column and row, and no value",
    arguments: [
      ("id TEXT NOT NULL PRIMARY KEY", "can't read row 2 of the result from species, column number"),
      ("id TEXT NOT NULL PRIMARY KEY, extra", "can't read row 2 of the result from species, column number"),
    ])
  func unexpectedKind(key: String, summary: String) async throws {
    let options = key.hasSuffix("extra") ? "" : " WITHOUT ROWID"
    try await store.sql.execute(
      SQLStatement(verbatim: "CREATE TABLE species (\(key), number INT NOT NULL, note TEXT)\(options)"))
    try await store.sql.execute(
      "INSERT INTO species (id, number, note) VALUES ('a', 1, NULL), ('secret', 'hidden', 'x')")
    let species = try store.repository(of: Species.self)
    for attempt in [FetchRequest(), FetchRequest(sortedBy: .ascending(key: "note"))] {
      let error = await #expect(throws: RepositoryError.self) { try await species.findAll(attempt) }
      #expect(error?.code == .unreadableRow)
      #expect(error?.summary == summary)
      #expect(error.map { "\($0)".contains("secret") || "\($0)".contains("hidden") } == false)
    }
    #expect(try await species.findAll(FetchRequest(limit: 1)).map(\.id) == ["a"])
    await expectError(summary: "can't read row 1 of the result from species, column number") {
      try await store.sql.query("SELECT * FROM species ORDER BY id DESC", as: Species.self)
    }
  }

  @Test("in a table without a key, the place in the result is the row's name")
  func keyless() throws {
    let raw = try AnyQuery(parsing: "n > 0")
    try store.blocking.sql.execute("CREATE TABLE log (n INT, line TEXT)")
    try store.blocking.sql.execute("INSERT INTO log VALUES (2, CAST(x'ff' AS TEXT)), (1, 'a'), (0, 'b')")
    let records = try store.sqlRepository(Schema(try store.schema(ofTable: "log")))
    expectError(summary: "can't read row 2 of the result from log, column line") {
      try records.blocking.findAll(FetchRequest(raw))
    }
  }
}
