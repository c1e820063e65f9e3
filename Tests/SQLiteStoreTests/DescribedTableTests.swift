import Query
import Repository
import Testing

@testable import SQLiteStore

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
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("a", .text, loose: "VARCHAR(10)"),
        ColumnSchema("b", .real, isNullable: true, loose: "DATE"), ColumnSchema("c", .any, isNullable: true, loose: ""),
        ColumnSchema("d", .real, isNullable: true, loose: "FLOATING"),
        ColumnSchema("e", .text, isNullable: true, loose: "TEXT", collation: "NOCASE"),
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
    let records = try store.repository(for: Schema(table))
    try records.save([try Record(["a b": "x", "select": 1, "日本": 2.5], for: table)])
    #expect(try records.findAll(FetchRequest(try AnyQuery(parsing: #""a b" = 'x' and 日本 > 2"#))).count == 1)
    #expect(try store.tableNames().count == 6)
  }

  @Test("a missing table is an error that suggests the nearest one")
  func missing() throws {
    let error = #expect(throws: RepositoryError.self) { try store.schema(ofTable: "strct") }
    #expect(error?.code == .missingTable)
    #expect(error?.suggestion == "did you mean strict?")
    // SQLite takes it for the same table; a repository would keep its rows under another name in memory.
    #expect(throws: RepositoryError.self) { try store.schema(ofTable: "STRICT") }
  }

  @Test("what a loose table holds comes back as it is, and what is no text is an error that names its place")
  func looseValues() throws {
    try run(
      "INSERT INTO loose VALUES (1, 5, 'soon', x'00', 'word', 7)",
      "INSERT INTO loose VALUES (2, CAST(x'ff' AS TEXT), NULL, NULL, NULL, NULL)")
    let records = try store.repository(for: Schema(try store.schema(ofTable: "loose")))
    #expect(try records.find(1)?.values == [1, "5", "soon", .blob([0]), "word", "7"])
    let error = #expect(throws: RepositoryError.self) { try records.find(2) }
    #expect(error?.code == .unreadableRow)
    #expect(error?.summary == "row 2 of loose can't be read, column a")
  }
}
