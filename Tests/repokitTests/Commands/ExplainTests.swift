import Foundation
import SQLInspection
import SQLiteInspection
import SQLiteStore
import Testing

@Suite("repokit explain")
struct ExplainTests {
  private static let selection = """
    SELECT "id", "name", "japanese_name", "type1", "type2", "weight", "note" FROM "pokemon"
    """

  @Test("shows the query, the SQL, its values, the plan, and an index that would help")
  func advice() async throws {
    let workshop = try await Workshop.withPokemon()
    let before = try workshop.read("p.sqlite")
    let outcome = try await workshop.run(["explain", "p.sqlite", "pokemon", "type1='fire' and weight>90"])
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: """
            query      type1 = 'fire' and weight > 90
            sql        \(Self.selection) WHERE "type1" = ? AND "weight" > ? ORDER BY "id" ASC
            values     'fire'
                       90.0
            plan       reads all rows of pokemon
            indexes    none
            advice     CREATE INDEX "pokemon.type1.weight" ON "pokemon" ("type1", "weight")
            new plan   looks up rows of pokemon by the index pokemon.type1.weight (type1=? AND weight>?)
                       sorts the rows in a temporary tree
            to create  repokit index add p.sqlite pokemon type1 weight

            """, messages: ""))
    #expect(try workshop.read("p.sqlite") == before)
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("says where no index would help")
  func noAdvice() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(
      ["explain", "p.sqlite", "pokemon", "id = 3", "--sort=-id", "--limit", "2", "--offset", "1"])
    #expect(
      outcome.output == """
        query    id = 3 --sort 'id desc' --limit 2 --offset 1
        sql      \(Self.selection) WHERE "id" = ? ORDER BY "id" DESC LIMIT ? OFFSET ?
        values   3
                 2
                 1
        plan     looks up rows of pokemon by primary key (rowid=?)
        indexes  only the primary key
        advice   no index improves the plan

        """)
  }

  @Test("gives programs a row for each line")
  func rows() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["explain", "p.sqlite", "pokemon", "note = 'x'", "--format", "ndjson"])
    #expect(outcome.output.contains("{\"part\":\"values\",\"text\":\"'x'\"}\n"))
    #expect(outcome.output.contains("{\"part\":\"plan\",\"text\":\"reads all rows of pokemon\"}\n"))
    #expect(outcome.output.contains("{\"part\":\"to create\",\"text\":\"repokit index add p.sqlite pokemon note\"}\n"))
  }

  @Test("is refused as query is")
  func mistakes() async throws {
    let workshop = try await Workshop.withPokemon()
    for arguments in [["weigt = 3"], ["weight >"], ["--sort", "nam"], ["--limit", "-1"], ["weight = 'x'"]] {
      let explained = try await workshop.run(["explain", "p.sqlite", "pokemon"] + arguments)
      let asked = try await workshop.run(["query", "p.sqlite", "pokemon"] + arguments)
      #expect(explained == asked)
      #expect(explained.status == 2)
    }
  }
}

@Suite("A database with migrations")
struct MigrationTests {
  @Test("tells of them beside its tables, and their own table is none of those")
  func schema() async throws {
    let workshop = try Workshop()
    do {
      let store = try SQLiteStore(path: "\(workshop.path)/a.sqlite")
      try await store.migrate([
        Migration("create type") { try $0.execute("CREATE TABLE type (name TEXT NOT NULL PRIMARY KEY) STRICT") },
        Migration("two\nlines") { _ in },
      ])
    }
    let outcome = try await workshop.run(["schema", "a.sqlite"])
    #expect(outcome.messages == "")
    let times = outcome.output.matches(of: #/  [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z  /#)
    #expect(times.count == 2)
    #expect(
      outcome.output.replacing(#/ [0-9]{4}-[^ ]*Z /#, with: " (time) ")
        == "type\n  name  text     key\n\napplied migrations\n  (time)  create type\n  (time)  two␊lines\n")
    #expect(try await workshop.run(["tables", "a.sqlite", "--names"]).output == "type\n")
    let names = try await workshop.run([
      "query", "a.sqlite", "repokit_migrations", "--columns", "name", "--format", "csv",
    ])
    #expect(names.output.hasPrefix("name\ncreate type\n"))
  }

  @Test("of another program under that name is described without them")
  func stranger() async throws {
    let workshop = try Workshop()
    do {
      let store = try SQLiteStore(path: "\(workshop.path)/a.sqlite")
      try await store.sql.execute("CREATE TABLE repokit_migrations (a)")
      try await store.sql.execute("CREATE TABLE b (a)")
    }
    let outcome = try await workshop.run(["schema", "a.sqlite"])
    #expect(outcome.output == "b\n  a  any      may be null, declared without a type\n")
  }
}

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
    #expect(terminal.text.hasSuffix("1\n  4\n… 3 more lines\n\u{1B}[?7h"), "\(terminal.text)")
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
    #expect(none.messages.hasPrefix("error: --times: write a number of at least 1\n"))
  }
}
