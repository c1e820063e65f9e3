import Query
import Repository
@testable import SQLStore
@testable import SQLInspection
@testable import SQLiteInspection
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("A profile")
struct ProfileTests {
  private let store: SQLiteStore

  init() throws { store = try SQLiteStore.inMemory() }

  private func run(_ statements: String...) throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in statements { try connection.execute(sql) }
    }
  }

  private func profiles(
    _ table: String, where query: AnyQuery = .true, columns: [String]? = nil, commonCount: Int = 5
  ) throws -> [ColumnProfile] {
    var profiles: [ColumnProfile] = []
    try store.profiles(ofTable: table, where: query, columns: columns, commonCount: commonCount) { profiles.append($0) }
    return profiles
  }

  @Test("counts nulls, distinct values and their types, and finds the least, the greatest and the mean")
  func aggregate() throws {
    try run(
      "CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB) STRICT",
      "INSERT INTO t VALUES (1, 0.5, 'a', x'00'), (2, 1.5, 'bb', x''), (2, NULL, 'ééé', NULL), (NULL, 1.5, '', x'00')")
    let profiles = try profiles("t")
    #expect(profiles.map(\.column.name) == ["i", "r", "s", "b"])
    #expect(profiles.map(\.rowCount) == [4, 4, 4, 4])
    #expect(profiles.map(\.nullCount) == [1, 1, 0, 1])
    #expect(profiles.map(\.distinctCount) == [2, 2, 4, 2])
    #expect(profiles.map(\.typeCounts) == [[.integer: 3], [.real: 3], [.text: 4], [.blob: 3]])
    #expect(profiles.map(\.min) == [1, 0.5, "", .blob([])])
    #expect(profiles.map(\.max) == [2, 1.5, "ééé", .blob([0])])
    #expect(profiles[0].mean == .real(5.0 / 3))
    #expect(profiles[1].mean == .real(3.5 / 3))
    #expect(profiles[2].mean == .null)
    #expect(profiles[2].lengths == TextLengths(min: 0, max: 3, mean: 1.5))
    #expect(profiles[0].lengths == nil)
    #expect(profiles[0].common.map(\.value) == [2, 1])
    #expect(profiles[0].common.map(\.count) == [2, 1])
  }

  @Test("counts a value as often as rows have it")
  func weights() throws {
    try run("CREATE TABLE t (s TEXT, i INTEGER)", "INSERT INTO t VALUES ('a', 1), ('a', 1), ('a', 1), ('bbbbb', 5)")
    let profiles = try profiles("t")
    #expect(profiles[0].lengths == TextLengths(min: 1, max: 5, mean: 2))
    #expect(profiles[1].mean == 2)
    #expect(profiles[1].histogram?.counts.reduce(0, +) == 4)
  }

  @Test("tells apart what a loose column mixes, and takes an integer and an equal real for one value")
  func mixture() throws {
    try run(
      "CREATE TABLE t (x)",
      "INSERT INTO t VALUES (1), (1.0), ('1'), (x'31'), (NULL), (9e999), (-9e999), (2.5), (CAST(x'ff' AS TEXT))")
    let profile = try #require(try profiles("t").first)
    #expect(profile.typeCounts == [.integer: 1, .real: 4, .text: 2, .blob: 1])
    #expect(profile.distinctCount == 7)
    #expect(profile.unreadableCount == 1)
    #expect(profile.min == .real(-.infinity))
    #expect(profile.max == .blob([0x31]))
    // Both infinities have no mean.
    #expect(profile.mean == .null)
    #expect(profile.histogram?.lower == 1)
    #expect(profile.histogram?.upper == 2.5)
    #expect(profile.histogram?.counts.reduce(0, +) == 3)
  }

  @Test("finds the most common values, by value where as many rows have them, and none that only one row has")
  func common() throws {
    try run(
      "CREATE TABLE t (s TEXT, u TEXT)",
      "INSERT INTO t VALUES ('b', 1), ('a', 2), ('b', 3), ('a', 4), ('c', 5), ('d', 6), ('d', 7), ('d', 8), (NULL, 9)")
    let profiles = try profiles("t", commonCount: 3)
    #expect(profiles[0].common.map(\.value) == ["d", "a", "b"])
    #expect(profiles[0].common.map(\.count) == [3, 2, 2])
    #expect(profiles[1].common == [])
    #expect(try self.profiles("t", commonCount: 0)[0].common == [])
  }

  @Test("has the mean that the aggregates have, whatever the numbers")
  func mean() throws {
    try run("CREATE TABLE t (r REAL, n)")
    let numbers = ["0.1", "0.2", "1e308", "1e308", "-1e308", "4.9e-324", "1e16", "1", "-1e16", "0.1", "0.1", "9e18"]
    for number in numbers + numbers + numbers { try run("INSERT INTO t VALUES (\(number), \(number))") }
    let schema = Schema(try store.schema(ofTable: "t"))
    let repository = try store.sqlRepository(schema)
    let averages = try repository.blocking.aggregate(AggregateRequest([.average(key: "r"), .average(key: "n")]))[0]
      .aggregates
    #expect(try profiles("t").map(\.mean) == averages)
  }

  @Test(
    "spreads finite numbers over ranges of one width",
    arguments: [
      ("1, 2, 3, 4", 4, [1, 1, 1, 1]), ("0, 1", 2, [1, 1]),
      ("0.0, 1.0", 12, [1] + Array(repeating: 0, count: 10) + [1]),
      ("-1.7e308, 0.0, 1.7e308", 12, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      ("-9223372036854775808, 9223372036854775807", 12, [1] + Array(repeating: 0, count: 10) + [1]),
      ((1...20).map(String.init).joined(separator: ","), 10, Array(repeating: 2, count: 10)),
      ((0...25).map(String.init).joined(separator: ","), 9, Array(repeating: 3, count: 8) + [2]),
      ("0.0, 4.9e-324", 12, [2] + Array(repeating: 0, count: 11)),
      ("1, 12, 12, 12", 12, [1] + Array(repeating: 0, count: 10) + [3]),
    ] as [(String, Int, [Int])])
  func histogram(numbers: String, count: Int, counts: [Int]) throws {
    let type = numbers.contains(".") ? "REAL" : "INTEGER"
    try run("CREATE TABLE t (x \(type)) STRICT")
    for number in numbers.split(separator: ",") { try run("INSERT INTO t VALUES (\(number))") }
    let histogram = try #require(try profiles("t")[0].histogram)
    #expect(histogram.counts.count == count)
    #expect(histogram.counts == counts)
  }

  @Test("has no histogram of one number, of texts or of nothing")
  func noHistogram() throws {
    try run(
      "CREATE TABLE t (a INTEGER, b TEXT, c REAL)", "INSERT INTO t VALUES (1, 'x', 9e999), (1, 'y', -9e999)")
    #expect(try profiles("t").map { $0.histogram == nil } == [true, true, true])
  }

  @Test("is of the rows and columns that are asked for, also of none")
  func part() throws {
    try run("CREATE TABLE t (a INTEGER, b INTEGER)", "INSERT INTO t VALUES (1, 2), (2, 3), (3, 3)")
    let profile = try profiles("t", where: .greaterThan(key: "a", value: 1), columns: ["b"])
    #expect(profile.map(\.column.name) == ["b"])
    #expect(profile[0].distinctCount == 1)
    let nothing = try profiles("t", where: .false)
    #expect(nothing.map(\.rowCount) == [0, 0])
    #expect(nothing.map(\.min) == [.null, .null])
    expectError(.invalidQuery) { try profiles("t", columns: ["c"]) }
    expectError(.missingTable) { try profiles("u") }
  }

  @Test("can be had of views, virtual tables, generated columns and 1,999 columns")
  func oddTables() throws {
    try run(
      "CREATE TABLE base (a TEXT COLLATE NOCASE, twice INTEGER AS (length(a) * 2))",
      "INSERT INTO base (a) VALUES ('x'), ('X'), ('yy')",
      "CREATE VIEW seen AS SELECT a, count(*) AS n FROM base GROUP BY a",
      "CREATE VIRTUAL TABLE words USING fts5(word)", "INSERT INTO words VALUES ('one'), ('two')",
      "CREATE TABLE wide (\((0..<1_999).map { "c\($0)" }.joined(separator: ", ")))",
      "INSERT INTO wide (c1998) VALUES (7)")
    #expect(try profiles("base").map(\.distinctCount) == [3, 2])
    #expect(try profiles("seen").map(\.distinctCount) == [2, 2])
    #expect(try profiles("words")[0].max == "two")
    let wide = try profiles("wide")
    #expect(wide.count == 1_999)
    #expect(wide[1_998].max == 7)
  }
}
