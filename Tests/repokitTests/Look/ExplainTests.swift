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
            sql        \(Self.selection) WHERE "type1" = ? AND "weight" > ? ORDER BY "id" ASC NULLS FIRST
            values     'fire'
                       90.0
            plan       reads all rows of pokemon
            indexes    none
            advice     CREATE INDEX "pokemon.type1.weight" ON "pokemon" ("type1", "weight")
            plan then  looks up rows of pokemon by the index pokemon.type1.weight (type1=? AND weight>?)
                       sorts what it found in a temporary tree
            to add it  repokit index add p.sqlite pokemon type1 weight

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
        sql      \(Self.selection) WHERE "id" = ? ORDER BY "id" DESC NULLS LAST LIMIT ? OFFSET ?
        values   3
                 2
                 1
        plan     looks up rows of pokemon by the primary key (rowid=?)
        indexes  none but the primary key
        advice   no index was found that would make a better plan

        """)
  }

  @Test("gives programs a row for each line")
  func rows() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["explain", "p.sqlite", "pokemon", "note = 'x'", "--format", "ndjson"])
    #expect(outcome.output.contains("{\"part\":\"values\",\"text\":\"'x'\"}\n"))
    #expect(outcome.output.contains("{\"part\":\"plan\",\"text\":\"reads all rows of pokemon\"}\n"))
    #expect(outcome.output.contains("{\"part\":\"to add it\",\"text\":\"repokit index add p.sqlite pokemon note\"}\n"))
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
