import Foundation
import SQLInspection
import SQLiteInspection
import SQLiteStore
import Testing

@Suite("The shell at a terminal")
struct InteractiveShellTests {
  private func shell(_ workshop: Workshop, _ environment: [String: String] = [:]) throws -> PseudoTerminal {
    let home = ["HOME": workshop.path, "NO_COLOR": "1"].merging(environment) { $1 }
    return try workshop.terminal(["shell", "p.sqlite"], environment: home)
  }

  @Test("greets, answers, and leaves at Control-D")
  func conversation() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p.sqlite: a table. Type .help for help.")
    try await terminal.wait(for: "p> ")
    try terminal.send("count pokemon type1 = 'fire'\r")
    try await terminal.wait(for: "2\r\n")
    try terminal.send("count pokemon (type1 = 'fire'\r")
    try await terminal.wait(for: "...> ")
    try terminal.send("or type1 = 'grass')\r")
    try await terminal.wait(for: "3\r\n")
    try terminal.send("zzz\r")
    try await terminal.wait(for: "error: unknown command or table \"zzz\"")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
  }

  @Test("completes at Tab")
  func completion() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p> ")
    try terminal.send("cou\t")
    try await terminal.wait(for: "p> count ")
    try terminal.send("pok\t")
    try await terminal.wait(for: "count pokemon ")
    try terminal.send("type1 = fi\t")
    try await terminal.wait(for: "type1 = 'fire'")
    try terminal.send("\r")
    try await terminal.wait(for: "2\r\n")
    try terminal.send(".exit\r")
    #expect(try await terminal.finish() == 0)
  }

  @Test("throws a line away at Control-C, and runs nothing of a paste before Enter")
  func lines() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p> ")
    try terminal.send("delete pokemon true --yes\u{3}")
    try await terminal.wait(for: "^C\r")
    try terminal.send("\u{1B}[200~delete pokemon true --yes\ntables\n\u{1B}[201~")
    try await terminal.wait(for: "...> tables")
    try terminal.send("\u{3}")
    try await terminal.wait(for: "^C\r")
    try terminal.send("count pokemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
  }

  @Test(
    "stops a query at Control-C, and not itself",
    arguments: ["count slow", "slow id = 0", "count slow id = 0", "export slow \"id = 0\" out.csv --sort id"])
  func interruption(line: String) async throws {
    let (workshop, terminal) = try await slowShell(line)
    try terminal.send("\u{3}")
    try await terminal.wait(for: "cancelled\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("count t\r")
    try await terminal.wait(for: "50000\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
    #expect(try workshop.files() == ["p.sqlite", "t.csv"])
  }

  @Test("ends when it is told to, once what was begun is undone", arguments: [SIGTERM, SIGHUP])
  func termination(signal: Int32) async throws {
    let (workshop, terminal) = try await slowShell("export slow \"id = 0\" out.csv --sort id")
    terminal.send(signal: signal)
    #expect(try await terminal.finish() == 128 + signal)
    #expect(try workshop.files() == ["p.sqlite", "t.csv"])
  }

  @Test("stops an import that waits for more at Control-C")
  func importing() async throws {
    let workshop = try await Workshop.withPokemon()
    let rows = try await workshop.rows()
    // The pipe has a writer that writes nothing: the shell itself.
    let terminal = try workshop.terminal(
      shell: "mkfifo pipe; exec 3<> pipe; TERM=xterm HOME=. exec \"$repokit\" shell p.sqlite")
    try await terminal.wait(for: "p> ")
    try terminal.send("import pokemon pipe --append --from csv\r")
    try await terminal.wait(for: "reading pipe")
    try terminal.send("\u{3}")
    try await terminal.wait(for: "cancelled\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
    #expect(try await workshop.rows() == rows)
  }

  /// A shell that does something over many rows, which takes far longer than the test: a view joins a table with itself.
  private func slowShell(_ line: String) async throws -> (Workshop, PseudoTerminal) {
    let workshop = try Workshop()
    let rows = (1...50_000).map { "\($0)\n" }.joined()
    try workshop.write("id\n\(rows)", to: "t.csv")
    let script = "\"$repokit\" import p.sqlite t t.csv --key id"
    try #require(try await workshop.shell(script).status == 0)
    let store = try SQLiteStore(path: workshop.path + "/p.sqlite", journal: .unchanged)
    let view: SQLStatement = "CREATE VIEW slow AS SELECT x.id * 0 + y.id * 0 + 1 AS id FROM t x, t y"
    _ = try await store.sql.execute(view)
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p> ")
    try terminal.send(line + "\r")
    try await terminal.wait(for: "\r\n")
    return (workshop, terminal)
  }

  /// The pager sends the signal itself, again and again, until the test has seen what came of it: so one comes after the
  /// pager was left, while the view looks for rows that never come. The only row is more than the tool gathers before it
  /// writes, and the pager reads it whole: a pager that is left before would end the query by itself.
  @Test("stops a query at Control-C, and not itself, when its pager was left before")
  func interruptionAfterPager() async throws {
    let workshop = try await Workshop.withPokemon()
    let store = try SQLiteStore(path: workshop.path + "/p.sqlite", journal: .unchanged)
    let view: SQLStatement = """
      CREATE VIEW slow AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, printf('%070000d', id) AS text FROM n WHERE id = 1
      """
    _ = try await store.sql.execute(view)
    let pager = """
      (trap '' INT; until cat cancelled 2> /dev/null || ! kill -INT $PPID; do :; done; echo over) & sed -n '1p;2q'
      """
    let terminal = try shell(workshop, ["PAGER": pager])
    try await terminal.wait(for: "p> ")
    try terminal.send("slow --format csv\r")
    try await terminal.wait(for: "id,text")
    try await terminal.wait(for: "cancelled\r\n")
    try workshop.write("", to: "cancelled")
    try await terminal.wait(for: "over")
    try await terminal.waitForSignals()
    try terminal.send(".exit\r")
    #expect(try await terminal.finish() == 0)
  }

  /// The shell that starts it has jobs, and so takes the terminal back when the tool stops.
  @Test("stops and goes on where it was, with the terminal as usual meanwhile", arguments: ["Control-Z", "a signal"])
  func suspension(way: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      shell: """
        stty -g > before; set -m
        sh -c 'echo $$ > pid; exec "$repokit" shell p.sqlite'
        stty -g > stopped; echo stopped
        fg
        stty -g > after; echo over
        """, environment: ["HOME": workshop.path, "NO_COLOR": "1"])
    try await terminal.wait(for: "p> ")
    try terminal.send("count po")
    try await terminal.wait(for: "count po")
    if way == "a signal" {
      #expect(try await workshop.shell("kill -TSTP $(cat pid)").status == 0)
    } else {
      try terminal.send("\u{1A}")
    }
    try await terminal.wait(for: "stopped")
    try await terminal.wait(for: "p> count po")
    try terminal.send("kemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send(".exit\r")
    try await terminal.wait(for: "over")
    #expect(try await terminal.finish() == 0)
    #expect(try workshop.read("before") == workshop.read("stopped"))
    #expect(try workshop.read("before") == workshop.read("after"))
  }

  @Test("goes on at Control-Z where no shell could have it go on later")
  func orphan() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p> ")
    try terminal.send("count\u{1A}")
    try await terminal.wait(for: "\r\n")
    try await terminal.wait(for: "p> count")
    try terminal.send(" pokemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
  }

  @Test("ends a question at Control-C, and changes nothing")
  func question() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop)
    try await terminal.wait(for: "p> ")
    try terminal.send("delete pokemon id < 7\r")
    try await terminal.wait(for: "[y/N]")
    try terminal.send("\u{3}")
    try await terminal.wait(for: "cancelled\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("count pokemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
  }

  @Test("remembers lines, and none that start with a blank")
  func history() async throws {
    let workshop = try await Workshop.withPokemon()
    let first = try shell(workshop, ["XDG_STATE_HOME": workshop.path + "/state"])
    try await first.wait(for: "p> ")
    try first.send("count pokemon (id = 1\ror id = 4)\r")
    try await first.wait(for: "2\r\n")
    try await first.wait(for: "p> ")
    try first.send(" count pokemon id < 7\r")
    try await first.wait(for: "3\r\n")
    try await first.wait(for: "p> ")
    try first.send("\u{4}")
    #expect(try await first.finish() == 0)
    #expect(
      String(decoding: try workshop.read("state/repokit/history"), as: UTF8.self)
        == "count pokemon (id = 1\\nor id = 4)\n")
    let second = try shell(workshop, ["XDG_STATE_HOME": workshop.path + "/state"])
    try await second.wait(for: "p> ")
    try second.send("\u{1B}[A\r")
    try await second.wait(for: "2\r\n")
    try await second.wait(for: "p> ")
    try second.send("\u{12}or id\r")
    try await second.wait(for: "2\r\n")
    try await second.wait(for: "p> ")
    try second.send("\u{4}")
    #expect(try await second.finish() == 0)
  }

  @Test("goes on without a history where there is no place for one")
  func noHistory() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop, ["XDG_STATE_HOME": workshop.path + "/p.sqlite"])
    try await terminal.wait(for: "error: can't read the history")
    try await terminal.wait(for: "p> ")
    try terminal.send("count pokemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.components(separatedBy: "can't read the history").count == 2)
  }

  @Test("leaves the terminal as it was, however it ends", arguments: ["\u{4}", ".exit\r", "kill"])
  func mode(end: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      shell: """
        stty -g > before
        sh -c 'echo $$ > pid; exec "$repokit" shell p.sqlite'
        stty -g > after; echo over
        """, environment: ["HOME": workshop.path])
    try await terminal.wait(for: "p> ")
    if end == "kill" {
      #expect(try await workshop.shell("kill -TERM $(cat pid)").status == 0)
    } else {
      try terminal.send(end)
    }
    try await terminal.wait(for: "over")
    #expect(try await terminal.finish() == 0)
    #expect(try workshop.read("before") == workshop.read("after"))
    #expect(
      terminal.transcript.components(separatedBy: "\u{1B}[?2004h").count
        == terminal.transcript.components(separatedBy: "\u{1B}[?2004l").count)
  }

  @Test("edits nothing at a terminal that can't show it, and still talks")
  func dumb() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try shell(workshop, ["TERM": "dumb"])
    try await terminal.wait(for: "p> ")
    try terminal.send("zzz\r")
    try await terminal.wait(for: "error: unknown command or table")
    try terminal.send("count pokemon\r")
    try await terminal.wait(for: "5\r\n")
    try await terminal.wait(for: "p> ")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 0)
    #expect(!terminal.transcript.contains("\u{1B}"))
  }
}
