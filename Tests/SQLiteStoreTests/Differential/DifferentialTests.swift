import Query
import Repository
import SQL
import SQLiteStore
import Testing

@testable import SQLiteStore

/// Asks memory and SQLite the same random questions. `REPOKIT_SEED=n swift test` replays a run, and
/// `REPOKIT_QUERIES=n` asks more.
@Suite("Random queries find the same rows in the same order in memory and in SQLite")
struct DifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
  private static let queriesEach = Int(Environment.number("REPOKIT_QUERIES") ?? 1_500)

  struct Table: Sendable, CustomTestStringConvertible {
    let name: String
    let sql: [String]
    var testDescription: String { name }
  }

  static let tables: [Table] = [
    Table(
      name: "strict",
      sql: [
        """
        CREATE TABLE "strict" ("id" INTEGER PRIMARY KEY, "int" INTEGER, "int2" INTEGER NOT NULL, "real" REAL, \
        "real2" REAL NOT NULL, "text" TEXT, "text2" TEXT NOT NULL, "blob" BLOB, "any" ANY, "any2" ANY NOT NULL) STRICT
        """
      ]),
    Table(
      name: "indexed",
      sql: [
        """
        CREATE TABLE "indexed" ("text2" TEXT NOT NULL, "int2" INTEGER NOT NULL, "int" INTEGER, "real" REAL, "text" TEXT, \
        "blob" BLOB, "any" ANY, "id" INTEGER NOT NULL, PRIMARY KEY ("text2", "int2", "id")) STRICT, WITHOUT ROWID
        """,
        #"CREATE INDEX i1 ON "indexed" ("int")"#, #"CREATE INDEX i2 ON "indexed" ("real")"#,
        #"CREATE INDEX i3 ON "indexed" ("text")"#, #"CREATE INDEX i4 ON "indexed" ("blob")"#,
        #"CREATE INDEX i5 ON "indexed" ("any")"#, #"CREATE INDEX i6 ON "indexed" ("int2" DESC)"#,
      ]),
    Table(
      name: "loose",
      sql: [
        """
        CREATE TABLE loose (id INTEGER PRIMARY KEY, int INT, "real" DOUBLE, "text" VARCHAR(20) COLLATE NOCASE, \
        "text2" TEXT COLLATE RTRIM NOT NULL, blob BLOB, "any", day DATE, flag BOOLEAN)
        """,
        "CREATE INDEX l1 ON loose (int)", #"CREATE INDEX l2 ON loose ("real")"#, #"CREATE INDEX l3 ON loose ("text")"#,
        #"CREATE INDEX l4 ON loose ("text2")"#, "CREATE INDEX l5 ON loose (day)",
      ]),
    Table(
      name: "keyless",
      sql: [#"CREATE TABLE keyless (int INT, "real" REAL, "text" TEXT COLLATE NOCASE, "any")"#]),
    Table(
      name: "view",
      sql: [
        #"CREATE TABLE base (int INT, "real" REAL, "text" TEXT COLLATE NOCASE, "any")"#,
        #"CREATE VIEW view AS SELECT int, "real", "text", "any", length("text") AS long FROM base"#,
      ]),
  ]

  private static func difference(
    _ lhs: Result<[Record], RepositoryError>, _ rhs: Result<[Record], RepositoryError>
  ) -> String {
    switch (lhs, rhs) {
    case (.failure(let error), _): "\(error)"
    case (.success(let records), .failure): "\(records.count) rows"
    case (.success(let lhs), .success(let rhs)):
      Set(lhs) == Set(rhs)
        ? "the same rows in another order: \(lhs.map(\.values))" : "\(lhs.filter { !rhs.contains($0) }.map(\.values))"
    }
  }

  @Test(arguments: tables)
  func agree(_ table: Table) throws {
    let store = try SQLiteStore.inMemory()
    try store.withConnection { connection throws(RepositoryError) in
      for sql in table.sql { try connection.execute(sql) }
    }
    var described = try store.schema(ofTable: table.name == "view" ? "base" : table.name)
    var requests = RandomRequests(random: SplitMix64(seed: Self.seed), table: described)
    let writer = try store.repository(for: Schema(described))
    let keys = described.columns.map(\.name)
    for _ in 0..<120 {
      let row = requests.row()
      try writer.save([Record(values: row, in: described, keys: keys)])
    }

    described = try store.schema(ofTable: table.name)
    requests = RandomRequests(random: requests.random, table: described)
    let sqlite = try store.repository(for: Schema(described))
    let memory = try MemoryRepository(try sqlite.findAll(FetchRequest()), schema: Schema(described))
    var answered = 0
    for number in 0..<Self.queriesEach {
      let request = requests.request()
      let expected = Result { () throws(RepositoryError) in try memory.findAll(request) }
      let found = Result { () throws(RepositoryError) in try sqlite.findAll(request) }
      switch (expected, found) {
      case (.success(let expected), .success(let found)) where expected.map(\.values) == found.map(\.values):
        answered += 1
      case (.failure(let expected), .failure(let found)) where expected.description == found.description:
        break
      default:
        // A NUL would end the report.
        let report = """
          seed \(Self.seed), table \(table.name), query \(number): \(request.query)
          sorted by \(request.sort), limit \(request.limit.map(String.init) ?? "none"), offset \(request.offset)
          \((try? Compiler(for: SQLiteDialect()).select(request.resolved(in: described)))?.description ?? "")
          in memory alone: \(Self.difference(expected, found))
          in SQLite alone: \(Self.difference(found, expected))
          """
        Issue.record(
          Comment(rawValue: report.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")))
        return
      }
    }
    // Errors are few, or nothing would be compared.
    #expect(answered > Self.queriesEach / 2, "seed \(Self.seed)")
    print("table \(table.name): \(Self.queriesEach) queries alike, \(answered) of them answered, seed \(Self.seed)")
  }
}
