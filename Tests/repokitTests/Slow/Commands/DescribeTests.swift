import Foundation
import Testing

@Suite("repokit describe")
struct DescribeTests {
  @Test("shows each column to people")
  func table() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(
      ["describe", "p.sqlite", "pokemon", "--columns", "id,type1,type2,weight", "--format", "table"])
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: """
            pokemon: 5 rows

            column  type     nulls  distinct  min       max       mean  spread        most common
            ──────  ───────  ─────  ────────  ────────  ──────  ──────  ────────────  ─────────────────────────────────────
            id      integer      0         5  1         143       35.8  █ ▃        ▃
            type1   text         0         4  electric  normal          4–8 long      fire 2, electric 1, grass 1, normal 1
            type2   text         3         2  flying    poison          6 long        flying 1, poison 1
            weight  real         0         5  6         460     114.38  █ ▃        ▃

            """, messages: ""))
  }

  @Test(
    "fits a terminal: first the extremes get short, and then the common values are left out", arguments: [130, 90, 60])
  func narrow(width: Int) async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["describe", "p.sqlite", "pokemon", "--columns", "name,type1", "--no-pager"], width: width)
    #expect(try await terminal.finish() == 0)
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.dropFirst().prefix(4).allSatisfy { $0.count <= width }, "\(terminal.text)")
    #expect(terminal.text.contains("most common\n") == (width > 60))
    #expect(terminal.text.contains("note: the most common values don't fit") == (width == 60))
  }

  @Test("gives programs all aggregates, and lists as lists")
  func json() async throws {
    let workshop = try await Workshop.withPokemon()
    let arguments = ["describe", "p.sqlite", "pokemon", "type1 = 'fire'", "--columns", "weight,type2", "--format"]
    let outcome = try await workshop.run(arguments + ["json"])
    #expect(
      outcome.output == """
        [
        {"column":"weight","type":"real","rows":2,"nulls":0,"distinct":2,"integers":0,"reals":2,"texts":0,"blobs":0,\
        "unreadable":0,"min":8.5,"max":90.5,"mean":49.5,"min_length":null,"max_length":null,"mean_length":null,\
        "common":[{"value":8.5,"count":1},{"value":90.5,"count":1}],\
        "histogram":{"from":8.5,"to":90.5,"width":6.833333333333334,"counts":[1,0,0,0,0,0,0,0,0,0,0,1]}},
        {"column":"type2","type":"text","rows":2,"nulls":1,"distinct":1,"integers":0,"reals":0,"texts":1,"blobs":0,\
        "unreadable":0,"min":"flying","max":"flying","mean":null,"min_length":6,"max_length":6,"mean_length":6.0,\
        "common":[{"value":"flying","count":1}],"histogram":null}
        ]

        """)
    let parsed = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
    #expect(parsed?.count == 2)
    let lines = try await workshop.run(arguments + ["ndjson"]).output.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    let csv = try await workshop.run(arguments + ["csv"]).output
    #expect(csv.contains(",\"[{\"\"value\"\":\"\"flying\"\",\"\"count\"\":1}]\",\n"))
  }

  @Test("shows in lines that are no terminal's whole values, and all that are common")
  func lines() async throws {
    let workshop = try Workshop()
    let (long, longest) = (String(repeating: "abcdefgh ", count: 10), String(repeating: "z", count: 300))
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "x\n\(long)end\n\(long)end\n\(longest)\n")
    let outcome = try await workshop.run(["describe", "t.sqlite", "t", "--format", "line"])
    let cut = longest.prefix(199) + "…"
    for line in ["min         = \(long)end", "max         = \(cut)", "most common = \(long)end 2, \(cut) 1"] {
      #expect(outcome.output.contains(line + "\n"), "\(outcome)")
    }
    let terminal = try workshop.terminal(["describe", "t.sqlite", "t", "--format", "line", "--no-pager"], width: 200)
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.contains("abcdefgh abcdef…"), "\(terminal.text)")
  }

  @Test("agrees with group about means and counts")
  func agreement() async throws {
    let workshop = try await Workshop.withPokemon()
    let profile = try await workshop.run(["describe", "p.sqlite", "pokemon", "--columns", "weight", "--format", "csv"])
    let aggregates = try await workshop.run(
      [
        "group", "p.sqlite", "pokemon", "--count", "--min", "weight", "--max", "weight", "--avg", "weight", "--format",
        "csv",
      ])
    let mean = try #require(aggregates.output.split(separator: "\n").last?.split(separator: ",").last)
    #expect(profile.output.contains(",6.0,460.0,\(mean),"))
  }

  @Test(
    "is refused for what is no column, no number and no table",
    arguments: [
      (["pokemon", "--columns", "nam"], "no column nam in pokemon"), (["pokemn"], "there is no table pokemn"),
      (["pokemon", "--top", "-1"], "--top: write a number from 0 to 1000"), (["pokemon", "weight >"], "expected"),
      (["pokemon", "--top", "x"], "--top: \"x\" is not a whole number"),
    ])
  func mistakes(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["describe", "p.sqlite"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
  }

  @Test("reads 10 MB of text, escapes and marks of direction, and shows none of them")
  func hostileText() async throws {
    let workshop = try Workshop()
    let long = String(repeating: "é", count: 5_000_000)
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "x\n\(long)\n\u{1B}[31mred\n\u{202E}abc\n")
    for format in ["table", "markdown", "line"] {
      let outcome = try await workshop.run(["describe", "t.sqlite", "t", "--format", format])
      #expect(outcome.status == 0)
      #expect(outcome.output.utf8.count < 2_000)
      #expect(!outcome.output.contains("\u{1B}"))
      #expect(!outcome.output.unicodeScalars.contains("\u{202E}"))
      #expect(outcome.output.contains("ééééééééééééééé…"))
    }
  }
}

@Suite("repokit tables")
struct TablesTests {
  @Test("shows rows and sizes, exactly for programs and in short for people")
  func sizes() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(
      try await workshop.run(["tables", "p.sqlite"]).output == "table\tkind\trows\tsize\npokemon\ttable\t5\t4096\n")
    #expect(
      try await workshop.run(["tables", "p.sqlite", "--format", "json"]).output
        == "[\n{\"table\":\"pokemon\",\"kind\":\"table\",\"rows\":5,\"size\":4096}\n]\n")
    #expect(
      try await workshop.run(["tables", "p.sqlite", "--format", "table"]).output == """
        table    kind   rows     size
        ───────  ─────  ────  ───────
        pokemon  table     5  4.0 KiB

        """)
  }

  @Test("gives names alone, and makes them visible")
  func names() async throws {
    let workshop = try Workshop()
    for table in ["b", "a\u{1B}[31m", "a\nb"] {
      let outcome = try await workshop.run(["import", "t.sqlite", table, "-"], input: "x\n1\n")
      #expect(outcome.status == 0, "\(outcome.messages)")
    }
    #expect(try await workshop.run(["tables", "t.sqlite", "--names"]).output == "a␊b\na␛[31m\nb\n")
    let both = try await workshop.run(["tables", "t.sqlite", "--names", "--format", "csv"])
    #expect(both.status == 2)
    #expect(both.messages.hasPrefix("error: --names and --format can't be combined\n"))
  }

  @Test("of a database without any is empty")
  func empty() async throws {
    let workshop = try Workshop()
    try workshop.write("", to: "empty.sqlite")
    #expect(try await workshop.run(["tables", "empty.sqlite"]).output == "table\tkind\trows\tsize\n")
    #expect(try await workshop.run(["tables", "empty.sqlite", "--names"]).output == "")
    #expect(try await workshop.run(["schema", "empty.sqlite"]).output == "")
  }
}
