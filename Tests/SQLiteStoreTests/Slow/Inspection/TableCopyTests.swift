import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteInspection
import SQLiteStore
import TestSupport
import Testing

@Suite("A table is copied into a database of another kind")
struct TableCopyTests {
  /// What rows hold in a column, and what they hold in the copy.
  static let values: [(declared: String, values: String, type: ValueType, copied: [Value])] = [
    ("", "1, 2.5", .real, [.real(1), .real(2.5)]),
    ("", "9007199254740993, 0.1 + 0.2", .text, [.text("9007199254740993"), .text("0.30000000000000004")]),
    ("DECIMAL", "1, 2", .real, [.real(1), .real(2)]),
    ("DECIMAL", "9007199254740993, 1", .integer, [.integer(9_007_199_254_740_993), .integer(1)]),
    ("DECIMAL", "9007199254740993, 1.5", .text, [.text("9007199254740993"), .text("1.5")]),
    ("", "x'00', NULL", .blob, [.blob([0]), .null]), ("", "NULL, 'a'", .text, [.null, .text("a")]),
  ]

  @Test("with values that are told from each other as before", arguments: values)
  func types(of column: (declared: String, values: String, type: ValueType, copied: [Value])) throws {
    let (store, other) = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
    try store.blocking.sql.execute(SQLStatement(verbatim: "CREATE TABLE t (x \(column.declared))"))
    for value in column.values.split(separator: ", ") {
      try store.blocking.sql.execute(SQLStatement(verbatim: "INSERT INTO t VALUES (\(value))"))
    }
    try Self.copy(store, to: other)
    let table = try other.schema(ofTable: "t")
    #expect(table.columns[0].type == column.type)
    var rows: [Value] = []
    try other.blocking.repository(Schema(table)).forEachRow(ProjectionRequest([.key("x")]), isSorted: false) {
      row in
      rows.append(row[0])
      return true
    }
    #expect(rows == column.copied)
  }

  @Test("unless bytes stand beside other values")
  func bytes() throws {
    let (store, other) = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
    try store.blocking.sql.execute("CREATE TABLE t (x)")
    try store.blocking.sql.execute("INSERT INTO t VALUES (x'00'), (1)")
    expectError(summary: "can't copy x of t") { try Self.copy(store, to: other) }
  }

  @Test("with indexes that are as unique as before")
  func uniqueIndexes() throws {
    let (store, other) = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
    try store.blocking.sql.execute("CREATE TABLE t (a TEXT NOT NULL, b TEXT NOT NULL)")
    try store.blocking.sql.execute("CREATE UNIQUE INDEX i ON t (a DESC, b)")
    try store.blocking.sql.execute("CREATE INDEX j ON t (b DESC)")
    try Self.copy(store, to: other)
    let indexes = try other.indexes(ofTable: "t")
    #expect(indexes.map(\.name) == ["i", "j"] && indexes.map(\.isUnique) == [true, false])
    #expect(indexes.map { $0.terms.map(\.isDescending) } == [[true, false], [true]])
  }

  @Test("behind those to which it refers, which may refer to themselves")
  func order() throws {
    let store = try SQLiteStore.inMemory()
    try store.blocking.sql.execute("CREATE TABLE z (id INTEGER PRIMARY KEY, up INT REFERENCES z)")
    try store.blocking.sql.execute("CREATE TABLE m (id INTEGER PRIMARY KEY, z INT REFERENCES z)")
    try store.blocking.sql.execute("CREATE TABLE a (z INT REFERENCES z, m INT REFERENCES m)")
    for form in [DatabaseCopy.Form.verbatim, .portable] {
      let copy = try DatabaseCopy(of: store, tables: [], form: form)
      #expect(copy.tables.map(\.name) == ["z", "m", "a"])
    }
  }

  private static func copy(_ store: SQLiteStore, to other: SQLiteStore) throws {
    let copy = try DatabaseCopy(of: store, tables: [], form: .portable)
    try other.blocking.transaction(.writing) { transaction in
      for table in copy.tables {
        try table.create(in: transaction)
        _ = try table.write(from: store, to: transaction) { _ in }
        _ = try table.finish(in: transaction, beside: [])
      }
    }
  }
}
