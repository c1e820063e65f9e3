import Foundation
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Opening a database")
struct OpeningTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func code(_ path: String, mode: OpenMode = .existing) -> RepositoryError.Code? {
    #expect(throws: RepositoryError.self) { try SQLiteStore(path: path, mode: mode) }?.code
  }

  @Test("a file that does not exist is made, or an error that makes nothing")
  func missingFile() throws {
    #expect(code(folder.path("a.sqlite")) == .cannotOpen)
    #expect(code(folder.path("a.sqlite"), mode: .readOnly) == .cannotOpen)
    #expect(try folder.names == [])
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    #expect(try store.tableNames() == [])
    #expect(try folder.names.contains("a.sqlite"))
  }

  @Test("a file that is not a database is refused", arguments: [OpenMode.create, .existing, .readOnly])
  func noDatabase(mode: OpenMode) throws {
    let text = try folder.write(Array(String(repeating: "id,name\n1,Bulbasaur\n", count: 100).utf8), to: "a.csv")
    #expect(code(text, mode: mode) == .notADatabase)
    #expect(code(folder.path(""), mode: mode) == .cannotOpen)
    #expect(code("", mode: mode) == .cannotOpen)
    #expect(code("a\0b", mode: mode) == .cannotOpen)
    #expect(code(folder.path("no/such/folder.sqlite"), mode: mode) == .cannotOpen)
    #expect(try folder.names == ["a.csv"])
  }

  @Test("the error says whether there is no folder, or one that can't be written")
  func folders() throws {
    expectError(.cannotOpen, "there is no folder \(folder.path("no"))") {
      try SQLiteStore(path: folder.path("no/a.sqlite"))
    }
    // No user can make files there, not even root.
    guard FileManager.default.fileExists(atPath: "/proc/self") else { return }
    expectError(.cannotOpen, "the folder /proc/self is not writable") { try SQLiteStore(path: "/proc/self/a.sqlite") }
  }

  /// To open a pipe waits for its other end.
  @Test(
    "what is no file is refused at once",
    arguments: [OpenMode.create, .existing, .readOnly])
  func specialFiles(mode: OpenMode) throws {
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path("pipe"), folder.path(""), folder.path, "/dev/null"] {
      #expect(code(path, mode: mode) == .cannotOpen)
    }
  }

  @Test(
    "a file of the database that is no file is refused at once, also beside the file to which a link leads",
    arguments: [OpenMode.create, .existing, .readOnly], ["-journal", "-wal", "-shm"])
  func specialCompanions(mode: OpenMode, end: String) throws {
    _ = try SQLiteStore(path: folder.path("a.sqlite"), journal: .unchanged).tableNames()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a.sqlite")
    try #require(mkfifo(folder.path("a.sqlite\(end)"), 0o600) == 0)
    for name in ["a.sqlite", "link"] {
      expectError(.cannotOpen, "a.sqlite\(end) is a pipe, and SQLite would use it as a file of the database") {
        try SQLiteStore(path: folder.path(name), mode: mode)
      }
    }
    // Without locks and changes, there is no journal.
    let immutable = try SQLiteStore(path: folder.path("a.sqlite"), mode: .immutable, journal: .unchanged)
    #expect(try immutable.tableNames() == [])
  }

  @Test(
    "a name that means more in a URI is that of a file, also of one that does not change",
    arguments: ["a#b", "a?b", "a%23b"])
  func uriNames(name: String) throws {
    let table = try TableSchema("t", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let store = try SQLiteStore(path: folder.path(name), journal: .unchanged)
    let _: AnyRepository<Record> = try store.repository(Schema(table))
    let immutable = try SQLiteStore(path: folder.path(name), mode: .immutable, journal: .unchanged)
    #expect(try immutable.tableNames() == ["t"])
    #expect(try folder.names == [name])
  }

  @Test("a name that SQLite gives a meaning is the name of a file", arguments: [":memory:", "file:x?mode=memory"])
  func specialNames(name: String) {
    #expect(code(name) == .cannotOpen)
  }

  @Test(
    "a name that a file of the database beside it has is refused, and no other one",
    arguments: ["-queue", "-wal", "-shm", "-journal", "-QUEUE"])
  func companionNames(end: String) throws {
    _ = try SQLiteStore(path: folder.path("a.sqlite"), journal: .unchanged).tableNames()
    let names = try folder.names
    expectError(.cannotOpen, "a.sqlite\(end) is the name of a file of the database \(folder.path("a.sqlite"))") {
      try SQLiteStore(path: folder.path("a.sqlite\(end)"))
    }
    #expect(try folder.names == names)
    #expect(try SQLiteStore(path: folder.path("jobs\(end)"), journal: .unchanged).tableNames() == [])
  }

  @Test("a database whose texts are UTF-16 is refused")
  func utf16() throws {
    let path = folder.path("utf16.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    for sql in ["PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (a)"] { _ = try database.prepare(sql).step() }
    #expect(code(path) == .unsupported)
  }

  @Test(
    "a table that SQLite's cascades take for the row that is deleted or changed is only read",
    arguments: [
      ("CREATE TABLE old (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a ON DELETE CASCADE)", "old"),
      ("CREATE TABLE Old (k, ID INTEGER, a INTEGER REFERENCES a (id) ON DELETE SET NULL)", "old"),
      ("CREATE TABLE old (id INTEGER, a INTEGER REFERENCES a ON UPDATE CASCADE)", "old"),
      ("CREATE TABLE new (id INTEGER, a INTEGER REFERENCES a ON UPDATE CASCADE)", "new"),
      ("CREATE TABLE new (id INTEGER, a INTEGER REFERENCES a ON DELETE CASCADE)", nil),
      ("CREATE TABLE old (k INTEGER, a INTEGER REFERENCES a ON DELETE CASCADE)", nil),
      ("CREATE TABLE old (id INTEGER, a INTEGER REFERENCES a)", nil),
      ("CREATE TABLE old (id INTEGER, a INTEGER REFERENCES gone ON DELETE CASCADE)", nil),
    ])
  func mistakenCascade(definition: String, name: String?) throws {
    let path = folder.path("a.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    for sql in ["CREATE TABLE a (id INTEGER PRIMARY KEY)", definition] { _ = try database.prepare(sql).step() }
    if let name {
      expectError(.unsupported, "SQLite would delete or change the wrong rows of the table \(name)") {
        try SQLiteStore(path: path)
      }
    } else {
      #expect(try SQLiteStore(path: path).tableNames().count == 2)
    }
    #expect(try SQLiteStore(path: path, mode: .readOnly).tableNames().count == 2)
  }

  @Test("a database that is only read is not written")
  func readOnly() throws {
    let path = folder.path("a.sqlite")
    let pikachu = Pokemon(id: 25, name: "Pikachu", type: .fire, weight: 6)
    do {
      let writer = try SQLiteStore(path: path, journal: .unchanged).sqlRepository(of: Pokemon.self)
      try writer.blocking.save([pikachu])
    }
    let store = try SQLiteStore(path: path, mode: .readOnly)
    let pokedex = try store.sqlRepository(of: Pokemon.self)
    #expect(try pokedex.blocking.find(25)?.name == "Pikachu")
    let error = #expect(throws: RepositoryError.self) { try pokedex.blocking.save([pikachu]) }
    #expect(error?.code == .readOnly)
    #expect(error?.suggestion?.hasPrefix("open the database for writing") == true)
    #expect(throws: RepositoryError.self) { try store.sqlRepository(Schema(try Specimens().table)) }
  }

  /// SQLite's numbers: https://www.sqlite.org/pragma.html#pragma_synchronous
  @Test("the disk is waited for as often as was asked", arguments: [(Synchronous.normal, 1, 2), (.full, 2, 3)])
  func synchronous(synchronous: Synchronous, withLog: Int, withJournal: Int) throws {
    func setting(_ name: String, _ journal: JournalMode) throws -> Int {
      let store = try SQLiteStore(path: folder.path(name), journal: journal, synchronous: synchronous)
      return try store.runBlocking(.write) { connection throws(RepositoryError) in
        try connection.integer(CompiledStatement(sql: "PRAGMA synchronous", bindings: []))
      }
    }
    #expect(try setting("wal.sqlite", .writeAheadLog) == withLog)
    // Without a log, less than full care may damage the file when the power goes.
    #expect(try setting("rollback.sqlite", .unchanged) == withJournal)
  }

  @Test("each way of opening says how the journal is kept")
  func journal() throws {
    _ = try SQLiteStore(path: folder.path("wal.sqlite"))
    _ = try SQLiteStore(path: folder.path("rollback.sqlite"), journal: .unchanged)
    for (name, mode) in [("wal.sqlite", "wal"), ("rollback.sqlite", "delete")] {
      let statement = try RawDatabase(path: folder.path(name), mode: .existing).prepare("PRAGMA journal_mode")
      _ = try statement.step()
      #expect(try statement.value(at: 0) == .text(mode))
    }
  }
}
