import Testing
@testable import repokit

@Suite("The configuration file")
struct ConfigurationTests {
  private static let file = ConfigurationFile(path: "config")

  @Test("sets what its lines say, and nothing else")
  func settings() throws {
    let settings = try Self.file.settings(in: "# mine\n\n  format=json \r\ncolor = never\n\tpager\t=  less -S  \n")
    #expect(settings.format == .json)
    #expect(settings.color == .never)
    #expect(settings.pager == "less -S")
    let none = try Self.file.settings(in: "pager =")
    #expect(none.pager == "" && none.format == nil && none.color == .auto)
  }

  @Test(
    "is refused with its line",
    arguments: [
      ("format json", "config, line 1: expected `name = value`, found \"format json\"", nil),
      ("\n\nfromat = json", "config, line 3: unknown setting \"fromat\"", "did you mean format?"),
      ("format = jsn", "config, line 1: invalid value \"jsn\"", "did you mean json?"),
      ("color = red", "config, line 1: invalid value \"red\"", "the choices are auto, always, never"),
      ("color = auto\ncolor = auto", "config, line 2: color is given twice", nil),
    ] as [(String, String, String?)])
  func refusal(text: String, summary: String, detail: String?) {
    let failure = #expect(throws: Failure.self) { try Self.file.settings(in: text) }
    #expect(failure?.summary == summary)
    #expect(failure?.details.first == detail)
  }

  @Test("is found where XDG says, and options come before it")
  func place() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.write("format = ndjson\n", to: "own/repokit/config")
    let query = "query p.sqlite pokemon 'id = 1' --columns id"
    func run(_ variables: String, _ more: String = "") async throws -> String {
      try await workshop.shell("env \(variables) $repokit \(query) \(more)").output
    }
    #expect(try await run("XDG_CONFIG_HOME=\(workshop.path)/own") == "{\"id\":1}\n")
    #expect(try await run("XDG_CONFIG_HOME=\(workshop.path)/own", "--format csv") == "id\n1\n")
    // A relative path is to be ignored.
    #expect(try await run("XDG_CONFIG_HOME=own") == "id\n1\n")
    try workshop.write("format = json\n", to: "home/.config/repokit/config")
    #expect(try await run("HOME=\(workshop.path)/home") == "[\n{\"id\":1}\n]\n")
  }

  @Test("that is wrong stops a command, but not the help")
  func wrong() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.write("colour = never\n", to: "own/repokit/config")
    let variables = "env XDG_CONFIG_HOME=\(workshop.path)/own"
    let outcome = try await workshop.shell("\(variables) $repokit tables p.sqlite")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.messages.contains("line 1: unknown setting \"colour\"\n  did you mean color?"))
    #expect(try await workshop.shell("\(variables) $repokit tables --help").status == 0)
  }

  @Test("keeps the history in the user's folder of states")
  func path() {
    func path(_ variables: [String: String]) -> String? { UserFolder.state.path { variables[$0] } }
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/repokit")
    #expect(path(["HOME": "/h"]) == "/h/.local/state/repokit")
    #expect(path(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/repokit")
    #expect(path(["XDG_STATE_HOME": ""]) == nil)
    #expect(path([:]) == nil)
  }
}
