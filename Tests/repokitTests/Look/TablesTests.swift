import Testing

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
    #expect(both.messages.hasPrefix("error: --names and --format exclude each other\n"))
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
