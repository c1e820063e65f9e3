import Foundation
import Testing

@Suite("The shell without a terminal")
struct ScriptedShellTests {
  static let scripts: [(input: String, output: String)] = [
    ("", ""), ("# nothing\n\n   \n", ""), ("count pokemon\n", "5\n"), ("count pokemon", "5\n"),
    ("count pokemon\r\n", "5\n"),
    (".count pokemon\n", "5\n"), ("count pokemon type1 = 'fire'\n", "2\n"),
    ("count pokemon \"type1 = 'fire'\";\n", "2\n"),
    ("count pokemon (type1 = 'fire' or\n  type1 = 'grass')\n", "3\n"), ("count pokemon \\\n  weight > 90\n", "2\n"),
    ("count pokemon name = 'a\nb'\ncount pokemon\n", "0\n5\n"),
    ("pokemon weight > 90 --sort=-weight --columns id,name\n", "id\tname\n143\tSnorlax\n6\tCharizard\n"),
    (
      ".format csv\npokemon id = 1 --columns id,name\n.format\npokemon id = 1 --columns id,name\n",
      "id,name\n1,Bulbasaur\nid\tname\n1\tBulbasaur\n"
    ),
    ("count pokemon\n.exit\ncount pokemon\n", "5\n"), ("exit\ncount pokemon\n", ""), ("quit\n", ""),
    (".open p.sqlite\ncount pokemon\n", "5\n"), ("index list --format ndjson\n", ""),
    ("set pokemon \"id = 1\" weight=7 --yes\npokemon id = 1 --columns weight\n", "weight\n7.0\n"),
    (".help .format\n", ".format [FORMAT]\n  Print rows as csv, json, …; without FORMAT, restore the default.\n"),
  ]

  @Test("does what the lines say, with no prompt", arguments: scripts)
  func script(input: String, output: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["shell", "p.sqlite"], input: input)
    #expect(outcome.output == output)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  static let failures: [(input: String, status: Int32, messages: String)] = [
    ("count pokemon\n\nzzz\ntables\n", 2, "error: line 3: unknown command or table \"zzz\"\n"),
    (
      "count pokemon\ncount pokemon (wieght\n> 3)\n", 2,
      "error: line 2: no column wieght in pokemon\n  (wieght\n   ^\n  did you mean weight?\n"
    ),
    (
      "count pokemon\ncount pokemon name = 'x\n\n", 2,
      "error: line 2: the quote ' is not closed\n  count pokemon name = 'x\n"
    ),
    (
      "count pokemon\nselect * from pokemon\n", 2,
      "error: line 2: unknown command or table \"select\"\n  the shell has no SQL"
    ),
    (
      "count pokemon\ntabels\n", 2,
      "error: line 2: unknown command or table \"tabels\"\n  did you mean tables?\n"
    ),
    ("count pokemon\n.format yson\n", 2, "error: line 2: unknown format \"yson\"\n  did you mean json?\n"),
    ("count pokemon\n.open none.sqlite\n", 1, "error: line 2: there is no file none.sqlite\n"),
    ("count pokemon\nshell\n", 2, "error: line 2: you are already in the shell\n"),
    (
      "count pokemon\nquery\n", 2,
      "error: line 2: TABLE is missing\n  the table is pokemon\n"
    ),
    ("count pokemon\nimport t none.csv\n", 1, "error: line 2: there is no file none.csv\n"),
  ]

  @Test("ends at the first line that fails, and tells which", arguments: failures)
  func failure(input: String, status: Int32, messages: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["shell", "p.sqlite"], input: input)
    #expect(outcome.status == status)
    #expect(outcome.output == "5\n")
    #expect(outcome.messages.hasPrefix(messages), "\(outcome.messages)")
  }

  @Test("goes on behind it where that is wanted, and fails in the end")
  func keepGoing() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(
      ["shell", "p.sqlite", "--keep-going"], input: "zzz\ncount pokemon\n.open none.sqlite\ncount pokemon\n")
    #expect(outcome.status == 1)
    #expect(outcome.output == "5\n5\n")
    #expect(
      outcome.messages.components(separatedBy: "\n").filter { $0.hasPrefix("error: ") } == [
        "error: line 1: unknown command or table \"zzz\"", "error: line 3: there is no file none.sqlite",
        "error: 2 lines failed",
      ])
  }

  @Test("takes a file that can't be written for a line that fails, not for the end of its output")
  func unwritableFile() async throws {
    let workshop = try await Workshop.withPokemon()
    let lines = [
      "export pokemon /dev/full --format csv", "export pokemon /dev/full --format json",
      "export many pipe --format csv", "count pokemon",
    ]
    // Who reads the pipe leaves before it has read all.
    let rows = (1...50_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "p.sqlite", "many", "-"], input: "id,name\n" + rows)
    try workshop.write(lines.joined(separator: "\n"), to: "script")
    let outcome = try await workshop.shell(
      "mkfifo pipe; head -c 10 < pipe > /dev/null & \"$repokit\" shell p.sqlite --keep-going < script")
    #expect(outcome.status == 1)
    #expect(outcome.output == "5\n")
    #expect(
      outcome.messages.components(separatedBy: "\n").filter { $0.hasPrefix("error: ") } == [
        "error: line 1: can't write /dev/full", "error: line 2: can't write /dev/full",
        "error: line 3: can't write pipe", "error: 3 lines failed",
      ])
    let first = try await workshop.run(["shell", "p.sqlite"], input: lines[0] + "\ncount pokemon\n")
    #expect(first.messages == "error: line 1: can't write /dev/full\n  no space left on device\n")
  }

  @Test("needs a database")
  func missing() async throws {
    let outcome = try await Workshop().run(["shell", "none.sqlite"], input: "tables\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: there is no file none.sqlite\n"))
  }

  @Test("ends quietly where its output is no longer read")
  func closedPipe() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell("yes count pokemon | \"$repokit\" shell p.sqlite | head -2")
    #expect(outcome == Outcome(status: 0, output: "5\n5\n", messages: ""))
  }

  @Test("says where its input is no text")
  func encoding() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell("printf 'count pokemon\\n\\377\\n' | \"$repokit\" shell p.sqlite")
    #expect(outcome.status == 2)
    #expect(outcome.output == "5\n")
    #expect(outcome.messages == "error: a line of the standard input is not UTF-8\n")
  }

  @Test(
    "shows the same as the commands themselves",
    arguments: ["tables", "schema pokemon", "query pokemon", "count pokemon"])
  func sameness(line: String) async throws {
    let workshop = try await Workshop.withPokemon()
    var words = line.split(separator: " ").map(String.init)
    let inShell = try await workshop.run(["shell", "p.sqlite"], input: line)
    words.insert("p.sqlite", at: 1)
    #expect(try await workshop.run(words) == inShell)
  }
}
