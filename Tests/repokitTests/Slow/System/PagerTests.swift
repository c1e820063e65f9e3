import Testing

/// What a person sees who asks at a terminal.
@Suite("At a terminal")
struct PagerTests {
  /// A pager that tells what it gets, and from whom.
  private static let pager = "printf 'paged, LESS=%s\\n' \"$LESS\"; cat; echo end of pager"

  private static func workshop(rows: Int = 30) async throws -> Workshop {
    let workshop = try Workshop()
    let lines = (1...rows).map { "\($0),name \($0),\n" }.joined()
    let outcome = try await workshop.run(
      ["import", "t.sqlite", "t", "-", "--key", "id"], input: "id,name,note\n" + lines)
    try #require(outcome.status == 0, "\(outcome.messages)")
    return workshop
  }

  @Test("a table is as wide as the screen, with null dim")
  func table() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["query", "p.sqlite", "pokemon", "--columns", "id,name,type2,note"], width: 30)
    #expect(try await terminal.finish() == 0)
    #expect(
      terminal.text == """
         id  name      type2   note
        ───  ────────  ──────  ───────
          1  Bulbasa…  poison  007
          4  Charman…  null
          6  Chariza…  flying  a "quo…
         25  Pikachu   null    null
        143  Snorlax   null    100%

        """)
    #expect(terminal.transcript.contains("\u{1B}[2mnull\u{1B}[0m"))
  }

  @Test(
    "there are no colours where the user wants none",
    arguments: [(["NO_COLOR": "1"], []), (["TERM": "dumb"], []), ([:], ["--color", "never"])]
      as [([String: String], [String])])
  func colorless(environment: [String: String], options: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["query", "p.sqlite", "pokemon", "--columns", "type2"] + options, environment: environment)
    #expect(try await terminal.finish() == 0)
    #expect(terminal.transcript.contains("null") && !terminal.transcript.contains("\u{1B}"))
  }

  @Test("COLUMNS counts more than the terminal's width")
  func columns() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["query", "p.sqlite", "pokemon", "id = 6", "--columns", "name,note"], environment: ["COLUMNS": "16"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text == "name     note\n───────  ───────\nChariz…  a \"quo…\n")
  }

  @Test("output that fits the screen goes through no pager")
  func short() async throws {
    let workshop = try await Self.workshop()
    let arguments = ["query", "t.sqlite", "t", "--limit", "7", "--columns", "name", "--format", "csv"]
    let terminal = try workshop.terminal(arguments, height: 9, environment: ["PAGER": Self.pager])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text == "name\n" + (1...7).map { "name \($0)\n" }.joined())
  }

  @Test("output that does not fit goes through the pager, messages come after it, and the status is the command's")
  func long() async throws {
    let workshop = try await Self.workshop()
    let arguments = ["query", "t.sqlite", "t", "--page", "9", "--columns", "name", "--format", "csv"]
    let terminal = try workshop.terminal(arguments, height: 9, environment: ["PAGER": Self.pager])
    #expect(try await terminal.finish() == 0)
    #expect(
      terminal.text.hasPrefix(
        "paged, LESS=FRX\nname\n" + (1...9).map { "name \($0)\n" }.joined() + "end of pager\nnext page: --after "))
  }

  @Test("options of less that the user has set are left alone")
  func less() async throws {
    let workshop = try await Self.workshop()
    let terminal = try workshop.terminal(
      ["query", "t.sqlite", "t"], height: 9, environment: ["PAGER": Self.pager, "LESS": "S"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.hasPrefix("paged, LESS=S\n"))
  }

  @Test("help is paged too, and so are lists")
  func help() async throws {
    let terminal = try Workshop().terminal(["help", "query"], height: 9, environment: ["PAGER": Self.pager])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.hasPrefix("paged, ") && terminal.text.hasSuffix("end of pager\n"))
  }

  @Test(
    "no pager is no loss",
    arguments: [
      (["PAGER": ""], []), (["PAGER": "cat"], []), (["PAGER": "no-such-pager"], []),
      (["PAGER": "exit 9"], ["--no-pager"]), (["TERM": "dumb"], []), (["PATH": "/nowhere"], []),
    ] as [([String: String], [String])])
  func none(environment: [String: String], options: [String]) async throws {
    let workshop = try await Self.workshop(rows: 2_000)
    let terminal = try workshop.terminal(
      ["query", "t.sqlite", "t", "--columns", "id", "--format", "csv"] + options, height: 9, environment: environment)
    #expect(try await terminal.finish() == 0)
    let lines = terminal.text.split(separator: "\n").drop { $0 != "id" }
    #expect(lines.map(String.init) == ["id"] + (1...2_000).map(String.init))
  }

  @Test("a pager that is left early is no failure")
  func left() async throws {
    let workshop = try await Self.workshop(rows: 20_000)
    let terminal = try workshop.terminal(
      ["query", "t.sqlite", "t"], height: 9, environment: ["PAGER": "head -n 3; echo enough"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.split(separator: "\n").count == 4)
    #expect(terminal.text.hasSuffix("\nenough\n"))
  }

  @Test("Control-C is the pager's as long as it is there")
  func interruption() async throws {
    let workshop = try await Self.workshop(rows: 20_000)
    let pager = "trap 'echo interrupted' INT; read line; echo ready; while ! read key < /dev/tty; do :; done; echo left"
    let terminal = try workshop.terminal(["query", "t.sqlite", "t"], height: 9, environment: ["PAGER": pager])
    try await terminal.wait(for: "ready")
    try terminal.send("\u{3}")
    try await terminal.wait(for: "interrupted")
    // The tool gets the signal, too. It is for itself if the pager has ended.
    try await terminal.waitForSignals()
    try terminal.send("q\r")
    try await terminal.wait(for: "left")
    let status = try await terminal.finish()
    #expect(status == 0, "\(terminal.transcript)")
  }

  @Test("what fails is told after what was found before it, and by the status")
  func failure() async throws {
    let workshop = try await Self.workshop()
    let terminal = try workshop.terminal(["query", "t.sqlite", "nothing"], environment: ["PAGER": Self.pager])
    #expect(try await terminal.finish() == 2)
    #expect(terminal.text.contains("there is no table nothing"))
  }

  @Test("columns that don't fit are left out, and a note says how to see them")
  func note() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(["query", "p.sqlite", "pokemon", "id = 1"], width: 40)
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.contains("…\n"))
    #expect(
      terminal.text.hasSuffix(" of 7 columns fit; choose columns with --columns, or show all with --format line\n"))
  }
}
