import Repository
import Testing

@testable import pokedex

@Suite("The command line")
struct ArgumentsTests {
  @Test(
    "Commands and options",
    arguments: [
      ("", .highlights),
      ("list", .list(PokemonFilter(), sort: .primaryKey, limit: nil)),
      ("list --type Fire", .list(PokemonFilter(type: .fire), sort: .primaryKey, limit: nil)),
      (
        "list --heavier-than 90 --habitat waters-edge --limit 3",
        .list(PokemonFilter(habitat: .watersEdge, heavierThan: 90), sort: .primaryKey, limit: 3)
      ),
      (
        "list --lighter-than 1.5 --legendary --name é --sort weight",
        .list(
          PokemonFilter(lighterThan: 1.5, nameContains: "é", isLegendary: true), sort: .ascending(key: "weight"),
          limit: nil)
      ),
      (
        "list --where speed>100",
        .list(PokemonFilter(query: .greaterThan(key: "speed", value: 100)), sort: .primaryKey, limit: nil)
      ),
      ("show pikachu", .show("pikachu")), ("show 25", .show("25")), ("show -1", .show("-1")),
      ("help", .help), ("--help", .help), ("list -h", .help),
    ] as [(String, Arguments.Command)])
  func commands(line: String, command: Arguments.Command) throws {
    #expect(try Arguments(line.split(separator: " ").map(String.init)).command == command)
  }

  @Test(
    "Another file may be named for every command",
    arguments: ["--csv a.csv", "list --csv a.csv", "show --csv a.csv mew"])
  func csvPath(line: String) throws {
    #expect(try Arguments(line.split(separator: " ").map(String.init)).csvPath == "a.csv")
  }

  @Test(
    "A database may be named for every command",
    arguments: ["--database postgresql://h/d", "list --database postgresql://h/d --limit 1"])
  func database(line: String) throws {
    #expect(try Arguments(line.split(separator: " ").map(String.init)).database == "postgresql://h/d")
  }

  @Test(
    "What means nothing is refused in words that help",
    arguments: [
      ("lits", "there is no command lits"), ("list --colour red", "list takes no --colour"),
      ("list fire", "list takes no fire"),
      ("list --type", "--type takes a value"), ("list --type fier", "--type takes no fier, but one of bug, dark"),
      ("list --habitat moon", "but one of cave"),
      ("list --heavier-than much", "--heavier-than takes a number, not much"),
      ("list --lighter-than nan", "takes a number"), ("list --limit -1", "--limit takes a count, not -1"),
      ("list --where weight>", "--where can't be read: expected a value"), ("list --sort ,", "--sort can't be read"),
      ("show", "show takes a name or a number"), ("show a b", "show takes no b"),
      ("--type fire", "highlights takes no --type"),
    ])
  func misuse(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try Arguments(line.split(separator: " ").map(String.init)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
