import SQLiteStore
import Testing
@testable import repokit

@Suite("Who holds a database")
struct LockHolderTests {
  /// Tries to write to a database at once, as another program, and tells why it can't.
  private static let intruder = """
    import sqlite3, sys
    database = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
    try:
        database.execute("BEGIN IMMEDIATE")
        print("came in")
    except sqlite3.OperationalError as error:
        print(error)
    """

  /// Holds a database, and looks what the tool says of that.
  private static let holder = """
    import os, sqlite3, subprocess, sys
    database = sqlite3.connect("a.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = " + sys.argv[1])
    database.execute("CREATE TABLE t (a)")
    database.execute("BEGIN IMMEDIATE")
    reply = subprocess.run([os.environ["repokit"]] + sys.argv[2:], stderr=subprocess.PIPE, text=True).stderr
    print(reply.replace(str(os.getpid()), "PID"), end="")
    """

  @Test("is found out without giving up this process's own locks", arguments: [JournalMode.unchanged, .writeAheadLog])
  func ownLocks(journal: JournalMode) async throws {
    let workshop = try Workshop()
    let path = "\(workshop.path)/a.sqlite"
    let store = try SQLiteStore(path: path, journal: journal)
    try await store.sql.execute("CREATE TABLE t (a)")
    try await store.transaction { transaction in
      try await transaction.sql.execute("INSERT INTO t VALUES (1)")
      // Nobody but this process.
      #expect(LockHolder(ofDatabase: path) == nil)
      let outcome = try await workshop.run(program: "/usr/bin/python3", ["-c", Self.intruder, path])
      #expect(outcome == Outcome(status: 0, output: "database is locked\n", messages: ""))
    }
  }

  #if os(Linux)
    @Test(
      "is told by all that changes a database",
      arguments: ["DELETE", "WAL"],
      [
        ["set", "a.sqlite", "t", "true", "a=1", "--yes"], ["index", "add", "a.sqlite", "t", "a", "--yes"],
        ["import", "a.sqlite", "t", "t.csv", "--append"],
      ])
    func message(journal: String, arguments: [String]) async throws {
      let workshop = try Workshop()
      try workshop.write("a\n1\n", to: "t.csv")
      let outcome = try await workshop.run(
        program: "/usr/bin/python3", ["-c", Self.holder, journal] + arguments)
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("error: a.sqlite: "), "\(outcome)")
      #expect(outcome.output.contains("\n  it is held by python3, process PID\n"), "\(outcome)")
    }
  #endif
}
