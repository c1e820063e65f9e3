import Query
import Repository
import Testing

@testable import SQLiteStore

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

  @Test("tells of indexes what they are of, and what made them")
  func indexes() throws {
    let indexes = try store.definition(ofTable: "t").indexes
    let named = indexes.filter { $0.origin == .statement }
    #expect(named.map(\.name) == ["by_a", "by_b"])
    #expect(named.map(\.isUnique) == [false, true])
    #expect(named.map(\.condition) == ["b > 1", nil])
    #expect(
      named[0].terms == [
        IndexDetails.Term(column: "a", text: "a", isDescending: true, collation: nil),
        // An expression has the collation of the column in it.
        IndexDetails.Term(column: nil, text: "lower(a)", isDescending: false, collation: named[0].terms[1].collation),
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

  @Test("tells tables, views and virtual tables apart")
  func kinds() throws {
    #expect(try store.definition(ofTable: "small").isStrict)
    #expect(try store.definition(ofTable: "small").isWithoutRowNumbers)
    #expect(try store.definition(ofTable: "seen").kind == .view)
    #expect(try store.definition(ofTable: "words").kind == .virtual)
    expectError(.missingTable, "did you mean seen?") { try store.definition(ofTable: "sen") }
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
    #expect(found["seen"]?.rowCount == 2)
    #expect(found["seen"]?.byteCount == nil)
    #expect(found["broken"] == TableOverview(name: "broken", kind: .view, rowCount: nil, byteCount: nil))
    #expect(found["words"]?.kind == .virtual)
    #expect(found["words_data"]?.kind == .shadow)
    // Four indexes and the table itself, a page each.
    #expect(found["t"]?.byteCount == 5 * 4_096)
    let total = tables.compactMap(\.byteCount).reduce(0, +)
    let size = try store.sql.query(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int.self)
    // All but the page of the schema.
    #expect(total + 4_096 == size.first)
    #expect(try store.tableOverviews(measuring: false).allSatisfy { $0.rowCount == nil && $0.byteCount == nil })
  }
}
