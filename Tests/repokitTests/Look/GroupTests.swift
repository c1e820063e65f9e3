import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("repokit group")
struct GroupTests {
  static let calls: [([String], String)] = [
    ([], "count\n5\n"),
    (["--by", "type1"], "type1\tcount\nelectric\t1\nfire\t2\ngrass\t1\nnormal\t1\n"),
    (["--by", "type2"], "type2\tcount\n\\N\t3\nflying\t1\npoison\t1\n"),
    (
      ["--by", "type1,type2", "--limit", "2", "--sort=-count"],
      "type1\ttype2\tcount\nelectric\t\\N\t1\nfire\t\\N\t1\n"
    ),
    // In the order in which they were written.
    (
      ["--max", "name", "--count", "--avg", "weight", "--min", "name", "--sum=id"],
      "max(name)\tcount\taverage(weight)\tmin(name)\tsum(id)\nSnorlax\t5\t114.38\tBulbasaur\t179\n"
    ),
    (["type1 = 'fire'", "--by", "type1", "--sum", "weight"], "type1\tsum(weight)\nfire\t99.0\n"),
    (["false", "--by", "type1"], "type1\tcount\n"),
    (["false", "--count", "--avg", "id"], "count\taverage(id)\n0\t\\N\n"),
    (["--by", "type1", "--sort=-count", "--limit", "1"], "type1\tcount\nfire\t2\n"),
    (["--by", "type1", "--sort", "count", "--limit", "1"], "type1\tcount\nelectric\t1\n"),
    (["--by", "type1", "--sort=-type1", "--limit", "2"], "type1\tcount\nnormal\t1\ngrass\t1\n"),
    (["--by", "type1", "--sort", "type1", "--limit", "1"], "type1\tcount\nelectric\t1\n"),
    (
      ["--by", "type1", "--avg", "weight", "--avg", "id", "--sort=-avg(weight)", "--limit", "1"],
      "type1\taverage(weight)\taverage(id)\nnormal\t460.0\t143.0\n"
    ),
    (
      ["--by", "type1", "--avg", "weight", "--sort", "avg", "--limit", "1"],
      "type1\taverage(weight)\nelectric\t6.0\n"
    ),
    (["--by", "type1", "--limit", "0"], "type1\tcount\n"),
  ]

  @Test("gives the same figures by either engine", arguments: calls)
  func figures(arguments: [String], output: String) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in ["sqlite", "memory"] {
      let outcome = try await workshop.run(["group", "p.sqlite", "pokemon", "--engine", engine] + arguments)
      #expect(outcome == Outcome(status: 0, output: output, messages: ""), "\(engine)")
    }
  }

  @Test(
    "is refused where it makes no sense",
    arguments: [
      (["--by", "typ1"], "no column typ1 in pokemon"), (["--by", "type1,type1"], "--by: type1 stands there twice"),
      (["--sum", "name"], "name holds texts and has no sum"),
      (["--avg", "id", "--avg", "id"], "--avg \"id\" stands there twice"),
      (["--by", "type1", "--sort", "cuont"], "--sort: groups can't be sorted by \"cuont\"\n  did you mean count?"),
      // Which of the two averages is meant?
      (["--avg", "id", "--avg", "weight", "--sort", "avg"], "--sort: groups can't be sorted by \"avg\""),
      (["--limit", "-1"], "the limit -1 is negative"),
      (["--chart", "--format", "csv"], "--chart and --format exclude"),
      (["--chart", "svg"], "--chart svg lacks its FILE"),
      (["--chart", "svg", "--count"], "--chart svg lacks its FILE"),
      (["--chart=pie"], "--chart: \"pie\" is none of its values\n  there are bars, ascii, svg"),
      (["--chart", "--chart"], "--chart stands there twice"),
      (["x ="], "expected"),
    ])
  func mistakes(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["group", "p.sqlite", "pokemon"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("draws bars, as wide as 80 columns where there is no terminal")
  func bars() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["group", "p.sqlite", "pokemon", "--by", "type1", "--chart"])
    #expect(
      outcome.output
        == """
        count
        electric  1  ██████████████████████████████████▌
        fire      2  ███████████████████████████████████████████████████████████████████
        grass     1  ██████████████████████████████████▌
        normal    1  ██████████████████████████████████▌

        """.replacingOccurrences(of: "█▌", with: "▌"))
    #expect(outcome.output.split(separator: "\n").map(\.count).max() == 80)
    let ascii = try await workshop.run(
      ["group", "p.sqlite", "pokemon", "--by", "type2", "--chart", "ascii", "--limit", "1"])
    #expect(ascii.output == "count\nnull  3  \(String(repeating: "#", count: 71))\n")
  }

  @Test("draws bars as wide as the terminal")
  func terminal() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["group", "p.sqlite", "pokemon", "--by", "type1", "--chart", "--no-pager"], width: 40)
    #expect(try await terminal.finish() == 0)
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.map(\.count).max() == 40)
    #expect(lines.count == 5)
  }

  @Test("draws a picture, word for word as the help has it")
  func picture() async throws {
    let workshop = try await Workshop.withPokemon()
    let arguments = [
      "group", "p.sqlite", "pokemon", "--by", "type1", "--avg", "weight", "--count", "--chart", "svg", "types.svg",
    ]
    #expect(try await workshop.run(arguments) == Outcome(status: 0, output: "", messages: ""))
    let picture = try workshop.read("types.svg")
    let parser = XMLParser(data: picture)
    #expect(parser.parse())
    let text = String(decoding: picture, as: UTF8.self)
    #expect(text.contains("<title>pokemon by type1</title>"))
    #expect(text.contains("<title>fire: 2</title>"))
    #expect(text.contains("prefers-color-scheme: dark"))
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv", "types.svg"])
    let again = try await workshop.run(arguments)
    #expect(again.status == 1)
    #expect(again.messages == "error: there is a file types.svg already\n  --force replaces it\n")
    try workshop.write("something else", to: "types.svg")
    #expect(try await workshop.run(arguments + ["--force"]) == Outcome(status: 0, output: "", messages: ""))
    #expect(try workshop.read("types.svg") == picture)
  }

  @Test("never takes the place of the database, by whatever name")
  func databaseAsPicture() async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.shell("ln p.sqlite hard.svg; ln -s p.sqlite soft.svg; : > p.sqlite-wal")
    let before = try workshop.read("p.sqlite")
    for (file, message) in [
      ("p.sqlite", "p.sqlite is the database itself"), ("hard.svg", "hard.svg is the database itself"),
      ("soft.svg", "soft.svg is the database itself"), ("./p.sqlite-wal", "./p.sqlite-wal belongs to the database"),
    ] {
      let picture = ["group", "p.sqlite", "pokemon", "--chart", "svg", file]
      for arguments in [
        picture, picture + ["--force"], ["export", "p.sqlite", "pokemon", file, "--format=csv", "--force"],
      ] {
        let outcome = try await workshop.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.messages.hasPrefix("error: \(message)\n"), "\(outcome.messages)")
      }
    }
    #expect(try workshop.read("p.sqlite") == before)
  }

  @Test("takes --force for a picture alone", arguments: [[], ["--chart"], ["--chart=ascii"]])
  func senselessForce(chart: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["group", "p.sqlite", "pokemon"] + chart + ["--force"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: --force makes no sense without --chart svg\n"), "\(outcome.messages)")
  }

  @Test("leaves a picture as it was where the new one can't be written")
  func unwritablePicture() async throws {
    let workshop = try await Workshop.withPokemon()
    for (file, message) in [
      ("none/types.svg", "none/types.svg can't be made"), (".", ". is a directory"),
      ("/dev/full", "/dev/full can't be written"),
    ] {
      let outcome = try await workshop.run(["group", "p.sqlite", "pokemon", "--chart", "svg", file])
      #expect(outcome.status == 1)
      #expect(outcome.messages.hasPrefix("error: \(message)\n"), "\(outcome.messages)")
    }
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }
}
