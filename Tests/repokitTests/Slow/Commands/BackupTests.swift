import Foundation
import SQLInspection
import SQLiteInspection
import SQLiteStore
import Testing

@Suite("repokit backup")
struct BackupTests {
  @Test("makes a copy that is whole, and leaves nothing else behind")
  func copy() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["backup", "p.sqlite", "copy.sqlite"])
    #expect(outcome == Outcome(status: 0, output: "", messages: "backed up p.sqlite as copy.sqlite\n"))
    #expect(try await workshop.rows("copy.sqlite") == workshop.rows())
    #expect(try workshop.files() == ["copy.sqlite", "p.sqlite", "pokemon.csv"])
  }

  @Test("holds what the write-ahead log holds, while others have the database open")
  func log() async throws {
    let workshop = try await Workshop.withPokemon()
    let store = try SQLiteStore(path: workshop.path + "/p.sqlite", journal: .writeAheadLog)
    let change: SQLStatement = "UPDATE pokemon SET weight = 1"
    _ = try await store.sql.execute(change)
    #expect(try workshop.read("p.sqlite-wal").count > 0)
    #expect(try await workshop.run(["backup", "p.sqlite", "copy.sqlite"]).status == 0)
    let weights = ["copy.sqlite", "pokemon", "weight != 1"]
    #expect(try await workshop.run(["count"] + weights).output == "0\n")
    #expect(try await workshop.rows("copy.sqlite") == workshop.rows())
    withExtendedLifetime(store) {}
  }

  @Test("takes the place of a file with --force alone")
  func replacement() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.write("precious", to: "copy.sqlite")
    #expect(
      try await workshop.run(["backup", "p.sqlite", "copy.sqlite"])
        == Outcome(
          status: 1, output: "",
          messages: "error: the file copy.sqlite already exists\n  --force replaces the file\n"))
    #expect(String(decoding: try workshop.read("copy.sqlite"), as: UTF8.self) == "precious")
    #expect(try await workshop.run(["backup", "p.sqlite", "copy.sqlite", "--force"]).status == 0)
    #expect(try await workshop.rows("copy.sqlite") == workshop.rows())
  }

  @Test("takes the place of a database with an empty log, which reading leaves behind, unless someone has it open")
  func logOfTarget() async throws {
    let workshop = try await Workshop.withPokemon()
    do {
      let store = try SQLiteStore(path: workshop.path + "/copy.sqlite", journal: .writeAheadLog)
      let definition: SQLStatement = "CREATE TABLE t (a)"
      _ = try await store.sql.execute(definition)
    }
    #expect(try await workshop.run(["count", "copy.sqlite", "t"]).output == "0\n")
    #expect(try workshop.files().contains("copy.sqlite-wal"))
    do {
      let other = try SQLiteStore(path: workshop.path + "/copy.sqlite")
      _ = try other.tableNames()
      let refused = try await workshop.run(["backup", "p.sqlite", "copy.sqlite", "--force"])
      #expect(refused.status == 1 && refused.messages.contains("is in use, or was not closed"), "\(refused)")
      withExtendedLifetime(other) {}
    }
    try workshop.execute("copy.sqlite", "INSERT INTO t VALUES (1)")
    #expect(try await workshop.run(["count", "copy.sqlite", "t"]).output == "1\n")
    #expect(try await workshop.run(["backup", "p.sqlite", "copy.sqlite", "--force"]).status == 0)
    #expect(try await workshop.rows("copy.sqlite") == workshop.rows())
  }

  @Test("keeps nothing of a copy that is not whole, and leaves the one before")
  func damage() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(try await workshop.run(["backup", "p.sqlite", "copy.sqlite"]).status == 0)
    let good = try workshop.read("copy.sqlite")
    var bytes = [UInt8](try workshop.read("p.sqlite"))
    for position in (bytes.count - 300)..<bytes.count { bytes[position] = 0xFF }
    try workshop.write(bytes, to: "p.sqlite")
    let outcome = try await workshop.run(["backup", "p.sqlite", "copy.sqlite", "--force"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: the copy has "), "\(outcome.messages)")
    #expect(try workshop.read("copy.sqlite") == good)
    #expect(try workshop.files() == ["copy.sqlite", "p.sqlite", "pokemon.csv"])
  }

  @Test(
    "refuses what can't be a backup",
    arguments: [
      ("-", 2, "a backup can't go to the standard output\n  SQLite writes pages in any order\n"),
      (".", 1, ". is a directory\n"), ("p.sqlite", 2, "p.sqlite is the database itself\n"),
      ("p.sqlite-wal", 2, "p.sqlite-wal belongs to the database\n"),
      ("./p.sqlite-journal", 2, "./p.sqlite-journal belongs to the database\n"),
      ("p.sqlite-shm", 2, "p.sqlite-shm belongs to the database\n"),
      ("p.sqlite-queue", 2, "p.sqlite-queue belongs to the database\n"),
      (
        "no/folder.sqlite", 1,
        "no/folder.sqlite: can't open the database file\n"
          + "  there is no folder no\n  create the folder, or check the path\n"
      ),
      ("/dev/null", 1, "/dev/null is not a regular file\n"),
    ] as [(String, Int32, String)])
  func refusal(file: String, status: Int32, message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(["backup", "p.sqlite", file, "--force"])
    #expect(outcome.status == status)
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
  }

  @Test("lets no user read the copy who may not read the database")
  func permissions() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell(
      "umask 022; chmod 600 p.sqlite; $repokit backup p.sqlite copy.sqlite; ls -l copy.sqlite")
    #expect(outcome.output.hasPrefix("-rw-------"), "\(outcome.output)")
  }

  @Test("shows on a terminal how far it is, and takes that away")
  func progress() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(["backup", "p.sqlite", "copy.sqlite"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.transcript.contains("\rcopying: 100 %\u{1B}[K\rchecking the copy\u{1B}[K\r\u{1B}[Kbacked "))
  }

  @Test(
    "shows nothing of that where the terminal can't go back",
    arguments: [["backup", "p.sqlite", "c.sqlite"], ["check", "p.sqlite"]])
  func dumbTerminal(arguments: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(arguments, environment: ["TERM": "dumb"])
    #expect(try await terminal.finish() == 0)
    #expect(["backed up p.sqlite as c.sqlite\n", "p.sqlite has no problems\n"].contains(terminal.text))
    #expect(!terminal.transcript.contains("\u{1B}"))
  }
}

@Suite("repokit check")
struct CheckTests {
  @Test("says nothing of a database that is whole")
  func whole() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(try await workshop.run(["check", "p.sqlite"]) == Outcome(status: 0, output: "", messages: ""))
  }

  @Test("says so to a person at a terminal")
  func person() async throws {
    let terminal = try await Workshop.withPokemon().terminal(["check", "p.sqlite"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.transcript == "checking p.sqlite…\r\u{1B}[Kp.sqlite has no problems\r\n")
  }

  @Test("finds views and triggers that name what is gone")
  func definitions() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE gone (id INTEGER PRIMARY KEY)", "CREATE VIEW v AS SELECT * FROM gone",
      "CREATE VIEW w AS SELECT absent FROM pokemon",
      "CREATE TRIGGER g AFTER DELETE ON pokemon BEGIN INSERT INTO gone VALUES (1); END", "DROP TABLE gone")
    let outcome = try await workshop.run(["check", "p.sqlite"])
    #expect(
      outcome
        == Outcome(
          status: 1,
          output: """
            SQLite can't use the trigger on delete of pokemon: no such table: main.gone
            SQLite can't use the view v: no such table: main.gone
            SQLite can't use the view w: no such column: absent

            """,
          messages:
            "error: p.sqlite has 3 problems\n  create the missing tables and columns again, or drop the views and triggers that name them in the sqlite3 shell\n"
        ))
  }

  @Test("says what to do about each kind of problem")
  func advice() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "f.sqlite", "create table e (id text)",
      "insert into e values ('e621e1f8-c36c-495a-93fc-000c247a3e6e'), ('F621E1F8-C36C-495A-93FC-000C247A3E6E')")
    let forms = try await workshop.run(["check", "f.sqlite"])
    #expect(
      forms.messages
        == "error: f.sqlite has a problem\n  --verbose shows the statements that convert the columns\n")
    #expect(forms.output.hasPrefix("e: column id contains UUIDs in forms") && !forms.output.contains("UPDATE"))
    let verbose = try await workshop.run(["check", "f.sqlite", "--verbose"])
    #expect(verbose.output.contains("; convert the column: UPDATE"), "\(verbose.output)")
    #expect(verbose.messages.contains("run the statements that convert the columns in the sqlite3 shell"))
    try workshop.execute(
      "f.sqlite", "insert into e values (cast(x'ff' as text))", "create view v as select * from gone")
    let all = try await workshop.run(["check", "f.sqlite"])
    #expect(
      all.messages == """
        error: f.sqlite has 3 problems
          correct or delete the rows whose text is not UTF-8
          --verbose shows the statements that convert the columns
          create the missing tables and columns again, or drop the views and triggers that name them in the sqlite3 shell

        """, "\(all.output)")
  }

  @Test("and exports follow a link that leads to no file yet")
  func danglingLink() async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell("ln -s copy.sqlite a; ln -s rows.csv b.csv; ln -s no/rows.csv c.csv; ln -s loop loop")
    #expect(try await workshop.run(["backup", "p.sqlite", "a"]).status == 0)
    #expect(try await workshop.run(["count", "copy.sqlite", "pokemon"]).output == "5\n")
    #expect(try await workshop.run(["export", "p.sqlite", "pokemon", "b.csv"]).status == 0)
    #expect(try workshop.read("rows.csv").count > 0)
    let folder = try await workshop.run(["export", "p.sqlite", "pokemon", "c.csv", "--force"])
    #expect(folder.messages == "error: can't create c.csv\n  no such file or directory\n")
    #expect(try await workshop.shell("readlink a b.csv c.csv").output == "copy.sqlite\nrows.csv\nno/rows.csv\n")
    let loop = try await workshop.run(["query", "loop", "pokemon"])
    #expect(
      loop.messages.hasPrefix(
        "error: loop: can't open the database file\n"
          + "  SQLite says: unable to open database file (too many levels of symbolic links)\n"))
  }

  @Test("tells of files that were left behind, which is no problem of the database")
  func files() async throws {
    let workshop = try await Workshop.withPokemon()
    for name in ["p.sqlite-queue", "p.sqlite.0A1B2C3D.part", "p.sqlite.notes.part", "q.sqlite.0A1B2C3D.part"] {
      try workshop.write(name.hasSuffix("-queue") ? "repokit queue 1\0" : "", to: name)
    }
    #expect(
      try await workshop.run(["check", "p.sqlite"])
        == Outcome(
          status: 0, output: "",
          messages: """
            note: found p.sqlite-queue: no program waits for the database any more, so the file does no harm
            note: found p.sqlite.0A1B2C3D.part: an unfinished backup, or a backup in progress

            """))
  }

  @Test("tells what is wrong, a line each, and fails")
  func damaged() async throws {
    let workshop = try await Workshop.withPokemon()
    var bytes = [UInt8](try workshop.read("p.sqlite"))
    try #require(bytes.count >= 8_192)
    // The content of the second page, but not its header.
    for position in (bytes.count - 300)..<bytes.count { bytes[position] = 0xFF }
    try workshop.write(bytes, to: "p.sqlite")
    let outcome = try await workshop.run(["check", "p.sqlite"])
    #expect(outcome.status == 1)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("error: p.sqlite has "))
  }

  @Test("refuses what is no database")
  func noDatabase() async throws {
    let workshop = try Workshop()
    try workshop.write("id,name\n1,Bulbasaur\n", to: "a.csv")
    let outcome = try await workshop.run(["check", "a.csv"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: a.csv is a file of rows, not a database\n"))
  }
}
