import Testing

@Suite("repokit insert")
struct InsertTests {
  @Test("adds a row and prints its key")
  func insertion() async throws {
    let workshop = try await Workshop.withReferences()
    let outcome = try await workshop.run(
      ["insert", "p.sqlite", "pokemon", "name=Squirtle", "japanese_name=ゼニガメ", "type1=water", "weight=9", "id=7", "-y"])
    #expect(outcome == Outcome(status: 0, output: "7\n", messages: "inserted 1 row into pokemon\n"))
    #expect(try await workshop.lines("pokemon", "id,name,type2,weight,note")[3] == "7\tSquirtle\t\\N\t9.0\t\\N")
    #expect(try await workshop.run(["insert", "p.sqlite", "note", "pokemon=7", "--yes"]).output == "4\n")
  }

  @Test(
    "prints the key, whatever it is",
    arguments: [
      ("id INTEGER PRIMARY KEY, a TEXT", "a=x", "1\n"), ("a TEXT PRIMARY KEY, b TEXT", "a=k", "k\n"),
      ("a TEXT, b INTEGER DEFAULT 3, PRIMARY KEY (b, a)", "a=x", "3\tx\n"),
      ("a TEXT, b TEXT DEFAULT 'd', PRIMARY KEY (a, b)) WITHOUT ROWID; --", "a=x", "x\td\n"), ("a TEXT", "a=x", ""),
      ("id TEXT PRIMARY KEY DEFAULT ('made ' || 1), a TEXT", "a=x", "made 1\n"),
      ("a TEXT PRIMARY KEY", "a=tab\there", "tab\\there\n"),
    ])
  func key(definition: String, assignment: String, output: String) async throws {
    let workshop = try Workshop()
    let statement = "CREATE TABLE t (\(definition))".replacing(/; --\)$/, with: "")
    try workshop.execute("a.sqlite", statement)
    let outcome = try await workshop.run(["insert", "a.sqlite", "t", assignment, "--yes"])
    #expect(outcome == Outcome(status: 0, output: output, messages: "inserted 1 row into t\n"))
  }

  @Test("leaves to the table what is left out")
  func defaults() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 5, m TEXT, d AS (n + 1))")
    #expect(try await workshop.run(["insert", "a.sqlite", "t", "m=x", "--yes"]).status == 0)
    #expect(try await workshop.lines("t", "id,n,m,d", in: "a.sqlite") == ["1\t5\tx\t6"])
  }

  @Test("shows the row with --dry-run, and changes no byte")
  func dryRun() async throws {
    let workshop = try await Workshop.withReferences()
    let outcome = try await workshop.runUnchanged(
      ["insert", "p.sqlite", "note", "pokemon=25", "text=null", "--dry-run", "--format", "ndjson"])
    #expect(
      outcome
        == Outcome(
          status: 0, output: "{\"id\":4,\"pokemon\":25,\"text\":null}\n", messages: "would insert 1 row into note\n"))
  }

  @Test(
    "explains what is in the way",
    arguments: [
      (
        ["insert", "p.sqlite", "pokemon", "id=7", "type1=water"], 2,
        """
        error: name, japanese_name, weight are missing in the row for pokemon
          they may not be null, and nothing stands for what is left out

        """
      ),
      (
        ["insert", "p.sqlite", "pokemon", "id=6", "name=x", "japanese_name=x", "type1=x", "weight=1"], 1,
        "error: another row of pokemon has the same id (a number)\n  id is unique\n"
      ),
      (
        ["insert", "p.sqlite", "note", "pokemon=7"], 1,
        "error: pokemon (a number) of note refers to no row of pokemon\n  save the row of pokemon first\n"
      ),
    ] as [([String], Int32, String)])
  func refusal(arguments: [String], status: Int32, messages: String) async throws {
    let workshop = try await Workshop.withReferences()
    #expect(
      try await workshop.runUnchanged(arguments + ["--yes"]) == Outcome(status: status, output: "", messages: messages))
  }
}
