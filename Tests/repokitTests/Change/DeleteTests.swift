import Testing

@Suite("repokit delete")
struct DeleteTests {
  @Test("deletes the rows that a query means, and tells what went with them")
  func deletion() async throws {
    let workshop = try await Workshop.withReferences()
    let outcome = try await workshop.run(["delete", "p.sqlite", "pokemon", "id in (6, 25)", "--yes"])
    #expect(
      outcome
        == Outcome(
          status: 0, output: "",
          messages: """
            deleted 2 rows of pokemon
              3 rows of note were deleted with them
              1 row of team no longer refers to them

            """))
    #expect(try await workshop.lines("pokemon", "id") == ["1", "4", "143"])
    #expect(try await workshop.lines("note", "id") == [])
    #expect(try await workshop.lines("team", "id,lead") == ["1\t\\N", "2\t4"])
  }

  @Test("shows with --dry-run the rows and what would go with them, and changes no byte")
  func dryRun() async throws {
    let workshop = try await Workshop.withReferences()
    let outcome = try await workshop.runUnchanged(["delete", "p.sqlite", "pokemon", "id = 25", "--dry-run"])
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: "id\tname\tjapanese_name\ttype1\ttype2\tweight\tnote\n25\tPikachu\tピカチュウ\telectric\t\\N\t6.0\t\\N\n",
          messages: "would delete 1 of 5 rows of pokemon\n  1 row of note would be deleted with it\n"))
  }

  @Test("follows references as far as they go, and counts a row once")
  func chain() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES t ON DELETE CASCADE)",
      "INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2), (4, NULL)",
      "CREATE TABLE leaf (id INTEGER PRIMARY KEY, t INTEGER REFERENCES T ON DELETE CASCADE)",
      "INSERT INTO leaf VALUES (1, 3), (2, 3), (3, 4)")
    let outcome = try await workshop.run(["delete", "a.sqlite", "t", "id in (1, 2)", "--yes"])
    #expect(
      outcome.messages == """
        deleted 2 rows of t
          2 rows of leaf were deleted with them
          1 row of t was deleted with them

        """)
    #expect(try await workshop.lines("leaf", "id", in: "a.sqlite") == ["3"])
  }

  @Test("deletes nothing where a row still refers to one of them")
  func restricted() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE egg (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES pokemon)",
      "INSERT INTO egg VALUES (1, 6)")
    let outcome = try await workshop.runUnchanged(["delete", "p.sqlite", "pokemon", "true", "--yes"])
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.hasPrefix("error: parent of egg refers to a row of pokemon that was to be deleted\n"),
      "\(outcome.messages)")
  }

  @Test(
    "wants to be told which rows",
    arguments: [["delete", "p.sqlite", "pokemon", "--yes"], ["delete", "p.sqlite", "pokemon", "", "--yes"]])
  func noCondition(arguments: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(try await workshop.run(["delete", "p.sqlite", "pokemon", "true", "--yes"]).status == 0)
    #expect(try await workshop.lines("pokemon", "id") == [])
  }

  @Test("takes values for the parameters of its query, as the columns hold them")
  func parameters() async throws {
    let workshop = try await Workshop.withPokemon()
    let name = "x' or true or name = '"
    let delete = ["delete", "p.sqlite", "pokemon", "name = :name or id = :id", "--param"]
    let outcome = try await workshop.run(delete + ["name=\(name)", "--param", "id=6", "--yes"])
    #expect(outcome == Outcome(status: 0, output: "", messages: "deleted 1 row of pokemon\n"))
    let set = ["set", "p.sqlite", "pokemon", "note = :note", "weight=7", "--param"]
    // A text, since the column holds texts.
    #expect(
      try await workshop.run(set + ["note=007", "--yes"])
        == Outcome(status: 0, output: "", messages: "changed 1 row of pokemon\n"))
    #expect(try await workshop.lines("pokemon", "id,weight") == ["1\t7.0", "4\t8.5", "25\t6.0", "143\t460.0"])
    for arguments in [set + ["other=1"], ["set", "p.sqlite", "pokemon", "id = :id", "weight=7"]] {
      #expect(try await workshop.runUnchanged(arguments + ["--yes"]).status == 2)
    }
    #expect(
      try await workshop.runUnchanged(
        ["set", "p.sqlite", "pokemon", "id = :id", "weight=7", "--param", "id=six", "--yes"]
      ).messages.hasPrefix("error: --param id: \"six\" is nothing that id may hold\n"))
  }
}
