import Query
import Repository
import SQL
import SQLInspection
import SQLiteInspection
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Rows of some columns are read one at a time")
struct RowReadingTests {
  private static let rows: [[Value]] = [
    [3, 1.0, "x", .null], [1, 1, "X", "a"], [2, "1", "x", "a"], [5, .blob([0x31]), "x", "b"], [4, 1, "x", .null],
  ]

  /// A table as other programs make them: loose, without a key, and with a collation.
  private static func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute(#"CREATE TABLE t(id, v, name TEXT COLLATE NOCASE, "rowid" TEXT)"#)
      for row in rows { try connection.execute("INSERT INTO t VALUES (?, ?, ?, ?)", row) }
      try connection.execute("CREATE INDEX t_name ON t(name, v, id, \"rowid\")")
    }
    return store
  }

  private func read(
    _ fetch: FetchRequest, _ columns: [String]?, isDistinct: Bool = false, isSorted: Bool = true,
    atMost count: Int = .max
  ) throws -> [[Value]] {
    let store = try Self.store()
    let table = try store.schema(ofTable: "t")
    let names = columns ?? table.columns.map(\.name)
    let request = ProjectionRequest(names.map(ProjectedColumn.key), of: fetch, isDistinct: isDistinct)
    let repository = try store.sqlRepository(Schema(table))
    var rows: [[Value]] = []
    try repository.blocking.forEachRow(request, isSorted: isSorted) { row in
      rows.append(row)
      return rows.count < count
    }
    if isSorted, count == .max {
      let records = Self.rows.map { Record(values: $0, in: table) }
      let memory = try MemoryRepository(records, schema: Schema(table))
      #expect(rows.map(\.description) == (try memory.blocking.findRows(request)).map(\.description))
    }
    if isDistinct, fetch.limit == nil, fetch.offset == 0 {
      #expect(try repository.blocking.countRows(request) == rows.count)
    }
    return rows
  }

  @Test("in the order that is asked for")
  func sorted() throws {
    let fetch = FetchRequest(.equal(key: "name", value: "x"), sortedBy: .descending(key: "id"), limit: 2, offset: 1)
    #expect(try read(fetch, ["name", "id"]) == [["x", 4], ["x", 3]])
  }

  @Test("in the order in which they were added, whatever index the database reads")
  func stored() throws {
    #expect(try read(FetchRequest(), ["id"], isSorted: false) == [[3], [1], [2], [5], [4]])
    let fetch = FetchRequest(.equal(key: "name", value: "x"), limit: 2, offset: 1)
    #expect(try read(fetch, ["id", "rowid"], isSorted: false) == [[2, "a"], [5, "b"]])
  }

  @Test("until the caller has enough")
  func stopped() throws {
    #expect(try read(FetchRequest(), ["id"], isSorted: false, atMost: 2) == [[3], [1]])
  }

  @Test("as different ones: equal numbers are one, texts are what their bytes are")
  func distinct() throws {
    #expect(try read(FetchRequest(), ["v"], isDistinct: true) == [[1], ["1"], [.blob([0x31])]])
    #expect(try read(FetchRequest(sortedBy: .descending(key: "name")), ["name"], isDistinct: true) == [["x"], ["X"]])
    #expect(try read(FetchRequest(), ["rowid"], isDistinct: true) == [[.null], ["a"], ["b"]])
    #expect(try read(FetchRequest(limit: 1, offset: 1), ["rowid"], isDistinct: true) == [["a"]])
    #expect(try read(FetchRequest(), nil, isDistinct: true).count == 5)
  }

  @Test("up to a value that can't be read")
  func unreadable() throws {
    let store = try Self.store()
    _ = try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute("UPDATE t SET name = CAST(x'ff' AS TEXT) WHERE id = 2")
    }
    let table = try store.schema(ofTable: "t")
    let repository = try store.sqlRepository(Schema(table))
    var rows: [[Value]] = []
    let error = #expect(throws: RepositoryError.self) {
      try repository.blocking.forEachRow(ProjectionRequest([.key("id"), .key("name")]), isSorted: false) { row in
        rows.append(row)
        return true
      }
    }
    #expect(rows == [[3, "x"], [1, "X"]])
    #expect(error?.summary == "can't read row 3 of the result from t, column name")
    // A column that is not asked for is not read.
    #expect(throws: Never.self) { try repository.blocking.forEachRow(ProjectionRequest([.key("id")])) { _ in true } }
  }

  @Test("and requests that make no sense are refused before that")
  func refused() throws {
    #expect(throws: RepositoryError.self) { try read(FetchRequest(), ["nothing"]) }
    #expect(throws: RepositoryError.self) {
      try read(FetchRequest(sortedBy: .ascending(key: "id")), ["v"], isDistinct: true)
    }
  }

  @Test("Values are written as SQL that means exactly them")
  func literals() throws {
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var values: [Value] = [
      6.9, -0.001, 1e-4, 123456.789, 1e22, 1e-22, 0.1, -2.5, .real(.infinity), 1e300, "a\0\0b'", "\0",
    ]
    for _ in 0..<5_000 {
      let digits = Double(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 10...60, using: &random))
      let powers = [1.0, 10, 100, 1_000, 1e4, 1e7, 1e15, 1e22]
      values.append(.real(digits / (powers.randomElement(using: &random) ?? 1)))
    }
    let store = try SQLiteStore.inMemory()
    try store.runBlocking(.read) { connection throws(RepositoryError) in
      for value in values {
        var read: Value?
        let sql = "SELECT \(SQLiteScript.literal(value))"
        try connection.query(CompiledStatement(sql: sql, bindings: [])) { row in read = try? row.value(at: 0) }
        #expect(read?.description == value.description, "\(sql), REPOKIT_SEED=\(seed)")
      }
    }
  }
}
