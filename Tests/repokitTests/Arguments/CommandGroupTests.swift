import Testing
@testable import repokit

@Suite("A group of commands")
struct CommandGroupTests {
  struct Pond: CommandGroup {
    static let description = CommandDescription(
      name: "pond", summary: "Keeps fish.", examples: [.init(arguments: "pond feed 3", meaning: "Once.")],
      subcommands: [Feed.self, Drain.self])
  }

  struct Feed: Command {
    static let description = CommandDescription(
      name: "feed", group: "pond", summary: "Feeds them.", examples: [],
      positionals: [PositionalDescription(name: "TIMES", help: "How often.")])
    init(_ arguments: Arguments) throws(Failure) {}
    func run(_ console: Console) async throws {}
  }

  struct Drain: Command {
    static let description = CommandDescription(name: "drain", group: "pond", summary: "Lets them go.", examples: [])
    init(_ arguments: Arguments) throws(Failure) {}
    func run(_ console: Console) async throws {}
  }

  static func take(_ line: String) throws -> (command: any Command.Type, rest: [String]) {
    var words = line.split(separator: " ").map(String.init)[...]
    let command = try CommandList(sections: [("", [Pond.self, HelpCommand.self])], hidden: []).takeCommand(from: &words)
    return (command, Array(words))
  }

  @Test(
    "is called by two words",
    arguments: [
      ("pond feed 3", "pond feed", ["3"]), ("pond drain", "pond drain", []),
      ("pond feed --help", "pond feed", ["--help"]), ("pond feed pond", "pond feed", ["pond"]),
      ("help pond feed", "help", ["pond", "feed"]), ("pond", "pond", []),
      ("pond --help", "pond", ["--help"]), ("pond -h feed", "pond", ["-h", "feed"]),
    ] as [(String, String, [String])])
  func words(line: String, call: String, rest: [String]) throws {
    let taken = try Self.take(line)
    #expect(taken.command.description.call == call)
    #expect(taken.rest == rest)
  }

  @Test(
    "says which commands it has",
    arguments: [
      ("pond fed", "unknown command \"pond fed\"", "did you mean feed?"),
      ("pond zzz", "unknown command \"pond zzz\"", "the choices are feed, drain"),
      ("pnd feed", "unknown command \"pnd\"", "did you mean pond?"),
    ])
  func unknown(line: String, summary: String, suggestion: String) {
    let failure = #expect(throws: Failure.self) { try Self.take(line) }
    #expect(failure == Failure(summary, details: [suggestion], status: .usageError))
  }

  @Test("does nothing by itself")
  func incomplete() async throws {
    let pond = try Pond(try ArgumentParser.parse([], for: Pond.description))
    let failure = await #expect(throws: Failure.self) { try await pond.run(Console()) }
    #expect(
      failure
        == Failure(
          "pond needs a subcommand",
          details: ["the subcommands are pond feed, pond drain", "usage: repokit pond feed|drain …"],
          status: .usageError))
  }

  @Test("has a help, and so has each part")
  func help() {
    #expect(
      Pond.description.help.hasPrefix(
        """
        Keeps fish.

        Examples
          repokit pond feed 3
              Once.

        Usage
          repokit pond feed|drain …

        Commands
          feed   Feeds them.
          drain  Lets them go.

        Options
          --color WHEN
        """))
    #expect(Feed.description.help.contains("Usage\n  repokit pond feed TIMES\n"))
  }

  @Test("has no part of a part")
  func tooManyWords() {
    let failure = #expect(throws: Failure.self) {
      let words = ["help", "check", "x"]
      _ = try HelpCommand(try ArgumentParser.parse(words.dropFirst(), for: HelpCommand.description))
    }
    #expect(failure?.summary == "check has no subcommand \"x\"")
  }
}
