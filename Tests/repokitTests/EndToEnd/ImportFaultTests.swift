import Testing

@testable import repokit

@Suite("When an import is disturbed")
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

  @Test("a closed standard error is nobody's loss")
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
      try await terminal.wait(for: "\r\(job)  [--------------------]    0 %  0.0 of \(ProgressLine.size(size))\u{1B}[K")
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
