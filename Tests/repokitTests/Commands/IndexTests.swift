import Testing

@Suite("repokit index")
struct IndexTests {
  @Test("adds, lists and drops indexes")
  func indexes() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.execute("p.sqlite", "CREATE INDEX odd ON pokemon (lower(name), id) WHERE weight > 9")
    #expect(
      try await workshop.run(["index", "add", "p.sqlite", "pokemon", "type1", "weight", "--yes"])
        == Outcome(status: 0, output: "", messages: "added the index pokemon.type1.weight of pokemon (type1, weight)\n")
    )
    #expect(
      try await workshop.run(["index", "add", "p.sqlite", "pokemon", "name", "--unique", "--name", "by name", "-y"])
        == Outcome(status: 0, output: "", messages: "added the unique index by name of pokemon (name)\n"))
    let list = try await workshop.run(["index", "list", "p.sqlite", "pokemon", "--format", "csv"])
    #expect(
      list.output.replacing(/,4096\n/, with: "\n") == """
        name,table,columns,unique,made_by,rows,bytes
        by name,pokemon,name,yes,index,all
        odd,pokemon,"(expression), id",no,index,some
        pokemon.type1.weight,pokemon,"type1, weight",no,index,all

        """)
    #expect(
      try await workshop.run(["index", "drop", "p.sqlite", "by name", "--yes"])
        == Outcome(status: 0, output: "", messages: "dropped the unique index by name of pokemon (name)\n"))
    #expect(try await workshop.run(["index", "list", "p.sqlite"]).output.split(separator: "\n").count == 3)
    #expect(try await workshop.run(["check", "p.sqlite"]).status == 0)
  }

  @Test("adds the index that was advised, from great to small and by bytes included")
  func descending() async throws {
    let workshop = try await Workshop.withPokemon()
    let explain = ["explain", "p.sqlite", "pokemon", "type1 = 'fire'", "--sort=-weight"]
    let advice = try await workshop.run(explain)
    let command = "repokit index add p.sqlite pokemon type1 'weight desc'"
    #expect(advice.output.hasSuffix("to create  \(command)\n"), "\(advice)")
    let added = try await workshop.shell("\"$repokit\" \(command.dropFirst(8)) --yes")
    #expect(added.messages == "added the index pokemon.type1.weight of pokemon (type1, weight desc)\n")
    let then = try await workshop.run(explain)
    #expect(then.output.contains("indexes  pokemon.type1.weight\nadvice   no index improves the plan"), "\(then)")
    #expect(
      try await workshop.run(["index", "add", "p.sqlite", "pokemon", "type1", "weight DESC", "--yes"]).status == 1)
    // A name goes before an order.
    try workshop.execute("p.sqlite", "CREATE TABLE odd (\"a desc\", a COLLATE NOCASE)")
    let named = try await workshop.run(["index", "add", "p.sqlite", "odd", "a desc", "--yes"])
    #expect(named.messages == "added the index odd.\"a desc\" of odd (a desc)\n", "\(named)")
    try workshop.execute(
      "p.sqlite", "ALTER TABLE odd ADD COLUMN \"or der\"", "ALTER TABLE odd ADD COLUMN \"\"\"q\"\"\"")
    for (text, keys) in [("\"or der\"", "or der"), ("\"a\" desc", "a desc"), ("\"q\"", "\"q\"")] {
      let quoted = try await workshop.run(["index", "add", "p.sqlite", "odd", text, "--yes"])
      #expect(quoted.messages.hasSuffix(" of odd (\(keys))\n"), "\(quoted)")
    }
    let twice = try await workshop.run(["index", "add", "p.sqlite", "pokemon", "name", "name desc", "--yes"])
    #expect(twice.status == 2 && twice.messages.hasPrefix("error: name is given twice"), "\(twice)")
    let binary = try await workshop.run(["explain", "p.sqlite", "odd", "a = 'x'"])
    #expect(binary.output.contains("to create  sqlite3 p.sqlite 'CREATE INDEX "), "\(binary)")
  }

  @Test(
    "adds one from great to small on a server",
    .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func serverDescending() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute("CREATE TABLE t (a int8, b int8 NOT NULL)")
      for keys in [["a desc"], ["b desc", "a"]] {
        let outcome = try await workshop.run(["index", "add", "\(schema.uri)", "t"] + keys + ["--yes"])
        #expect(outcome.status == 0, "\(outcome)")
      }
      let schema = try await workshop.run(["schema", "\(schema.uri)", "t"])
      #expect(schema.output.contains("a desc"), "\(schema)")
    }
  }

  @Test("lists what made an index, and how big it is")
  func origins() async throws {
    let workshop = try Workshop()
    try workshop.execute("a.sqlite", "CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT UNIQUE)")
    let list = try await workshop.run(["index", "list", "a.sqlite", "--format", "json"])
    #expect(
      list.output == """
        [
        {"name":"sqlite_autoindex_t_1","table":"t","columns":"a","unique":"yes","made_by":"key","rows":"all","bytes":4096},
        {"name":"sqlite_autoindex_t_2","table":"t","columns":"b","unique":"yes","made_by":"rule","rows":"all","bytes":4096}
        ]

        """)
    #expect(
      try await workshop.run(["index", "drop", "a.sqlite", "sqlite_autoindex_t_2", "--yes"])
        == Outcome(
          status: 1, output: "",
          messages: "error: can't drop sqlite_autoindex_t_2\n  the index belongs to a unique constraint of t\n"))
  }

  @Test("changes no byte with --dry-run")
  func dryRun() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(
      try await workshop.runUnchanged(["index", "add", "p.sqlite", "pokemon", "name", "--unique", "--dry-run"])
        == Outcome(
          status: 0, output: "", messages: "would add the unique index pokemon.name of pokemon (name) over 5 rows\n"))
    try workshop.execute("p.sqlite", "CREATE INDEX a ON pokemon (name)")
    #expect(
      try await workshop.runUnchanged(["index", "drop", "p.sqlite", "a", "--dry-run"])
        == Outcome(status: 0, output: "", messages: "would drop the index a of pokemon (name)\n"))
  }

  @Test("tells which values are in the way of a unique one, as an index compares them")
  func duplicates() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER)",
      "INSERT INTO t VALUES ('x', 1), ('X', 1), ('x', 1), ('y', 2), ('y', 2), ('y', 3), (NULL, 4), (NULL, 4)")
    for arguments in [["--yes"], ["--dry-run"]] {
      #expect(
        try await workshop.runUnchanged(
          ["index", "add", "a.sqlite", "t", "a", "b", "--unique"] + arguments, database: "a.sqlite")
          == Outcome(
            status: 1, output: "",
            messages: """
              error: a and b can't be unique: rows of t have equal values
                3 rows: 'x', 1
                2 rows: 'y', 2

              """))
    }
  }

  @Test(
    "refuses what makes no sense",
    arguments: [
      (["add", "p.sqlite", "pokemon", "wieght"], "no column wieght in pokemon\n  did you mean weight?\n"),
      (["add", "p.sqlite", "pokemn", "weight"], "there is no table pokemn\n  did you mean pokemon?\n"),
      (["add", "p.sqlite", "pokemon", "name", "name"], "name is given twice\n"),
      (["add", "p.sqlite", "pokemon"], "COLUMN is missing\n"),
      (
        ["add", "p.sqlite", "pokemon", "type1"],
        "the index pokemon.type1 already exists\n  pokemon.type1 is an index of pokemon (type1)\n  --name sets another name\n"
      ),
      (
        ["add", "p.sqlite", "pokemon", "type1", "--name", "other"],
        "pokemon already has this index\n  the index pokemon.type1 has the same columns\n"
      ),
      (["drop", "p.sqlite", "pokemon.typ1"], "there is no index pokemon.typ1\n  did you mean pokemon.type1?\n"),
      (["list", "p.sqlite", "pokemn"], "there is no table pokemn\n  did you mean pokemon?\n"),
      (["lst", "p.sqlite"], "unknown command \"index lst\"\n  did you mean list?\n"),
      ([], "index needs a subcommand\n  the subcommands are index add, index drop, index rebuild, index list\n"),
    ] as [([String], String)])
  func refusal(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.execute("p.sqlite", "CREATE INDEX \"pokemon.type1\" ON pokemon (type1)")
    let changes = ["add", "drop"].contains(arguments.first ?? "") ? ["--yes"] : []
    let outcome = try await workshop.runUnchanged(["index"] + arguments + changes)
    #expect(outcome.status != 0)
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
  }

  @Test(
    "is not changed without a terminal to ask on",
    arguments: [["add", "p.sqlite", "pokemon", "name"], ["drop", "p.sqlite", "a"]])
  func question(arguments: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(["index"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("asks before a change, and there is no terminal\n"))
  }

  @Test("tells names apart that differ in Unicode's spelling of a letter alone")
  func spelling() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (\"\(composed)\" TEXT, \"\(decomposed)\" TEXT)",
      "CREATE INDEX \"\(composed)\" ON t (\"\(composed)\")", "CREATE INDEX \"\(decomposed)\" ON t (\"\(decomposed)\")",
      "INSERT INTO t VALUES (hex(zeroblob(9000)), 'x')")
    let add = ["index", "add", "a.sqlite", "t"]
    let both = try await workshop.run(add + [composed, decomposed, "--name", "both", "--yes"])
    #expect(both.messages.utf8.elementsEqual("added the index both of t (\(composed), \(decomposed))\n".utf8))
    // SQLite folds the letters of ASCII alone.
    #expect(try await workshop.run(add + [composed, "--unique", "--name", "\u{C9}", "--yes"]).status == 0)
    let list = try await workshop.run(["index", "list", "a.sqlite", "--format", "csv"])
    let lines = list.output.split(separator: "\n").filter { $0.contains(",no,") }
    #expect(Set(lines.map { $0.split(separator: ",").last }).count > 1)
    let drop = try await workshop.run(["index", "drop", "a.sqlite", decomposed, "--yes"])
    #expect(drop.messages.utf8.elementsEqual("dropped the index \(decomposed) of t (\(decomposed))\n".utf8))
    let rest = try await workshop.run(["index", "list", "a.sqlite", "--format", "csv"]).output
    #expect(rest.split(separator: "\n").count == 4)
    #expect(!rest.unicodeScalars.split(separator: "\n").contains { $0.first == "e" })
  }
}
