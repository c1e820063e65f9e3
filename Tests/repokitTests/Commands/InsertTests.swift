import SQLInspection
import SQLiteInspection
import SQLiteStore
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
        error: the row for pokemon needs name, japanese_name, weight
          the columns are required, without a default

        """
      ),
      (
        ["insert", "p.sqlite", "pokemon", "id=6", "name=x", "japanese_name=x", "type1=x", "weight=1"], 1,
        "error: a row with id 6 already exists\n  id is unique\n"
      ),
      (
        ["insert", "p.sqlite", "note", "pokemon=7"], 1,
        "error: no pokemon has id 7\n  pokemon refers to pokemon: add the row of pokemon first\n"
      ),
    ] as [([String], Int32, String)])
  func refusal(arguments: [String], status: Int32, messages: String) async throws {
    let workshop = try await Workshop.withReferences()
    #expect(
      try await workshop.runUnchanged(arguments + ["--yes"]) == Outcome(status: status, output: "", messages: messages))
  }
}

@Suite("repokit delete")
struct DeleteTests {
  @Test("deletes the rows that match a query, and tells what went with them")
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
    let outcome = try await workshop.runUnchanged(["delete", "p.sqlite", "pokemon", "true", "--yes", "--all"])
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.hasPrefix("error: can't delete a row of pokemon, because parent of egg refers to the row\n"),
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
    #expect(try await workshop.run(["delete", "p.sqlite", "pokemon", "true", "--yes", "--all"]).status == 0)
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
        ["set", "p.sqlite", "pokemon", "id = :id", "weight=7", "--param", "id=six", "--yes"]).messages.hasPrefix(
          "error: --param id: \"six\" does not compare with id\n"))
  }
}

extension Workshop {
  /// A folder with the five Pokémon, and tables that refer to them: notes that go with a Pokémon, and teams that lose it.
  static func withReferences() async throws -> Workshop {
    let workshop = try await withPokemon()
    try workshop.execute(
      "p.sqlite",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, pokemon INTEGER REFERENCES pokemon ON DELETE CASCADE, text TEXT)",
      "INSERT INTO note (pokemon, text) VALUES (6, 'hot'), (6, 'red'), (25, 'loud')",
      "CREATE TABLE team (id INTEGER PRIMARY KEY, lead INTEGER REFERENCES pokemon ON DELETE SET NULL)",
      "INSERT INTO team VALUES (1, 6), (2, 4)")
    return workshop
  }

  /// Runs statements on a database, which is made if there is none, as another program would.
  func execute(_ database: String, _ statements: String...) throws {
    let store = try SQLiteStore(path: "\(path)/\(database)", journal: .unchanged)
    for statement in statements { try store.blocking.sql.execute(SQLStatement(verbatim: statement)) }
  }

  /// Runs the tool, and expects that it does nothing to a database.
  func runUnchanged(
    _ arguments: [String], database: String = "p.sqlite", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let (bytes, names) = (try read(database), try files())
    let outcome = try await run(arguments)
    #expect(try read(database) == bytes, sourceLocation: sourceLocation)
    #expect(try files() == names, sourceLocation: sourceLocation)
    return outcome
  }

  /// The first columns of a table's rows, by key.
  func lines(_ table: String, _ columns: String, in database: String = "p.sqlite") async throws -> [String] {
    let outcome = try await run(["query", database, table, "--columns", columns, "--format", "tsv"])
    try #require(outcome.status == 0, "\(outcome.messages)")
    return outcome.output.split(separator: "\n").dropFirst().map(String.init)
  }
}
