import Foundation
import Query
import Repository
import Synchronization
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("The problems of a database")
struct IntegrityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A database that another program made.
  private func store(_ statements: String...) throws -> SQLiteStore {
    let path = folder.path("a.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    for sql in statements { _ = try database.prepare(sql).step() }
    return try SQLiteStore(path: path)
  }

  @Test("is nothing where all is well")
  func whole() async throws {
    let store = try store("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (1, 'x')")
    #expect(try await store.integrityCheck() == [])
    #expect(try await SQLiteStore.inMemory().integrityCheck() == [])
  }

  @Test("a row that refers to one that is not there")
  func brokenReference() async throws {
    let store = try store(
      "CREATE TABLE trainer (id INTEGER PRIMARY KEY)",
      "CREATE TABLE pokemon (id INTEGER PRIMARY KEY, trainer REFERENCES trainer)",
      "INSERT INTO trainer VALUES (1)", "INSERT INTO pokemon VALUES (1, 1), (2, 7), (3, 8)")
    let problems = try await store.integrityCheck()
    #expect(problems.map(\.kind) == [.brokenReference])
    #expect(problems.map(\.description) == ["pokemon: 2 rows refer to missing rows of trainer"])
  }

  @Test("a foreign key that no table could keep, beside others")
  func impossibleReference() async throws {
    let store = try store(
      "CREATE TABLE trainer (id INTEGER PRIMARY KEY, name TEXT)",
      "CREATE UNIQUE INDEX some ON trainer (name) WHERE name > 'm'",
      "CREATE TABLE a (name TEXT REFERENCES trainer (name))", "CREATE TABLE b (trainer REFERENCES trainer)",
      "INSERT INTO a VALUES ('x')", "INSERT INTO b VALUES (7)", "CREATE TABLE c (x REFERENCES gone)",
      "INSERT INTO c VALUES (1)")
    let problems = try await store.integrityCheck()
    #expect(
      problems.map(\.description) == [
        "a: the reference of name is broken: name of trainer is not unique",
        "b: 1 row refers to missing rows of trainer",
        "c: the reference of x is broken: there is no table gone",
      ])
  }

  @Test("a column whose UUIDs or dates are written in several ways, until the statements that it tells are run")
  func mixedForms() async throws {
    let store = try store(
      "CREATE TABLE event (id TEXT, created TEXT, note TEXT)",
      "INSERT INTO event VALUES ('e621e1f8-c36c-495a-93fc-000c247a3e6e', '2024-01-02 23:00:00.000', 'a')",
      "INSERT INTO event VALUES ('F621E1F8-C36C-495A-93FC-000C247A3E6E', '2024-01-02T23:00:00Z', '2024-01-02')")
    let problems = try await store.integrityCheck()
    #expect(problems.map(\.kind) == [.mixedForms, .mixedForms])
    let summary = try #require(problems.last?.summary)
    #expect(
      summary.hasPrefix(
        "column created contains dates in forms that don't compare with each other, by rows: a date with another number of "
          + "fraction digits in 1, a date without `T` or time zone in 1; convert the column: UPDATE \"event\""))
    for statement in problems.flatMap({
      $0.summary.components(separatedBy: "convert the column: ").last?.components(separatedBy: "; ") ?? []
    }) {
      try await store.sql.execute(SQLStatement(verbatim: statement))
    }
    #expect(try await store.integrityCheck() == [])
  }

  @Test("Columns in one other form are no problem, and are told of beside")
  func otherForms() throws {
    let store = try store(
      "CREATE TABLE event (id TEXT, created TEXT, hash TEXT, day TEXT, number INTEGER)",
      """
      INSERT INTO event VALUES ('E621E1F8-C36C-495A-93FC-000C247A3E6E', '2024-01-02 23:00:00.000', \
      '0123456789abcdef0123456789abcdef', '2024-01-02', 7)
      """)
    let report = try store.integrityReport()
    #expect(report.problems == [])
    #expect(
      report.notes.map { $0.summary.components(separatedBy: ";")[0] } == [
        "column id contains UUIDs in a form that the library does not read as such: a UUID in capital letters",
        "column created contains dates in a form that the library does not read as such: a date without `T` or time zone",
      ])
  }

  @Test(
    "A few rows of a column of UUIDs or dates that hold something else are named beside, by their number",
    arguments: [
      ("id INTEGER PRIMARY KEY", "row 7"), ("id INTEGER", "row 2 of the table"),
      ("id TEXT PRIMARY KEY", "row 2 of the table"),
    ])
  func unknownForms(key: String, row: String) throws {
    let rows = [3, 7, 8, 9, 10].map { number in
      let values = number == 7 ? "'yesterday', ''" : "'2024-01-0\(number % 9 + 1) 23:00', '{\(Self.uuid)}'"
      return "(\(number), \(values), 'a', 1)"
    }
    let store = try store(
      "CREATE TABLE event (\(key), created TEXT, tag TEXT, note TEXT, number INTEGER)",
      "INSERT INTO event VALUES \(rows.joined(separator: ", "))")
    let report = try store.integrityReport()
    #expect(report.problems == [])
    #expect(
      report.notes.map { $0.summary.components(separatedBy: ";")[0] } == [
        "column created contains dates and other values in \(row)",
        "column created contains dates in a form that the library does not read as such: a date without seconds, or with `t`, `z`, `UTC` "
          + "or `GMT`",
        "column tag contains UUIDs and other values in \(row)",
        "column tag contains UUIDs in a form that the library does not read as such: a UUID in braces or as a URN",
      ])
  }

  @Test(
    "A column in another form is to be converted in a table as the library makes it, and another program may read no other form",
    arguments: [
      ("", "; the library writes e621e1f8-c36c-495a-93fc-000c247a3e6e"),
      (" STRICT", "; convert the column: UPDATE \"event\" SET \"id\" = lower(\"id\")"),
    ])
  func advice(suffix: String, advice: String) throws {
    let store = try store(
      "CREATE TABLE event (id TEXT)\(suffix)", "INSERT INTO event VALUES ('E621E1F8-C36C-495A-93FC-000C247A3E6E')")
    let notes = try store.integrityReport().notes
    #expect(notes.count == 1 && notes.first?.summary.contains(advice) == true, "\(notes)")
  }

  @Test("The first rows with texts that are not UTF-8 are named")
  func invalidTexts() async throws {
    let rows = (1...5).map { "(\($0 * 10), CAST(x'ff' AS TEXT))" }.joined(separator: ", ")
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (1, 'a'), \(rows)")
    #expect(
      try await store.integrityCheck().map(\.description) == [
        "t: 5 values of column name are not valid UTF-8, in row 10, row 20, row 30 and 2 more"
      ])
  }

  private static let uuid = "e621e1f8-c36c-495a-93fc-000c247a3e6e"

  @Test("A column of texts with a date among them is none of dates")
  func texts() throws {
    let store = try store(
      "CREATE TABLE event (id INTEGER PRIMARY KEY, note TEXT)",
      "INSERT INTO event VALUES (1, '2024-01-02 23:00:00'), (2, 'a'), (3, '2024-01-02 23:00:00'), (4, 'b')")
    #expect(try store.integrityReport().notes == [])
  }

  @Test("a view or a trigger that names what is gone, and none that another program could use")
  func brokenDefinition() async throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b AS (a + 1))", "CREATE VIEW v AS SELECT * FROM gone",
      "CREATE VIEW w AS SELECT own_function(a) FROM t", "CREATE VIEW x AS SELECT a FROM t",
      "CREATE TRIGGER g AFTER UPDATE OF a ON t BEGIN DELETE FROM gone; END",
      "CREATE TRIGGER i INSTEAD OF INSERT ON x BEGIN INSERT INTO t (a) VALUES (new.a); END")
    let problems = try await store.integrityCheck()
    #expect(Set(problems.map(\.kind)) == [.brokenDefinition])
    #expect(
      problems.map(\.summary) == [
        "SQLite can't use the trigger on update of t, column a: no such table: main.gone",
        "SQLite can't use the view v: no such table: main.gone",
      ])
    #expect(
      try store.integrityReport().notes.map(\.summary) == [
        "SQLite can't use the view w: no such function: own_function"
      ])
  }

  @Test("no view with a text in double quotes, which SQLite itself may take for one")
  func doubleQuotes() async throws {
    let path = folder.path("a.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    try database.setDoubleQuotedTexts(allowed: true)
    for sql in ["CREATE TABLE t (a)", "CREATE VIEW v AS SELECT \"fire\" AS type FROM t"] {
      _ = try database.prepare(sql).step()
    }
    #expect(try await SQLiteStore(path: path).integrityCheck() == [])
  }

  @Test("nothing to do with files that lie beside it")
  func strayFiles() throws {
    let path = folder.path("a.sqlite")
    #expect(LeftoverFile.all(beside: path) == [])
    let names = ["-queue", "-queue.0a1b2c3d.part", ".0A1B2C3D.part", ".0a1b2c3.part", ".notes123.part", "-wal"]
    for name in names { try folder.write([], to: "a.sqlite" + name) }
    let parts = [path + "-queue.0a1b2c3d.part", path + ".0A1B2C3D.part"]
    #expect(LeftoverFile.all(beside: path).map(\.path) == [path + "-queue"] + parts)
    #expect(LeftoverFile.all(beside: path).first?.summary.contains("in no fixed order") == true)
    try folder.write("repokit queue 1\0".utf8, to: "a.sqlite-queue")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "-queue")
    try folder.write([], to: "a.sqlite")
    #expect(LeftoverFile.all(beside: path).first?.summary.contains("does no harm") == true)
    let place = try #require(WriteQueue(ofDatabase: path).join())
    #expect(LeftoverFile.all(beside: path).map(\.path) == parts)
    withExtendedLifetime(place) {}
  }

  @Test("a text that is not UTF-8")
  func invalidText() async throws {
    let store = try store(
      "CREATE TABLE \"a \"\"b\"\"\" (id INTEGER PRIMARY KEY, name TEXT, note TEXT)",
      "INSERT INTO \"a \"\"b\"\"\" VALUES (1, CAST(x'ff' AS TEXT), 'x'), (2, CAST(x'c341' AS TEXT), 'y'), (3, 'z', x'ff')"
    )
    let problems = try await store.integrityCheck()
    #expect(problems.map(\.kind) == [.invalidText])
    #expect(problems.map(\.table) == ["a \"b\""])
    #expect(problems.map(\.summary) == ["2 values of column name are not valid UTF-8, in row 1, row 2"])
  }

  @Test("a row that breaks a check, also where the file is opened to be read alone, and which is not written then")
  func brokenCheck() async throws {
    for log in [false, true] {
      let path = folder.path("\(log).sqlite")
      let database = try RawDatabase(path: path, mode: .create)
      if log { _ = try database.prepare("PRAGMA journal_mode = WAL").step() }
      for sql in [
        "PRAGMA ignore_check_constraints = ON", "CREATE TABLE t (a INTEGER CHECK (a > 0))",
        "INSERT INTO t VALUES (1), (-1), (-2)",
      ] { _ = try database.prepare(sql).step() }
      let files = try folder.names
      let bytes = try Data(contentsOf: URL(filePath: path))
      let store = try SQLiteStore(path: path, mode: .readOnly, journal: .unchanged)
      let problems = try await store.integrityCheck()
      #expect(problems.map(\.kind) == [.brokenRule, .brokenRule])
      #expect(Set(problems.map(\.summary)) == ["CHECK constraint failed in t"])
      #expect(try folder.names == files && Data(contentsOf: URL(filePath: path)) == bytes)
      withExtendedLifetime(database) {}
    }
  }

  @Test("each problem of the report is one")
  func report() {
    #expect(SQLiteCatalog.problems(reported: "ok") == [])
    let problems = SQLiteCatalog.problems(reported: "*** in database main ***\nTree 2: a\nPage 3: never used")
    #expect(problems.map(\.summary) == ["Tree 2: a", "Page 3: never used"])
    #expect(Set(problems.map(\.kind)) == [.damage])
  }

  /// The first words are SQLite's, the rest names that anybody may give: https://www.sqlite.org/src/file/src/pragma.c
  @Test(
    "a line of the report is about a rule or about damage by its first words alone",
    arguments: [
      ("NULL value in t.c", .brokenRule), ("NUMERIC value in t.c", .brokenRule), ("TEXT value in t.c", .brokenRule),
      ("non-INT value in t.c", .brokenRule), ("non-INTEGER value in t.c", .brokenRule),
      ("non-REAL value in t.c", .brokenRule), ("non-BLOB value in t.c", .brokenRule),
      ("non-TEXT value in t.c", .brokenRule), ("CHECK constraint failed in t", .brokenRule),
      ("row 1 missing from index x value in y", .damage), ("wrong # of entries in index NULL value in y", .damage),
      ("non-unique entry in index x value in y", .damage), ("non-unique value in y", .damage),
      ("rowid not at end-of-record for row 1 of index TEXT value in y", .damage),
    ] as [(String, IntegrityProblem.Kind)])
  func kindOfLine(line: String, kind: IntegrityProblem.Kind) {
    #expect(SQLiteCatalog.problems(reported: line) == [IntegrityProblem(kind, line)])
  }

  @Test("a row that breaks a rule of its table")
  func brokenRule() async throws {
    runAsOtherProgram(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (1, NULL)",
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL)' WHERE name = 't'",
      on: folder.path("rule.sqlite"))
    let store = try SQLiteStore(path: folder.path("rule.sqlite"), mode: .readOnly)
    #expect(try await store.integrityCheck().map(\.kind) == [.brokenRule])
  }

  @Test("what else there is beside a row that breaks a rule")
  func severalKinds() async throws {
    let store = try store(
      "PRAGMA ignore_check_constraints = ON", "CREATE TABLE t (a INTEGER CHECK (a > 0), b TEXT)",
      "INSERT INTO t VALUES (-1, CAST(x'ff' AS TEXT))", "CREATE VIEW v AS SELECT * FROM gone")
    #expect(try await store.integrityCheck().map(\.kind) == [.brokenRule, .invalidText, .brokenDefinition])
  }

  @Test("is no longer looked for once the task is cancelled, also where another connection looks at the rules")
  func cancelled() async throws {
    // Called by the check itself: a busy machine may not continue this task before the check has ended.
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    // The calls of a function since it is slow, which is not so for the writer.
    let calls = Mutex<Int?>(nil)
    func open(_ mode: OpenMode) throws -> SQLiteStore {
      try SQLiteStore(path: folder.path("slow.sqlite"), mode: mode) { connection in
        try connection.define(function: "look", isInnocuous: true) { _ in
          let isSlow = calls.withLock { calls in
            calls = calls.map { $0 + 1 }
            return calls != nil
          }
          if isSlow {
            cancel.withLock { $0?() }
            Thread.sleep(forTimeInterval: 0.005)
          }
          return .integer(1)
        }
      }
    }
    let sql = try open(.create).sql
    try await sql.execute("CREATE TABLE t (a INTEGER CHECK (look(a)))")
    for number in 0..<1_000 { try await sql.execute("INSERT INTO t VALUES (\(number))") }
    let store = try open(.readOnly)
    calls.withLock { $0 = 0 }
    let task = Task { try await store.integrityCheck() }
    cancel.withLock { $0 = { task.cancel() } }
    await expectError(.cancelled) { try await task.value }
    #expect(calls.withLock { $0 ?? 0 } < 1_000)
  }
}
