import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing
@testable import RowImport

/// Remembers what it is told, and may stop the work.
private final class Recorder: ImportObserver {
  private(set) var works: [String] = []
  private(set) var skipped: [String] = []
  /// How often the work may go on.
  var remainingUpdates = Int.max

  struct Stopped: Error {}

  func beginWork(_ work: String, total: Int?) { works.append(work) }
  func update(rows: Int?, bytes: Int) {}
  func endWork() {}
  func skipped(_ error: ImportError) { skipped.append(error.summary) }

  func checkCancellation() throws {
    remainingUpdates -= 1
    if remainingUpdates < 0 { throw Stopped() }
  }
}

@Suite("An import of rows into a table")
struct TableImportTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let recorder = Recorder()

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.inMemory()
  }

  private func run(_ text: String, _ job: TableImport.Job, format: InputFormat = .csv) throws -> ImportReport {
    let path = try folder.write(text.utf8, to: "rows")
    let input = try InputFile(opening: path, format, skipsBadRows: job.skipsBadRows, recorder)
    return try TableImport(job, of: [input], into: store, recorder).run()
  }

  private var rows: [String] {
    get throws {
      try store.blocking.sql.query("SELECT id || ' ' || coalesce(name, '-') FROM t ORDER BY id", as: String.self)
    }
  }

  @Test("makes a table, adds to it, replaces rows of it, and replaces it")
  func modes() throws {
    let made = try run("id,name\n1,a\n2,\n", .init(table: "t", key: ["id"], mode: .create))
    #expect(made.description == "imported 2 rows into t (new table: id integer, name text)")
    #expect(recorder.works == ["finding types", "importing t"])
    #expect(try rows == ["1 a", "2 -"])
    #expect(try run("name,id\nc,3\n", .init(table: "t", mode: .append)).description == "appended 1 row to t")
    let replaced = try run("id,name\n3,d\n4,e\n", .init(table: "t", mode: .upsert))
    #expect(replaced.description == "imported 2 rows into t by id: 1 new, 1 replaced")
    #expect(try rows == ["1 a", "2 -", "3 d", "4 e"])
    let anew = try run("[{\"id\":\"x\",\"name\":1}]", .init(table: "t", mode: .replace), format: .json)
    #expect(anew.description == "imported 1 row into t (new table: id text, name integer; 4 rows dropped)")
    #expect(try rows == ["x 1"])
  }

  @Test("changes nothing where it is tried alone, where a row is bad, and where it is stopped")
  func undone() throws {
    _ = try run("id,name\n1,a\n", .init(table: "t", key: ["id"], mode: .create))
    let text = "id,name\n2,b\n1,c\n"
    #expect(throws: ImportError.self) { try run(text, .init(table: "t", mode: .append)) }
    #expect(try rows == ["1 a"])
    let job = TableImport.Job(table: "t", mode: .append, isDryRun: true, skipsBadRows: true)
    let report = try run(text, job)
    #expect(report.description == "would have appended 1 row to t; repokit changed nothing")
    #expect(report.skippedRows == "would have skipped 1 bad row")
    #expect(recorder.skipped.map { $0.hasPrefix("\(folder.path("rows")), line 3: ") } == [true])
    #expect(try rows == ["1 a"])
    recorder.remainingUpdates = 2
    #expect(throws: Recorder.Stopped.self) { try run("id,name\n2,b\n3,c\n", .init(table: "t", mode: .append)) }
    #expect(try rows == ["1 a"])
  }

  /// SQLite shows the steps of a statement that was prepared before a table was replaced with what is left of that table.
  @Test("replaces a table again and again, whatever it was called for")
  func replacedAgain() throws {
    for columns in [1, 3, 1, 9, 3] {
      let names = (0..<columns).map { "column_\($0)_\(String(repeating: "n", count: 200))" }.joined(separator: ",")
      let row = (0..<columns).map { "\($0)" }.joined(separator: ",")
      for _ in 0..<5 {
        let report = try run("id,name,\(names)\n1,a,\(row)\n", .init(table: "t", key: ["id"], mode: .replace))
        #expect(report.count == 1)
      }
    }
    #expect(try rows == ["1 a"])
  }

  @Test("is undone where it is stopped at its very end")
  func undoneAtEnd() throws {
    _ = try run("id,name\n1,a\n", .init(table: "t", key: ["id"], mode: .create))
    recorder.remainingUpdates = 1_000
    _ = try run("id,name\n2,b\n", .init(table: "t", mode: .append, isDryRun: true))
    // One look more than without a commit is the one before it.
    recorder.remainingUpdates = 1_000 - recorder.remainingUpdates
    #expect(throws: Recorder.Stopped.self) { try run("id,name\n2,b\n", .init(table: "t", mode: .append)) }
    #expect(try rows == ["1 a"])
  }

  @Test("leaves bad rows out, tells of the first ten, and counts them all")
  func badRows() throws {
    _ = try run("id,name\n0,a\n", .init(table: "t", key: ["id"], mode: .create))
    let text = "id,name\n" + (1...12).map { "x\($0),b\n" }.joined() + "1,c\n2\n"
    let report = try run(text, .init(table: "t", mode: .append, skipsBadRows: true))
    #expect(report.count == 1 && report.skipped == 13 && recorder.skipped.count == 10)
    #expect(try rows == ["0 a", "1 c"])
  }

  @Test(
    "is refused where the table, the mode and the file don't go together",
    arguments: [
      ("id\n1\n", .init(table: "T", mode: .create), "the table t already exists"),
      ("id\n1\n", .init(table: "none", mode: .append), "there is no table none"),
      ("id,name\n1,a\n", .init(table: "keyless", mode: .upsert), "keyless has no primary key"),
      ("id,nam\n1,a\n", .init(table: "t", mode: .append), "no column nam in t"),
      ("name\na\n", .init(table: "t", mode: .upsert), "has no column id"),
      (
        "id,name\n1,a\n", .init(table: "partly", mode: .upsert, uniqueColumns: ["name"]),
        "several rows of partly can have the same name"
      ),
      (
        "id,name\n1,a\n", .init(table: "indexed", mode: .upsert, uniqueColumns: ["name"]),
        "several rows of indexed can have the same name"
      ),
    ] as [(String, TableImport.Job, String)])
  func refusal(text: String, job: TableImport.Job, message: String) throws {
    _ = try run("id,name\n1,a\n", .init(table: "t", key: ["id"], mode: .create))
    _ = try run("id,name\n1,a\n", .init(table: "keyless", mode: .create))
    _ = try run("id,name\n1,a\n", .init(table: "partly", mode: .create))
    _ = try run("id,name\n1,a\n", .init(table: "indexed", mode: .create))
    try store.blocking.sql.execute("CREATE UNIQUE INDEX named ON partly (name) WHERE id > 0")
    try store.blocking.sql.execute("CREATE INDEX repeated ON indexed (name)")
    let error = #expect(throws: ImportError.self) { try run(text, job) }
    #expect(error?.summary.hasSuffix(message) == true, "\(error?.summary ?? "")")
  }

  @Test("of many columns takes time that grows with their number alone")
  func wideTable() throws {
    let names = (0..<2_000).map { "c\($0)" }
    let text = [names, names.map { _ in "1" }].map { $0.joined(separator: ",") + "\n" }.joined()
    #expect(try run(text, .init(table: "wide", mode: .create)).count == 1)
    #expect(try run(text, .init(table: "wide", mode: .append)).count == 1)
  }
}

@Suite("Inputs that can be read only once")
struct CopiedInputTests {
  private let recorder = Recorder()

  /// Imports from a pipe into which another thread writes until the pipe is closed.
  private func copy(
    _ text: String, isEndless: Bool = false, format: InputFormat = .csv, room: @escaping (Int32) -> Int = { _ in .max }
  ) throws -> InputFile {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (source, target) = (ends[0], ends[1])
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      let bytes = Array(text.utf8)
      repeat {} while write(target, bytes, bytes.count) == bytes.count && isEndless
      close(target)
    }
    defer { close(source) }
    return try InputFile(copying: source, name: "pipe", format: format, skipsBadRows: false, recorder, room: room)
  }

  @Test("is copied, and read as often as need be")
  func copy() throws {
    let input = try copy("id,name\n1,a\n")
    #expect(input.size == 12 && recorder.works == ["reading pipe"])
    for _ in 0..<2 {
      let reader = try input.reader(RecordNames())
      #expect(try reader.next() && reader.field(at: 1).text == "a")
      #expect(try !reader.next())
    }
  }

  @Test("is copied where no other user finds it")
  func copyIsOwn() throws {
    let file = try TemporaryFile { _ in .max }
    let descriptor = try file.rewound()
    defer { close(descriptor) }
    var status = stat()
    #expect(fstat(descriptor, &status) == 0 && status.st_nlink == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("is not copied to its end where it is no file of rows, or has none")
  func malformed() throws {
    let bad = #expect(throws: ImportError.self) { try copy("id,name\n1,\"a\" b\n", isEndless: true) }
    #expect(bad?.summary == "pipe, line 2, column 6: text follows a closing quote")
    let wide = #expect(throws: ImportError.self) { try copy("x,", isEndless: true) }
    #expect(wide?.summary.hasSuffix("the header has more than 32767 columns") == true)
    let list = #expect(throws: ImportError.self) { try copy("[1] ", isEndless: true, format: .json) }
    #expect(list?.summary.hasPrefix("pipe, line 1") == true)
  }

  @Test("leaves room on the disk")
  func room() throws {
    var looks = 0
    let error = #expect(throws: ImportError.self) {
      try copy("id\n", isEndless: true) { _ in
        looks += 1
        return looks == 1 ? 100_000 : 0
      }
    }
    #expect(error?.summary.hasPrefix("pipe does not fit into the temporary folder") == true)
    #expect(TemporaryFile.room(onDiskOf: 0) >= 0)
  }

  @Test("is given up where that is requested")
  func cancellation() throws {
    recorder.remainingUpdates = 10
    #expect(throws: Recorder.Stopped.self) { try copy("id\n", isEndless: true) }
  }
}
