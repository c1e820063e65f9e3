import Foundation
import TestSupport
import Testing

@Suite("repokit query")
struct QueryTests {
  @Test("shows rows")
  func rows() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(
      try await workshop.run(["query", "p.sqlite", "pokemon", "--columns", "id,name,type2,weight,note"])
        == Outcome(
          status: 0,
          output: """
            id\tname\ttype2\tweight\tnote
            1\tBulbasaur\tpoison\t6.9\t007
            4\tCharmander\t\\N\t8.5\t
            6\tCharizard\tflying\t90.5\ta "quoted", long\\nnote
            25\tPikachu\t\\N\t6.0\t\\N
            143\tSnorlax\t\\N\t460.0\t100%

            """, messages: ""))
  }

  @Test("writes CSV from which the same table can be made")
  func roundTrip() async throws {
    let workshop = try await Workshop.withPokemon()
    let csv = try await workshop.run(["query", "p.sqlite", "pokemon", "--format", "csv"]).output
    #expect(csv == Workshop.pokemon)
    let again = try await workshop.run(["import", "q.sqlite", "pokemon", "-", "--key", "id"], input: csv)
    #expect(again.status == 0)
    #expect(try await workshop.rows("q.sqlite") == workshop.rows("p.sqlite"))
  }

  @Test(
    "finds the same rows in the same order by either engine", .tags(.slow),
    arguments: [
      ([], [1, 4, 6, 25, 143]),
      (["true"], [1, 4, 6, 25, 143]),
      (["false"], []),
      (["type1 = 'fire'"], [4, 6]),
      (["type1 != 'fire'"], [1, 25, 143]),
      (["type2 != 'flying'"], [1, 4, 25, 143]),
      (["not type2 = 'flying'"], [1, 4, 25, 143]),
      (["type2 is null"], [4, 25, 143]),
      (["type2 is not null and weight < 10"], [1]),
      (["weight between 6.9 and 90.5"], [1, 4, 6]),
      (["id in (25, 4, 25.0, 1000)"], [4, 25]),
      (["type2 in (null, 'poison')"], [1, 4, 25, 143]),
      (["japanese_name contains 'ザ'"], [6]),
      (["name starts with 'Char' and not name ends with 'zard'"], [4]),
      (["name like 'char%' ignoring case"], [4, 6]),
      (["name contains 'CHAR'"], []),
      (["note like '%\\%'"], [143]),
      (["note = ''"], [4]),
      (["note = '007'"], [1]),
      (["type1 = type2 or weight > id"], [1, 4, 6, 143]),
      (["weight = 9e999"], []),
      (["--sort", "-weight"], [143, 6, 4, 1, 25]),
      (["--sort=-weight,name", "--limit", "2"], [143, 6]),
      (["--sort", "type2 desc nulls first, name"], [4, 25, 143, 1, 6]),
      (["--sort", "type2, name desc"], [143, 25, 4, 6, 1]),
      (["--sort", "japanese_name"], [143, 4, 25, 1, 6]),
      (["--limit", "2", "--offset", "1"], [4, 6]),
      (["--offset", "4"], [143]),
      (["--limit", "0"], []),
      (["weight > 1", "--limit=9223372036854775807"], [1, 4, 6, 25, 143]),
      (["--offset=9223372036854775807"], []),
      (["--", "id > -1 and weight > -1e3"], [1, 4, 6, 25, 143]),
    ] as [([String], [Int])])
  func engines(arguments: [String], ids: [Int]) async throws {
    let workshop = try await Workshop.withPokemon()
    let command = ["query", "--format", "json"]
    let rest = ["p.sqlite", "pokemon"] + arguments
    let stored = try await workshop.run(command + rest)
    #expect(try await workshop.run(command + ["--engine", "memory"] + rest) == stored)
    #expect(stored.status == 0, "\(stored.messages)")
    // A hint may follow an empty result.
    #expect(stored.messages == "" || ids.isEmpty && stored.messages.hasPrefix("hint: "))
    let found = stored.output.split(separator: "\n").compactMap { line in
      line.split(separator: ",").first.flatMap { Int($0.drop { !$0.isNumber }) }
    }
    #expect(found == ids)
  }

  @Test("counts by either engine", arguments: [([], "5\n"), (["type1 = 'fire'"], "2\n"), (["false"], "0\n")])
  func count(query: [String], number: String) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in ["database", "memory"] {
      #expect(
        try await workshop.run(["count", "p.sqlite", "pokemon", "--engine", engine] + query)
          == Outcome(status: 0, output: number, messages: ""))
    }
  }

  @Test("selects columns in any order, also with a comma in their names")
  func columns() async throws {
    let workshop = try Workshop()
    try workshop.write("id,\"a,b\",select\n1,x,y\n", to: "t.csv")
    _ = try await workshop.run(["import", "t.sqlite", "t", "t.csv"])
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--columns", "select, \"a,b\""]).output
        == "select\ta,b\ny\tx\n")
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "\"a,b\" = 'x' and \"select\" = 'y'", "--sort", "\"a,b\""])
        .output
        == "id\ta,b\tselect\n1\tx\ty\n")
  }

  @Test("reads a table without a key in the order in which its rows were added, every one of them")
  func keyless() async throws {
    let workshop = try Workshop()
    try workshop.write("a,b\n2,x\n1,y\n2,x\n,z\n", to: "t.csv")
    _ = try await workshop.run(["import", "t.sqlite", "t", "t.csv"])
    for engine in ["database", "memory"] {
      #expect(
        try await workshop.run(["query", "t.sqlite", "t", "--engine", engine]).output
          == "a\tb\n2\tx\n1\ty\n2\tx\n\\N\tz\n")
      #expect(
        try await workshop.run(["query", "t.sqlite", "t", "--sort", "a", "--engine", engine]).output
          == "a\tb\n\\N\tz\n1\ty\n2\tx\n2\tx\n")
      #expect(
        try await workshop.run(["query", "t.sqlite", "t", "--limit", "2", "--offset", "1", "--engine", engine]).output
          == "a\tb\n1\ty\n2\tx\n")
      #expect(try await workshop.run(["count", "t.sqlite", "t", "a = 2", "--engine", engine]).output == "2\n")
    }
  }

  @Test("leaves the database as it is, and no file beside it")
  func readOnly() async throws {
    let workshop = try await Workshop.withPokemon()
    let before = try workshop.read("p.sqlite")
    for arguments in [
      ["query", "p.sqlite", "pokemon"], ["count", "p.sqlite", "pokemon", "--engine", "memory"], ["tables", "p.sqlite"],
      ["schema", "p.sqlite"],
    ] {
      #expect(try await workshop.run(arguments).status == 0)
    }
    #expect(try workshop.read("p.sqlite") == before)
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("lists and describes tables")
  func tables() async throws {
    let workshop = try await Workshop.withPokemon()
    _ = try await workshop.run(["import", "p.sqlite", "caught", "-", "--key", "at,id"], input: "id,at,x\n1,noon,\n")
    #expect(try await workshop.run(["tables", "p.sqlite", "--names"]).output == "caught\npokemon\n")
    let caught = """
      caught
        id  integer  key 2 of 2
        at  text     key 1 of 2
        x   text     may be null

      """
    let pokemon = """
      pokemon
        id             integer  key
        name           text
        japanese_name  text
        type1          text
        type2          text     may be null
        weight         real
        note           text     may be null

      """
    #expect(try await workshop.run(["schema", "p.sqlite", "caught"]).output == caught)
    #expect(try await workshop.run(["schema", "p.sqlite"]).output == caught + "\n" + pokemon)
  }

  @Test("answers about the Pokédex")
  func pokedex() async throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let workshop = try Workshop()
    let csv = root.appendingPathComponent("Examples/Pokedex/pokedex.csv").path
    let report = try await workshop.run(["import", "p.sqlite", "pokemon", csv, "--key", "id"])
    #expect(report.status == 0)
    #expect(report.messages.hasPrefix("imported 151 rows into pokemon (new table: id integer, name text, "))
    let query = "type1 = 'fire' and weight between 10 and 100 and name != 'Charmander'"
    for sort in [["--sort=-weight,name"], ["--sort", "-weight,name"], ["--engine", "memory", "--sort=-weight,name"]] {
      let arguments = ["query", "p.sqlite", "pokemon", query, "--limit", "5", "--columns", "name,weight"]
      #expect(
        try await workshop.run(arguments + ["--format", "table"] + sort).output == """
          name       weight
          ─────────  ──────
          Rapidash     95.0
          Charizard    90.5
          Moltres      60.0
          Magmar       44.5
          Ponyta       30.0

          """)
    }
  }
}
