import Query
import Repository
@testable import SQLStore
@testable import SQLInspection
@testable import SQLiteInspection
@testable import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("A definition")
struct TableDefinitionTests {
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in [
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(9) COLLATE NOCASE DEFAULT 'x''y' CHECK (a <> ''), b INT UNIQUE,
          c INT GENERATED ALWAYS AS (b * 2) VIRTUAL, d TEXT AS (a || '!') STORED, UNIQUE (a, b))
        """,
        "CREATE INDEX by_a ON t (a COLLATE BINARY DESC, lower(a)) WHERE b > 1", "CREATE UNIQUE INDEX by_b ON t (b, a)",
        "CREATE TRIGGER log AFTER INSERT ON t BEGIN SELECT 1; END",
        """
        CREATE TABLE child (p INTEGER REFERENCES t ON DELETE CASCADE ON UPDATE SET NULL, x TEXT, y INT,
          FOREIGN KEY (x, y) REFERENCES t (a, b))
        """,
        "CREATE TABLE small (k TEXT PRIMARY KEY) STRICT, WITHOUT ROWID", "CREATE VIEW seen AS SELECT a FROM t",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
      ] { try connection.execute(sql) }
    }
  }

  @Test("tells of columns what queries need not know")
  func columns() throws {
    let table = try store.definition(ofTable: "t")
    #expect(table.columns.map(\.schema.name) == ["id", "a", "b", "c", "d"])
    #expect(table.columns.map(\.declaredType) == ["INTEGER", "VARCHAR(9)", "INT", "INT", "TEXT"])
    #expect(table.columns.map(\.defaultExpression) == [nil, "'x''y'", nil, nil, nil])
    #expect(table.columns.map(\.collation) == [nil, "NOCASE", nil, nil, nil])
    #expect(table.columns.map(\.generatedBy) == [nil, nil, nil, "b * 2", "a || '!'"])
    #expect(table.columns.map(\.isStored) == [false, false, false, false, true])
    #expect(table.checks == ["a <> ''"])
    #expect(table.triggers == ["log"])
    #expect(table.statements.count == 4)
  }

  @Test("of each of many tables is read without a look at all tables for each")
  func manyTables() throws {
    let statements = Mutex<[String]>([])
    let store = try SQLiteStore.inMemory(
      observer: StatementObserver { event in statements.withLock { $0.append(event.sql) } })
    for number in 0..<20 {
      try store.blocking.sql.execute(
        SQLStatement(verbatim: "CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, t INTEGER REFERENCES T\(number / 2))"))
    }
    statements.withLock { $0 = [] }
    let definitions = try store.definitions()
    #expect(try definitions.map { try $0.result.get().references.map(\.problem) } == Array(repeating: [nil], count: 20))
    #expect(statements.withLock { $0.filter { $0.contains("pragma_table_xinfo") }.count } >= 20)
    #expect(statements.withLock { $0.filter { $0.contains("pragma_table_list") }.count } == 1)
  }

  @Test("tells of indexes what they are of, and what made them")
  func indexes() throws {
    let indexes = try store.definition(ofTable: "t").indexes
    let named = indexes.filter { $0.origin == .statement }
    #expect(named.map(\.name) == ["by_a", "by_b"])
    #expect(named.map(\.isUnique) == [false, true])
    #expect(named.map(\.condition) == ["b > 1", nil])
    #expect(
      named[0].terms == [
        IndexDescription.Term(column: "a", text: "a", isDescending: true, collation: nil),
        // An expression has the collation of the column in it.
        IndexDescription.Term(
          column: nil, text: "lower(a)", isDescending: false, collation: named[0].terms[1].collation),
      ])
    #expect(named[1].terms.map(\.collation) == [nil, "NOCASE"])
    #expect(indexes.filter { $0.origin == .uniqueRule }.map { $0.terms.map(\.text) } == [["b"], ["a", "b"]])
  }

  @Test("tells of foreign keys what becomes of their rows")
  func references() throws {
    #expect(
      try store.definition(ofTable: "child").references == [
        .init(columns: ["p"], table: "t", key: [], onDelete: "CASCADE", onUpdate: "SET NULL"),
        .init(columns: ["x", "y"], table: "t", key: ["a", "b"], onDelete: "NO ACTION", onUpdate: "NO ACTION"),
      ])
  }

  @Test(
    "of a trigger is the same for names that SQLite takes for one, and no others",
    arguments: [
      ("\"Ä\"", "\"ä\"", false), ("\"É\"", "\"E\u{301}\"", false), ("Id", "\"iD\"", true), ("[a b]", "\"A B\"", true),
    ])
  func names(left: String, right: String, areSame: Bool) {
    let (one, other) = (DefinitionText("update x set \(left) = 1"), DefinitionText("update x set \(right) = 1"))
    #expect((Name(one.normalForm) == other.normalForm) == areSame)
  }

  @Test("tells tables, views and virtual tables apart")
  func kinds() throws {
    #expect(try store.definition(ofTable: "small").isStrict)
    #expect(try store.definition(ofTable: "small").isWithoutRowid)
    #expect(try store.definition(ofTable: "seen").kind == .view)
    #expect(try store.definition(ofTable: "words").kind == .virtual)
    expectError(.missingTable, "did you mean seen?") { try store.definition(ofTable: "sen") }
  }

  @Test("of all tables are those of each, and say why there is none")
  func all() throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute("CREATE VIEW broken AS SELECT * FROM gone")
    }
    let all = try store.definitions()
    #expect(all.map(\.table) == (try store.tableNames()))
    for (table, result) in all {
      let alone = Result { () throws(RepositoryError) in try store.definition(ofTable: table) }
      #expect((try? result.get()) == (try? alone.get()))
      #expect(((try? result.get()) == nil) == (table == "broken"))
    }
  }

  @Test("of all tables come with how many rows they have, and how much room they take")
  func overviews() throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute("INSERT INTO t (a, b) VALUES ('a', 1), ('b', 2)")
      try connection.execute("CREATE VIEW broken AS SELECT * FROM gone")
    }
    let tables = try store.tableOverviews()
    let found = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    #expect(tables.map(\.name) == tables.map(\.name).sorted())
    #expect(found["t"]?.rowCount == 2)
    #expect(found["seen"]?.rowCount == nil)
    #expect(try store.tableOverviews(countingViews: true).first { $0.name == "seen" }?.rowCount == 2)
    #expect(found["seen"]?.byteCount == nil)
    #expect(found["broken"] == TableOverview(name: "broken", kind: .view, rowCount: .notWanted, byteCount: nil))
    #expect(found["words"]?.kind == .virtual)
    #expect(found["words_data"]?.kind == .shadow)
    // Four indexes and the table itself, a page each.
    #expect(found["t"]?.byteCount == 5 * 4_096)
    let total = tables.compactMap(\.byteCount).reduce(0, +)
    let size = try store.blocking.sql.query(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int.self)
    // All but the page of the schema.
    #expect(total + 4_096 == size.first)
    #expect(try store.tableOverviews(measuring: false).allSatisfy { $0.rowCount == nil && $0.byteCount == nil })
  }
}

@Suite("Definitions that SQLite stores only as SQL are read from the SQL")
struct DefinitionTextTests {
  @Test(
    "the checks of a table",
    arguments: [
      ("create table t(a)", []), ("create table t(a check (a > 0))", ["a > 0"]),
      ("create table t(a CHECK(a in (1, 2)), check ( a <> ')' ))", ["a in (1, 2)", "a <> ')'"]),
      ("create table t(a constraint c check (a > 0) not null, b check(b))", ["a > 0", "b"]),
      ("create table \"check (x)\"(a, [check (y)] int, `check`)", []),
      ("create table t(a default 'check (1)' /* check (2) */, -- check (3)\n check (4))", ["4"]),
      ("create table t(a check (case when a then check_ else 1 end))", ["case when a then check_ else 1 end"]),
      ("create table t(a check (a", []), ("", []), ("'", []), ("create table t(a check", []), ("((((", []), (")))", []),
    ] as [(String, [String])])
  func checks(sql: String, checks: [String]) {
    #expect(DefinitionText(sql).checks == checks)
  }

  @Test(
    "how columns are worked out",
    arguments: [
      ("create table t(a, b as (a + 1))", ["a + 1"]),
      ("create table t(a int generated always as (1), b text AS (lower(c)) stored, c)", ["1", "lower(c)"]),
      ("create table t(a check (cast(a as int) > 0))", []), ("create table t(\"as\" int, 'as' (1))", []),
    ] as [(String, [String])])
  func generated(sql: String, expressions: [String]) {
    #expect(DefinitionText(sql).generated == expressions)
  }

  @Test(
    "what an index is of, and of which rows",
    arguments: [
      ("create index i on t(a)", ["a"], nil), ("create index i on t (a desc, b collate nocase asc)", ["a", "b"], nil),
      (
        "create index i on t (lower(a), a + (b, c)) where a > 1 and b = 'where'", ["lower(a)", "a + (b, c)"],
        "a > 1 and b = 'where'"
      ),
      ("create index \"i (x) where\" on t (\"a\"\"b\" DESC) WHERE x", ["\"a\"\"b\""], "x"),
      ("create index i on t", [], nil),
      ("create index i on t (a", [], nil), ("create index i on t () where", [""], nil),
    ] as [(String, [String], String?)])
  func index(sql: String, terms: [String], condition: String?) {
    let text = DefinitionText(sql)
    #expect(text.indexTerms == terms)
    #expect(text.condition == condition)
  }
}

@Suite("Indexes")
struct IndexTests {
  private func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    for sql in [
      "CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER UNIQUE, c, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "CREATE INDEX part ON t (c, lower(a)) WHERE c > 1", "INSERT INTO t VALUES ('x', 1, 5), ('y', 2, 5), ('z', 3, 6)",
    ] { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) }
    return store
  }

  @Test("are described as they are")
  func description() throws {
    let indexes = try store().indexes(ofTable: "t")
    #expect(indexes.map(\.name) == ["part", "sqlite_autoindex_t_1", "sqlite_autoindex_t_2"])
    #expect(indexes.map(\.columns) == [["c", nil], ["b"], ["a", "b"]])
    #expect(indexes.map(\.isUnique) == [false, true, true])
    #expect(indexes.map(\.condition) == ["c > 1", nil, nil])
    #expect(indexes.map(\.origin) == [.statement, .uniqueRule, .primaryKey])
    #expect(indexes.map(\.isDroppable) == [true, false, false])
    #expect(throws: RepositoryError.self) { try store().indexes(ofTable: "u") }
  }

  @Test("are created and dropped in a transaction")
  func changes() throws {
    let store = try store()
    let table = try store.schema(ofTable: "t")
    #expect(store.indexName(of: ["c", "b"], in: "t") == "t.c.b")
    try store.blocking.transaction(.writing) { transaction in
      try transaction.createIndex("t.c.b", on: [("c", false), ("b", false)], of: table, isUnique: true)
      try transaction.dropIndex("part")
    }
    #expect(try store.indexes().filter(\.isDroppable).map(\.name) == ["t.c.b"])
    expectError(.conflict) {
      try store.blocking.transaction(.writing) {
        try $0.createIndex("t.c", on: [("c", false)], of: table, isUnique: true)
      }
    }
  }

  @Test("could not be unique for values that are told, by the column's own comparison")
  func duplicates() throws {
    let store = try SQLiteStore.inMemory()
    for sql in [
      "CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER)",
      "INSERT INTO t VALUES ('x', 1), ('X', 1), ('y', 2), ('y', 2), ('y', 2), (NULL, 3), (NULL, 3), ('é', 4), ('É', 4)",
    ] { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) }
    let table = try store.schema(ofTable: "t")
    let found = try store.duplicates(of: ["a"], in: table, limit: 9)
    #expect(found.map(\.count) == [3, 2])
    #expect(found.first?.values == [.text("y")])
    #expect(try store.duplicates(of: ["a"], in: table, limit: 1).count == 1)
    #expect(try store.rowCount(ofTable: "t") == 9)
  }
}
