import Foundation
import Repository
import SQLiteStore
import Testing

@Suite("Collations that only the program knows which made the database")
struct MissingCollationTests {
  private static let database = Workshop.Template {
    let workshop = try Workshop()
    let store = try SQLiteStore(path: "\(workshop.path)/c.sqlite", journal: .unchanged) { connection in
      for name in ["PHONEBOOK", "LOCALIZED"] {
        // The order is not that of the bytes.
        try connection.define(collation: name) { $1.compare($0) }
      }
    }
    for statement: SQLStatement in [
      "CREATE TABLE contact (_id INTEGER PRIMARY KEY, sort_key TEXT COLLATE PHONEBOOK, n TEXT COLLATE LOCALIZED)",
      "CREATE INDEX by_key ON contact (sort_key)", "INSERT INTO contact VALUES (1, 'a', 'b'), (2, 'c', 'd')",
      "CREATE TABLE other (x)", "INSERT INTO other VALUES (1)",
      "CREATE VIEW sorted AS SELECT n FROM contact ORDER BY sort_key LIMIT 1",
    ] { try await store.sql.execute(statement) }
    return workshop
  }

  @Test(
    "do not keep rows from being read",
    arguments: [
      (["count", "c.sqlite", "contact"], "2\n"), (["count", "c.sqlite", "contact", "_id > 0"], "2\n"),
      (["query", "c.sqlite", "contact", "--columns", "sort_key"], "sort_key\na\nc\n"),
      (
        ["tables", "c.sqlite", "--format", "csv"],
        "table,kind,rows,size\ncontact,table,2,8192\nother,table,1,4096\nsorted,view,,\n"
      ),
    ])
  func reading(arguments: [String], output: String) async throws {
    let workshop = try await Self.database.copy()
    #expect(
      try await workshop.runUnchanged(arguments, database: "c.sqlite")
        == Outcome(status: 0, output: output, messages: ""))
  }

  @Test("are told by a check, which checks the rest")
  func check() async throws {
    let workshop = try await Self.database.copy()
    let collations =
      "note: contact: the collation LOCALIZED, which the program that made the database defines, is missing here: no program can compare the text of the table without the collation\n"
      + "note: contact: the collation PHONEBOOK, which the program that made the database defines, is missing here: the check skips the order of the index by_key\n"
    let outcome = try await workshop.run(["check", "c.sqlite"])
    #expect(outcome == Outcome(status: 0, output: "", messages: collations))
    var bytes = [UInt8](try workshop.read("c.sqlite"))
    // The table of the contacts, in the second page.
    for position in 4_096..<4_106 { bytes[position] = 0xFF }
    try workshop.write(bytes, to: "c.sqlite")
    let damaged = try await workshop.run(["check", "c.sqlite"])
    #expect(damaged.status == 1 && !damaged.output.isEmpty, "\(damaged)")
  }

  @Test("are missing after a check as before")
  func afterCheck() async throws {
    let workshop = try await Self.database.copy()
    let store = try SQLiteStore(path: "\(workshop.path)/c.sqlite", journal: .unchanged)
    for _ in 0..<2 {
      await #expect(throws: RepositoryError.self) {
        try await store.sql.query("SELECT _id FROM contact WHERE sort_key < 'b'", as: Int.self)
      }
      await #expect(throws: RepositoryError.self) {
        try await store.sql.execute("INSERT INTO contact VALUES (3, 'b', 'c')")
      }
      #expect(try await store.integrityCheck() == [])
    }
  }

  @Test("are told with the constraints that are not checked")
  func constraints() async throws {
    let workshop = try Workshop()
    let store = try SQLiteStore(path: "\(workshop.path)/k.sqlite", journal: .unchanged) { connection in
      try connection.define(collation: "BACKWARDS") { $1.compare($0) }
    }
    for statement: SQLStatement in [
      "CREATE TABLE k (t TEXT COLLATE BACKWARDS PRIMARY KEY, CHECK (t <= 'm')) WITHOUT ROWID",
      "INSERT INTO k VALUES ('n'), ('z')",
    ] { try await store.sql.execute(statement) }
    let outcome = try await workshop.run(["check", "k.sqlite"])
    #expect(
      outcome.status == 0 && outcome.output.isEmpty
        && outcome.messages.hasSuffix(", and the check skips the table's CHECK constraints\n"),
      "\(outcome)")
  }

  @Test("do not keep a file from being copied as it is")
  func backup() async throws {
    let workshop = try await Self.database.copy()
    #expect(try await workshop.run(["backup", "c.sqlite", "copy.sqlite"]).status == 0)
    #expect(try await workshop.run(["count", "copy.sqlite", "contact"]).output == "2\n")
  }

  @Test("are told by a dump whose statements need them")
  func dump() async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.run(["dump", "c.sqlite", "c.sql"])
    #expect(
      outcome.messages
        == "note: contact needs the collation LOCALIZED of the program that made the database: without the collation, comparisons of text fail\nnote: contact needs the collation PHONEBOOK of the program that made the database: without the collation, the statements can't create the index by_key\nwrote c.sqlite to c.sql\n"
    )
  }

  @Test("are the reason why rows are not counted, which is told")
  func uncounted() async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.run(["tables", "c.sqlite", "--count-views"])
    #expect(
      outcome.messages
        == "note: repokit can't count the rows of sorted: SQLite says: no such collation sequence: PHONEBOOK\n")
  }
}
