import Foundation
import Testing

@Suite("repokit watch")
struct WatchTests {
  private static let selection = ["watch", "p.sqlite", "pokemon", "id < 10", "--columns", "id,name"]

  @Test("ends after as many results as it is told")
  func once() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(Self.selection + ["--times", "1", "--sort=-id"])
    #expect(
      outcome == Outcome(status: 0, output: "id\tname\n6\tCharizard\n4\tCharmander\n1\tBulbasaur\n", messages: ""))
  }

  @Test("shows what another program has changed, an empty line before it")
  func change() async throws {
    let workshop = try await Workshop.withPokemon()
    // The second result waits for a row that the shell adds as soon as it has read the first.
    let outcome = try await workshop.shell(
      """
      $repokit watch p.sqlite pokemon 'id < 3' --columns id,name --times 2 | {
        read heading; read first; echo "$heading"; echo "$first"
        printf 'id,name,japanese_name,type1,type2,weight,note\\n2,Ivysaur,x,grass,,13,\\n' |
          $repokit import p.sqlite pokemon - --append 2> import.txt
        cat
      }
      """)
    #expect(outcome.status == 0)
    #expect(outcome.output == "id\tname\n1\tBulbasaur\n\nid\tname\n1\tBulbasaur\n2\tIvysaur\n")
  }

  @Test("puts each result in the place of the one before on a terminal, and ends by Control-C with status 130")
  func terminal() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(Self.selection, width: 60, height: 20)
    let first = try await terminal.wait(for: "Charizard")
    #expect(first.hasPrefix("\u{1B}[H\u{1B}[2J"))
    #expect(first.contains("pokemon  3 rows  "))
    let row = "id,name,japanese_name,type1,type2,weight,note\n7,Squirtle,x,water,,9,\n"
    let added = try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--append"], input: row)
    #expect(added.status == 0)
    let second = try await terminal.wait(for: "Squirtle")
    #expect(second.contains("\u{1B}[H\u{1B}[2J"))
    #expect(second.contains("pokemon  4 rows  "))
    try terminal.send("\u{3}")
    #expect(try await terminal.finish() == 130)
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("shows no more lines than the terminal has")
  func height() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["watch", "p.sqlite", "pokemon", "--columns", "id", "--times", "1"], width: 60, height: 8)
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.hasSuffix("1\n  4\n… 3 lines more\n\u{1B}[?7h"), "\(terminal.text)")
  }

  @Test("ends in silence when its reader leaves, though nothing changes")
  func leavingReader() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell(
      "{ $repokit watch p.sqlite pokemon 'id = 1' --columns id; echo $? > status.txt; } | head -n 1; cat status.txt")
    #expect(outcome == Outcome(status: 0, output: "id\n0\n", messages: ""))
  }

  @Test("is refused as query is, and for a number of results that is none")
  func mistakes() async throws {
    let workshop = try await Workshop.withPokemon()
    for arguments in [["weigt = 3"], ["weight >"], ["--sort", "nam"], ["--limit", "-1"], ["--columns", "nam"]] {
      let watched = try await workshop.run(["watch", "p.sqlite", "pokemon"] + arguments)
      #expect(watched == (try await workshop.run(["query", "p.sqlite", "pokemon"] + arguments)))
      #expect(watched.status == 2)
    }
    let none = try await workshop.run(["watch", "p.sqlite", "pokemon", "--times", "0"])
    #expect(none.status == 2)
    #expect(none.messages.hasPrefix("error: --times: it has to be 1 or more\n"))
  }
}
