import Query
import Repository
@testable import SQLStore
@testable import SQLInspection
@testable import SQLiteInspection
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("An explanation")
struct ExplanationTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
    try run(
      "CREATE TABLE pokemon (id INTEGER PRIMARY KEY, name TEXT, type TEXT, weight REAL, height REAL) STRICT",
      "CREATE TABLE loose (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE)",
      "CREATE TABLE keyed (a TEXT, b INTEGER, c INTEGER, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID",
      "CREATE VIEW heavy AS SELECT * FROM pokemon WHERE weight > 100",
      "CREATE VIRTUAL TABLE words USING fts5(word)",
      "CREATE TABLE taken (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT",
      "CREATE INDEX \"taken.a\" ON taken (b)",
      // Names are folded as SQLite does: "É" and "é" are two.
      "CREATE TABLE accents (id INTEGER PRIMARY KEY, \"É\" TEXT, b TEXT) STRICT",
      "CREATE INDEX \"ACCENTS.É\" ON accents (b)",
      "CREATE TABLE indexed (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER) STRICT",
      "CREATE INDEX \"indexed.a\" ON indexed (a)",
      "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT) STRICT",
      "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER REFERENCES artist) STRICT",
      "CREATE TABLE track (id INTEGER PRIMARY KEY, album INTEGER REFERENCES album, length INTEGER) STRICT",
      "CREATE TABLE room (id INTEGER PRIMARY KEY, house INTEGER, number INTEGER, UNIQUE (house, number)) STRICT",
      "CREATE TABLE bed (house INTEGER, number INTEGER, FOREIGN KEY (house, number) REFERENCES room (house, number)) STRICT"
    )
  }

  private func run(_ statements: String...) throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in statements { try connection.execute(sql) }
    }
  }

  @Test("tries a bounded number of sets of indexes")
  func boundedCandidates() throws {
    let names = (0..<14).map { "c\($0)" }
    let table = try TableSchema(
      "t", columns: names.map { ColumnSchema($0, .integer) }, primaryKey: [])
    let clauses = names.indices.flatMap { first in
      names.indices.dropFirst(first + 1).map { second in
        AnyQuery.equal(key: names[first], value: 1) || .equal(key: names[second], value: 2)
      }
    }
    let request = try FetchRequest(.all(of: clauses)).resolved(in: table)
    #expect(clauses.count > IndexCandidates.mostSets)
    #expect(IndexCandidates(for: request).sets.count == IndexCandidates.mostSets)
  }

  private func explain(
    _ table: String, _ query: String, sort: String = "", limit: Int? = nil
  ) throws -> Explanation {
    try store.explanation(
      of: FetchRequest(try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort), limit: limit),
      inTable: table)
  }

  static let advised: [(table: String, query: String, sort: String, limit: Int?, indexes: [String])] = [
    ("pokemon", "type = 'fire'", "", nil, [#"CREATE INDEX "pokemon.type" ON "pokemon" ("type")"#]),
    ("pokemon", "type in ('fire', 'ice')", "type", nil, [#"CREATE INDEX "pokemon.type" ON "pokemon" ("type")"#]),
    (
      "pokemon", "type = 'fire' and weight > 90", "weight", nil,
      [#"CREATE INDEX "pokemon.type.weight" ON "pokemon" ("type", "weight")"#]
    ),
    ("pokemon", "name starts with 'Cha'", "name", nil, [#"CREATE INDEX "pokemon.name" ON "pokemon" ("name")"#]),
    ("pokemon", "true", "weight", 3, [#"CREATE INDEX "pokemon.weight" ON "pokemon" ("weight")"#]),
    ("pokemon", "true", "-weight", 3, [#"CREATE INDEX "pokemon.weight" ON "pokemon" ("weight" DESC)"#]),
    (
      "pokemon", "type = 'fire' or name = 'Mew'", "", nil,
      [
        #"CREATE INDEX "pokemon.type" ON "pokemon" ("type")"#, #"CREATE INDEX "pokemon.name" ON "pokemon" ("name")"#,
      ]
    ),
    ("loose", "name = 'Mew'", "", nil, [#"CREATE INDEX "loose.name" ON "loose" ("name" COLLATE BINARY)"#]),
    ("keyed", "c = 1", "", nil, [#"CREATE INDEX "keyed.c" ON "keyed" ("c")"#]),
    ("taken", "a = 1", "", nil, [#"CREATE INDEX "taken.a.2" ON "taken" ("a")"#]),
    ("accents", "\"É\" = 'x'", "", nil, [#"CREATE INDEX "accents.É.2" ON "accents" ("É")"#]),
    (
      "indexed", "a = 1 and b = 2", "", nil, [#"CREATE INDEX "indexed.a.b" ON "indexed" ("a", "b")"#]
    ),
    // Of the tables that paths lead to, and those whose rows refer.
    (
      "track", "album.title = 'x'", "", nil,
      [#"CREATE INDEX "album.title" ON "album" ("title")"#, #"CREATE INDEX "track.album" ON "track" ("album")"#]
    ),
    (
      "track", "album.artist.name = 'x'", "", nil,
      [
        #"CREATE INDEX "artist.name" ON "artist" ("name")"#, #"CREATE INDEX "album.artist" ON "album" ("artist")"#,
        #"CREATE INDEX "track.album" ON "track" ("album")"#,
      ]
    ),
    ("artist", "no album", "", nil, [#"CREATE INDEX "album.artist" ON "album" ("artist")"#]),
    (
      "artist", "any album (title = 'x')", "", nil,
      [#"CREATE INDEX "album.artist.title" ON "album" ("artist", "title")"#]
    ),
    ("artist", "true", "count(album)", nil, [#"CREATE INDEX "album.artist" ON "album" ("artist")"#]),
    (
      "artist", "any album (any track (length > 5))", "", nil,
      [
        #"CREATE INDEX "album.artist" ON "album" ("artist")"#,
        #"CREATE INDEX "track.album.length" ON "track" ("album", "length")"#,
      ]
    ),
    ("room", "any bed", "", nil, [#"CREATE INDEX "bed.house.number" ON "bed" ("house", "number")"#]),
  ]

  @Test("names the indexes that make a better plan, which uses them", arguments: advised)
  func advice(table: String, query: String, sort: String, limit: Int?, indexes: [String]) throws {
    let explanation = try explain(table, query, sort: sort, limit: limit)
    #expect(explanation.advice?.indexes.map(\.sql) == indexes)
    // In the database itself, the index does what was promised.
    for index in explanation.advice?.indexes ?? [] { try run(index.sql) }
    let after = try explain(table, query, sort: sort, limit: limit)
    #expect(after.plan == explanation.advice?.plan)
    #expect(explanation.plan != after.plan)
  }

  static let unadvised: [(table: String, query: String, sort: String)] = [
    ("pokemon", "true", ""), ("pokemon", "id = 1", ""), ("pokemon", "name contains 'x'", ""),
    ("pokemon", "type != 'fire'", ""), ("pokemon", "name like 'c%' ignoring case", ""),
    ("pokemon", "weight = height", ""), ("keyed", "a = 'x' and b = 1", ""), ("heavy", "type = 'fire'", ""),
    ("words", "word = 'x'", ""), ("indexed", "a = 1", ""), ("pokemon", "false", ""),
  ]

  @Test("names none where none is used", arguments: unadvised)
  func silence(table: String, query: String, sort: String) throws {
    #expect(try explain(table, query, sort: sort).advice == nil)
  }

  @Test("says what is asked of SQLite, and how SQLite goes about it")
  func plan() throws {
    try run("CREATE INDEX by_type ON pokemon (type)")
    let explanation = try explain("pokemon", "type = 'fire'", sort: "name", limit: 2)
    #expect(
      explanation.sql.hasPrefix("SELECT \"id\", \"name\", \"type\", \"weight\", \"height\" FROM \"pokemon\" WHERE "))
    #expect(explanation.bindings == ["fire", 2])
    #expect(explanation.plan.indexes == ["by_type"])
    #expect(
      explanation.plan.steps.map(\.action) == [
        .search(table: "pokemon", by: .index(name: "by_type", isCovering: false), conditions: "type=?"),
        .sort(.order),
      ])
  }

  @Test("plans by what ANALYZE knows, and leaves the database as it is")
  func statistics() throws {
    try run(
      "CREATE TABLE t (a INTEGER, b INTEGER) STRICT",
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT 1, i FROM n",
      "CREATE INDEX by_a ON t (a)", "ANALYZE")
    let before = try definitions()
    let explanation = try explain("t", "a = 1 and b = 7")
    #expect(explanation.advice != nil)
    #expect(try definitions() == before)
  }

  private func definitions() throws -> [String] {
    try store.blocking.sql.query("SELECT name || coalesce(sql, '') FROM sqlite_schema", as: String.self)
  }

  @Test("is refused for what is refused when it is asked")
  func refusals() {
    expectError(.missingTable) { try explain("pokemn", "true") }
    expectError(.invalidQuery) { try explain("pokemon", "weigt = 1") }
    expectError(.invalidQuery) { try explain("pokemon", "weight = 'x'") }
  }
}

@Suite("A step of a plan is read from SQLite's words")
struct PlanReaderTests {
  private let reader = PlanReader(
    tables: ["pokemon", "a", "a USING INDEX b", "odd name", "x VIRTUAL TABLE"],
    indexes: ["pokemon.type1", "i (x)", "i", "odd index"])

  static let cases: [(String, PlanAction)] = [
    ("SCAN pokemon", .scan(table: "pokemon", by: .rows)),
    ("SCAN TABLE pokemon", .scan(table: "pokemon", by: .rows)),
    (
      "SCAN pokemon USING COVERING INDEX pokemon.type1",
      .scan(table: "pokemon", by: .index(name: "pokemon.type1", isCovering: true))
    ),
    ("SCAN pokemon USING INDEX i", .scan(table: "pokemon", by: .index(name: "i", isCovering: false))),
    (
      "SEARCH pokemon USING INDEX pokemon.type1 (type1=? AND weight>?)",
      .search(
        table: "pokemon", by: .index(name: "pokemon.type1", isCovering: false), conditions: "type1=? AND weight>?")
    ),
    (
      "SEARCH odd name USING INDEX i (x) (a=?)",
      .search(table: "odd name", by: .index(name: "i (x)", isCovering: false), conditions: "a=?")
    ),
    (
      "SEARCH odd name USING INDEX i (x=?)",
      .search(table: "odd name", by: .index(name: "i", isCovering: false), conditions: "x=?")
    ),
    (
      "SEARCH pokemon USING INTEGER PRIMARY KEY (rowid=?)",
      .search(table: "pokemon", by: .primaryKey, conditions: "rowid=?")
    ),
    ("SEARCH a USING PRIMARY KEY (k=?)", .search(table: "a", by: .primaryKey, conditions: "k=?")),
    (
      "SEARCH a USING AUTOMATIC COVERING INDEX (k=?)", .search(table: "a", by: .automaticIndex, conditions: "k=?")
    ),
    (
      "SEARCH a USING AUTOMATIC PARTIAL COVERING INDEX (k=?)",
      .search(table: "a", by: .automaticIndex, conditions: "k=?")
    ),
    // Two tables could be meant; the one whose name is the longest that fits is.
    ("SCAN a USING INDEX b", .scan(table: "a USING INDEX b", by: .rows)),
    ("SCAN a USING INDEX i", .scan(table: "a", by: .index(name: "i", isCovering: false))),
    ("SCAN temp.json_each VIRTUAL TABLE INDEX 1:", .scan(table: "temp.json_each", by: .virtualTable)),
    ("SCAN x VIRTUAL TABLE VIRTUAL TABLE INDEX 0:", .scan(table: "x VIRTUAL TABLE", by: .virtualTable)),
    ("SCAN unknown USING INDEX new (q)", .scan(table: "unknown", by: .index(name: "new", isCovering: false))),
    ("USE TEMP B-TREE FOR ORDER BY", .sort(.order)),
    ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .sort(.restOfOrder)),
    ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", .sort(.restOfOrder)),
    ("USE TEMP B-TREE FOR GROUP BY", .sort(.group)),
    ("USE TEMP B-TREE FOR DISTINCT", .sort(.distinct)),
    ("MULTI-INDEX OR", .multipleIndexes),
    ("INDEX 1", .other),
    ("CO-ROUTINE v", .other),
    ("something that a later version says", .other),
    ("", .other),
  ]

  @Test(arguments: cases)
  func action(detail: String, action: PlanAction) {
    #expect(reader.action(detail) == action)
  }

  @Test("and stands below the one that it is a part of")
  func depths() {
    let plan = reader.plan([(1, 0, "MULTI-INDEX OR"), (2, 1, "INDEX 1"), (5, 2, "SCAN a"), (9, 0, "SCAN pokemon")])
    #expect(plan.steps.map(\.depth) == [0, 1, 2, 0])
  }
}
