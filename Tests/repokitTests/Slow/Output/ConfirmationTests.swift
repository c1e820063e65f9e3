import Testing

@Suite("A question before a change")
struct ConfirmationTests {
  private static let deletion = ["delete", "p.sqlite", "pokemon", "id in (6, 25)", "--color", "never"]

  @Test("shows what is about to happen, and what it sets off")
  func question() async throws {
    let workshop = try await Workshop.withReferences()
    let terminal = try workshop.terminal(Self.deletion)
    try await terminal.wait(for: "[y/N] ")
    try terminal.send("y\r")
    #expect(try await terminal.finish() == 0)
    #expect(
      terminal.text == """
        delete: 2 of 5 rows of pokemon
          6, Charizard, リザードン, fire, flying, 90.5, a "quoted", long␊note
          25, Pikachu, ピカチュウ, electric, null, 6.0, null
          3 rows of note would be deleted with them
          1 row of team would no longer refer to them
        Delete 2 rows? [y/N] y
        deleted 2 of 5 rows of pokemon
          3 rows of note were deleted with them
          1 row of team no longer refers to them

        """)
    #expect(try await workshop.lines("pokemon", "id") == ["1", "4", "143"])
  }

  @Test(
    "is answered by no unless the user says yes, and changes no byte then",
    arguments: ["\r", "n\r", "no\r", "\u{4}", "x\rx\rx\r"])
  func no(answer: String) async throws {
    let workshop = try await Workshop.withReferences()
    let before = try workshop.read("p.sqlite")
    for arguments in [Self.deletion, ["set", "p.sqlite", "pokemon", "true", "weight=1", "--color", "never"]] {
      let terminal = try workshop.terminal(arguments)
      try await terminal.wait(for: "[y/N] ")
      try terminal.send(answer)
      #expect(try await terminal.finish() == 1)
      #expect(terminal.text.hasSuffix("repokit changed nothing\n  you did not answer yes\n"))
      #expect(try workshop.read("p.sqlite") == before)
    }
  }

  @Test("about what takes nothing away is answered by yes with Return")
  func addition() async throws {
    let workshop = try await Workshop.withReferences()
    let terminal = try workshop.terminal(["insert", "p.sqlite", "note", "text=new", "--color", "never"])
    try await terminal.wait(for: "Insert the row? [Y/n] ")
    try terminal.send("\r")
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text.hasSuffix("inserted 1 row into note\n4\n"))
    let index = try workshop.terminal(["index", "add", "p.sqlite", "note", "text", "--color", "never"])
    try await index.wait(for: "Add the index? [Y/n] ")
    try index.send("\r")
    #expect(try await index.finish() == 0)
    let drop = try workshop.terminal(["index", "drop", "p.sqlite", "note.text", "--color", "never"])
    try await drop.wait(for: "Drop the index? [y/N] ")
    try drop.send("\r")
    #expect(try await drop.finish() == 1)
  }

  @Test("holds no other program up, and is void where another one changes the rows meanwhile")
  func meanwhile() async throws {
    let workshop = try await Workshop.withReferences()
    // As many rows, but others.
    for change in ["note=other", "id=7"] {
      let terminal = try workshop.terminal(["set", "p.sqlite", "pokemon", "weight < 9", "type2=x", "--color", "never"])
      try await terminal.wait(for: "[y/N] ")
      #expect(try await workshop.run(["set", "p.sqlite", "pokemon", "id = 1 or id = 7", change, "--yes"]).status == 0)
      let before = try workshop.read("p.sqlite")
      try terminal.send("y\r")
      #expect(try await terminal.finish() == 1)
      #expect(
        terminal.text.hasSuffix(
          """
          error: another program changed pokemon, so repokit changed nothing
            the change would differ from the change that you confirmed
            run the command again to see the new state

          """))
      #expect(try workshop.read("p.sqlite") == before)
    }
  }

  @Test("is not asked about nothing")
  func nothing() async throws {
    let workshop = try await Workshop.withReferences()
    let terminal = try workshop.terminal(["delete", "p.sqlite", "pokemon", "id = 7", "--color", "never"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.text == "no row of pokemon matches, so no row was deleted\n")
  }

  @Test("ends with Control-C, and leaves nothing behind")
  func interruption() async throws {
    let workshop = try await Workshop.withReferences()
    let (before, files) = (try workshop.read("p.sqlite"), try workshop.files())
    let terminal = try workshop.terminal(Self.deletion)
    try await terminal.wait(for: "[y/N] ")
    try terminal.send("\u{3}")
    #expect(try await terminal.finish() == 130)
    #expect(try workshop.read("p.sqlite") == before)
    #expect(try workshop.files() == files)
  }

  @Test("shows no escapes of what is stored or typed")
  func escapes() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "INSERT INTO t VALUES (1, char(27) || '[31mred')")
    let terminal = try workshop.terminal(["set", "a.sqlite", "t", "true", "a=\u{1B}[32mgreen", "--color", "never"])
    try await terminal.wait(for: "[y/N] ")
    try terminal.send("n\r")
    #expect(try await terminal.finish() == 1)
    #expect(terminal.text.contains("  a = ␛[32mgreen\n  1, ␛[31mred\n"))
    #expect(!terminal.transcript.contains("\u{1B}["))
  }

  @Test("needs a terminal to be read and to be answered", arguments: ["< /dev/null", "2> messages"])
  func noTerminal(redirection: String) async throws {
    let workshop = try await Workshop.withReferences()
    let terminal = try workshop.terminal(
      shell: "$repokit delete p.sqlite pokemon true \(redirection); echo \"status $?\"; cat messages 2> /dev/null",
      width: 200)
    #expect(try await terminal.finish() != 130)
    #expect(terminal.text.contains("status 2\n"))
    #expect(terminal.text.contains("and there is no terminal"))
  }

  @Test("is void where the index that it is about is another one meanwhile")
  func otherIndex() async throws {
    let workshop = try await Workshop.withReferences()
    try workshop.execute("p.sqlite", "CREATE INDEX a ON pokemon (name)")
    let terminal = try workshop.terminal(["index", "drop", "p.sqlite", "a", "--color", "never"])
    try await terminal.wait(for: "[y/N] ")
    try workshop.execute("p.sqlite", "DROP INDEX a", "CREATE UNIQUE INDEX a ON pokemon (name)")
    try terminal.send("y\r")
    #expect(try await terminal.finish() == 1)
    #expect(
      terminal.text.hasSuffix(
        """
        error: another program changed a, so repokit changed nothing
          the change would differ from the change that you confirmed
          run the command again to see the new state

        """))
    #expect(try await workshop.run(["index", "list", "p.sqlite"]).output.contains("a\tpokemon\tname\tyes\t"))
  }

  @Test("is asked about an index whose table may grow meanwhile")
  func grownIndex() async throws {
    let workshop = try await Workshop.withReferences()
    try workshop.execute("p.sqlite", "CREATE INDEX a ON note (text)")
    let terminal = try workshop.terminal(["index", "drop", "p.sqlite", "a", "--color", "never"])
    try await terminal.wait(for: "[y/N] ")
    try workshop.execute("p.sqlite", "INSERT INTO note (text) VALUES (hex(zeroblob(100000)))")
    try terminal.send("y\r")
    #expect(try await terminal.finish() == 0)
  }

  @Test(
    "is void where there is no more room for a new index",
    arguments: [
      (
        "CREATE INDEX \"NOTE.text\" ON team (lead)",
        "the index NOTE.text already exists\n  NOTE.text is an index of team (lead)\n"
      ),
      (
        "CREATE UNIQUE INDEX other ON note (text)",
        "note already has this index\n  the index other has the same columns\n"
      ),
      (
        "INSERT INTO note (text) VALUES ('hot')",
        "text can't be unique: rows of note have equal values\n  2 rows: 'hot'\n"
      ),
      ("ALTER TABLE note RENAME COLUMN text TO words", "no column text in note\n"),
    ])
  func noRoom(change: String, message: String) async throws {
    let workshop = try await Workshop.withReferences()
    let terminal = try workshop.terminal(["index", "add", "p.sqlite", "note", "text", "--unique", "--color", "never"])
    try await terminal.wait(for: "[Y/n] ")
    try workshop.execute("p.sqlite", change)
    let before = try workshop.read("p.sqlite")
    try terminal.send("y\r")
    #expect(try await terminal.finish() != 0)
    #expect(terminal.text.contains("error: \(message)"), "\(terminal.text)")
    #expect(try workshop.read("p.sqlite") == before)
  }
}
