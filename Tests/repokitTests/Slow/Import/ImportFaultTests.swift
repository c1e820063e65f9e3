import Foundation
import TestSupport
import Testing
@testable import repokit

@Suite("When an import is disturbed", .tags(.slow))
struct ImportFaultTests {
  /// A folder with a table of 2,000 rows, and a file of many more.
  private func workshop() async throws -> Workshop {
    let workshop = try Workshop()
    let few = (1...2_000).map { "\($0),name number \($0)\n" }.joined()
    let many = (10_001...60_000).map { "\($0),name number \($0)\n" }.joined()
    try workshop.write("id,name\n" + many, to: "many.csv")
    _ = try await workshop.run(["import", "t.sqlite", "t", "-", "--key=id"], input: "id,name\n" + few)
    return workshop
  }

  @Test("a full disk leaves the database as it was", arguments: ["--append", "--upsert", "--replace", "--key=id"])
  func fullDisk(option: String) async throws {
    let workshop = try await workshop()
    let rows = try await workshop.rows("t.sqlite", "t")
    let table = option.hasPrefix("--key") ? "new" : "t"
    // What is beyond the limit fails as on a full disk, once the signal is ignored that would end the program.
    let outcome = try await workshop.shell(
      "trap '' XFSZ; ulimit -f 400; \"$repokit\" import t.sqlite \(table) many.csv \(option) 2> err; echo $?; cat err; rm err"
    )
    #expect(outcome.output.hasPrefix("1\nerror: "), "\(outcome.output)")
    #expect(!outcome.output.contains("many.csv, line"), "it is no matter of a line: \(outcome.output)")
    #expect(try await workshop.rows("t.sqlite", "t") == rows)
    #expect(try await workshop.run(["tables", "t.sqlite", "--names"]).output == "t\n")
    #expect(try await workshop.run(["check", "t.sqlite"]).status == 0)
    #expect(try workshop.files() == ["many.csv", "t.sqlite"])
  }

  @Test("a full disk leaves no new database")
  func fullDiskWithoutDatabase() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.shell(
      "trap '' XFSZ; ulimit -f 400; \"$repokit\" import new.sqlite t many.csv 2> err; echo $?; cat err; rm err")
    #expect(outcome.output.hasPrefix("1\nerror: "), "\(outcome.output)")
    #expect(try workshop.files() == ["many.csv", "t.sqlite"])
  }

  @Test("Control-C leaves the database as it was, and ends the program by its signal", arguments: ["t", "new"])
  func interruption(table: String) async throws {
    let workshop = try await workshop()
    let rows = try await workshop.rows("t.sqlite", "t")
    // The pipe stays open, so that the tool waits for more until the key is pressed.
    let terminal = try workshop.terminal(
      shell: """
        mkfifo pipe; exec 3<> pipe; head -n 20 many.csv >&3
        "$repokit" import t.sqlite \(table) pipe \(table == "t" ? "--append" : "")
        """)
    try await terminal.wait(for: "reading pipe")
    try terminal.send("\u{3}")
    let status = try await terminal.finish()
    #expect(status == 130)
    #expect(try await workshop.rows("t.sqlite", "t") == rows)
    #expect(try await workshop.run(["tables", "t.sqlite", "--names"]).output == "t\n")
  }

  @Test("a program that is killed amid an import leaves nothing of it, once the database is opened again")
  func kill() async throws {
    let workshop = try await workshop()
    let rows = try await workshop.rows("t.sqlite", "t")
    // It can't end: what it has to say of the last line waits for room in a pipe that is full. It writes once its journal
    // is there.
    let outcome = try await workshop.shell(
      """
      cp many.csv bad.csv; echo one,two,three >> bad.csv
      mkfifo full; exec 3<> full; yes >&3 & writer=$!
      "$repokit" import t.sqlite t bad.csv --append --skip-bad 2>&3 & tool=$!
      until [ -e t.sqlite-journal ] || ! kill -0 $tool; do :; done
      kill -9 $tool; wait $tool; echo $?
      kill $writer
      """)
    #expect(outcome.output == "137\n")
    #expect(try await workshop.rows("t.sqlite", "t") == rows)
    #expect(try await workshop.run(["check", "t.sqlite"]).status == 0)
  }

  @Test("a closed standard error is ignored")
  func closedMessages() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.shell(
      "\"$repokit\" import t.sqlite t many.csv --append 2>&-; echo $?; (\"$repokit\" import t.sqlite n many.csv; echo $? > status) 2>&1 | :"
    )
    #expect(outcome.output == "0\n")
    #expect(String(decoding: try workshop.read("status"), as: UTF8.self) == "0\n")
    #expect(try await workshop.run(["count", "t.sqlite", "t"]).output == "52000\n")
    #expect(try await workshop.run(["count", "t.sqlite", "n"]).output == "50000\n")
  }

  @Test("the progress is shown on a terminal, and taken away in the end")
  func progress() async throws {
    let workshop = try await workshop()
    let terminal = try workshop.terminal(["import", "t.sqlite", "new", "many.csv"], width: 100)
    let size = try workshop.read("many.csv").count
    for job in ["finding types", "importing new"] {
      try await terminal.wait(for: "\r\(job)  [--------------------]    0 %  \(ByteSize.text(0, of: size))\u{1B}[K")
    }
    #expect(try await terminal.finish() == 0)
    let last = terminal.transcript.split(separator: "\r\u{1B}[K").last
    #expect(last == "imported 50000 rows into new (new table: id integer, name text)\r\n")
  }

  @Test("the progress is shown nowhere else", arguments: ["2> err", "2>&1 | cat", "> /dev/null 2>&1"])
  func noProgress(redirection: String) async throws {
    let workshop = try await workshop()
    let terminal = try workshop.terminal(shell: "\"$repokit\" import t.sqlite new many.csv \(redirection)")
    #expect(try await terminal.finish() == 0)
    #expect(!terminal.transcript.contains("importing"))
    #expect(!terminal.transcript.contains("\u{1B}"))
  }

  @Test("a terminal that can't go back gets no progress")
  func dumbTerminal() async throws {
    let workshop = try await workshop()
    let terminal = try workshop.terminal(["import", "t.sqlite", "new", "many.csv"], environment: ["TERM": "dumb"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text == "imported 50000 rows into new (new table: id integer, name text)\n")
  }
}

/// Tables whose rules SQLite's own shell has to write.
@Suite("Import into tables with rules", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct ImportRuleTests {
  private static let definitions = """
    create table whole(id integer primary key on conflict rollback, a);
    create table lenient(id integer primary key on conflict ignore, a);
    create table checked(id integer primary key, a integer check (a > 0), b text unique);
    create table guarded(id integer primary key, a);
    create trigger guard before insert on guarded when new.a = 'bad' begin select raise(abort, 'bad it is'); end;
    create table undoing(id integer primary key, a);
    create trigger undo before insert on undoing when new.a = 'bad' begin select raise(rollback, 'undone'); end;
    create table child(id integer primary key, a references checked(id));
    create table computed(id integer primary key, a int, twice int as (a * 2), thrice int as (a * 3) stored);
    insert into computed values (1, 2);
    create table keyed(a text, b text, c, primary key (a, b)) without rowid;
    create view seen as select * from guarded;
    """

  private func workshop() async throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write(Self.definitions, to: "rules.sql")
    let made = try await workshop.shell("sqlite3 r.sqlite < rules.sql")
    try #require(made.status == 0, "\(made.messages)")
    return workshop
  }

  @Test(
    "leaves out the rows that break a rule, and nothing else",
    arguments: [
      ("checked", "id,a,b\n1,1,x\n2,0,y\n3,1,x\n4,1,z\n", ["3", "4"], "1,1,x\n4,1,z\n"),
      ("guarded", "id,a\n1,x\n2,bad\n3,y\n", ["3"], "1,x\n3,y\n"),
      ("child", "id,a\n1,\n2,7\n3,\n", ["3"], "1,\n3,\n"),
      ("keyed", "a,b,c\nx,y,1\nx,y,2\nx,z,3\n", ["3"], "x,y,1\nx,z,3\n"),
    ])
  func skipping(table: String, csv: String, skipped: [String], rows: String) async throws {
    let workshop = try await workshop()
    let strict = try await workshop.run(["import", "r.sqlite", table, "-", "--append"], input: csv)
    #expect(strict.status == 1)
    #expect(strict.messages.hasPrefix("error: standard input, line 3: "), "\(strict.messages)")
    let count = try await workshop.run(["count", "r.sqlite", table])
    #expect(count.output == "0\n")
    let lenient = try await workshop.run(["import", "r.sqlite", table, "-", "--append", "--skip-bad"], input: csv)
    #expect(lenient.status == 0)
    let places = lenient.messages.matches(of: #/skipped: standard input, line (\d+):/#).map { String($0.1) }
    #expect(places == skipped, "\(lenient.messages)")
    let output = try await workshop.run(["query", "r.sqlite", table, "--format", "csv"]).output
    #expect(output.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n" == rows)
  }

  @Test("keeps no row behind one for which the table undid everything", arguments: ["whole", "undoing"])
  func rollback(table: String) async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(
      ["import", "r.sqlite", table, "-", "--append", "--skip-bad"], input: "id,a\n1,x\n1,bad\n3,y\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: r.sqlite: the database rolled back the import\n"), "\(outcome.messages)")
    #expect(try await workshop.run(["count", "r.sqlite", table]).output == "0\n")
  }

  @Test("counts no row that the table left alone")
  func ignored() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(
      ["import", "r.sqlite", "lenient", "-", "--append"], input: "id,a\n1,x\n1,y\n2,z\n")
    #expect(outcome.messages == "appended 2 rows to lenient\n")
  }

  @Test("leaves computed columns to the table, also where a file has them")
  func computed() async throws {
    let workshop = try await workshop()
    #expect(try await workshop.run(["export", "r.sqlite", "computed", "c.json"]).status == 0)
    #expect(
      String(decoding: try workshop.read("c.json"), as: UTF8.self)
        == "[\n{\"id\":1,\"a\":2,\"twice\":4,\"thrice\":6}\n]\n")
    for (file, text) in [("c.json", nil), ("d.csv", "id,a\n2,5\n"), ("e.csv", "id,a,twice\n3,6,0\n")] {
      if let text { try workshop.write(text, to: file) }
      let outcome = try await workshop.run(["import", "r.sqlite", "computed", file, "--upsert"])
      #expect(
        outcome.messages
          == "imported 1 row into computed by id: \(file == "c.json" ? "0 new, 1" : "1 new, 0") replaced\n")
    }
    #expect(
      try await workshop.run(["query", "r.sqlite", "computed", "--format", "csv"]).output
        == "id,a,twice,thrice\n1,2,4,6\n2,5,10,15\n3,6,12,18\n")
  }

  @Test("says that a view takes no rows")
  func view() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(["import", "r.sqlite", "seen", "-", "--append"], input: "id,a\n1,x\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("view"), "\(outcome.messages)")
  }

  @Test("tells columns of a new table apart that differ in Unicode's spelling of a letter alone")
  func spelling() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let workshop = try Workshop()
    // Only the key's column may not be empty.
    try workshop.write(
      [1, 2].map { "{\"\(composed)\":null,\"\(decomposed)\":\($0)}\n" }.joined(), to: "a.ndjson")
    #expect(try await workshop.run(["import", "a.sqlite", "t", "a.ndjson", "--key", decomposed]).status == 0)
    let outcome = try await workshop.run(["import", "b.sqlite", "t", "a.ndjson", "--key", composed])
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("a.ndjson, line 1, in \(composed): the field is empty"))
    // Another table of that kind of name stays as it is.
    try workshop.execute("a.sqlite", "CREATE TABLE \"\(composed)\" (a)")
    #expect(try await workshop.run(["import", "a.sqlite", decomposed, "a.ndjson"]).status == 0)
    #expect(try await workshop.run(["import", "a.sqlite", composed, "a.ndjson"]).status == 1)
  }
}
