import Testing

@Suite("A column is made to refer to a table")
struct ReferenceCommandTests {
  static let tables = [
    "CREATE TABLE album (id INTEGER PRIMARY KEY, code TEXT NOT NULL, title TEXT)",
    """
    CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, album INTEGER, code TEXT, length INTEGER, \
    CHECK (length > 0))
    """,
    "CREATE INDEX \"track.length\" ON track (length)", "CREATE VIEW long AS SELECT title FROM track WHERE length > 200",
    "INSERT INTO album VALUES (1, 'a', 'Dawn'), (2, 'b', 'Noon')",
    "INSERT INTO track VALUES (1, 'One', 1, 'a', 100), (2, 'Two', 2, 'b', 300), (3, 'Three', NULL, NULL, 250)",
  ]

  private func check(_ database: String, in workshop: Workshop) async throws {
    let made = try await workshop.run([
      "column", "reference", database, "track", "album", "album on delete cascade", "--yes",
    ])
    #expect(made.messages == "made album of track refer to album (id)\n", "\(made)")
    let path = try await workshop.run(["query", database, "track", "album.title = 'Dawn'", "--columns", "id"])
    #expect(path.output == "id\n1\n", "\(path)")
    let again = try await workshop.run(["column", "reference", database, "track", "album", "album", "--yes"])
    #expect(again.messages == "error: album of track already refers to album\n")
    let many = try await workshop.run(["column", "reference", database, "track", "code", "album.code", "--yes"])
    #expect(many.messages.hasPrefix("error: code of album is not unique\n"))
    #expect(try await workshop.run(["index", "add", database, "album", "code", "--unique", "--yes"]).status == 0)
    #expect(
      try await workshop.run(["column", "reference", database, "track", "code", "album.code", "--dry-run"]).status == 0)
    let gone = try await workshop.run(["delete", database, "album", "id = 2", "--yes"])
    #expect(gone.messages.contains("1 row of track was deleted with it"), "\(gone)")
    #expect(try await workshop.run(["count", database, "long"]).output == "1\n")
  }

  @Test("by a key or a unique column, and all else of the table stays")
  func file() async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    try await check("p.sqlite", in: workshop)
    let schema = try await workshop.run(["schema", "p.sqlite", "track", "--sql"])
    #expect(schema.output.contains("CHECK (length > 0)") && schema.output.contains("\"track.length\""))
    #expect(try await workshop.run(["check", "p.sqlite"]).status == 0)
  }

  @Test(
    "which is named alone, and perhaps in quotes",
    arguments: [
      ("album default 3", "error: \"album default 3\": unexpected word \"default\"\n"),
      (".", "error: \".\": the referenced table is missing\n"),
      ("album on delete", "error: \"album on delete\": the rule after on delete is missing\n"),
      ("album.ID", "error: no column ID in album\n  did you mean id?\n"),
      ("\"my.album\"", "would have album of track refer to my.album (id)\n"),
      ("\"my.album\".\"a code\" on delete set null", "would have album of track refer to my.album (a code)\n"),
      ("album.\"id\"", "would have album of track refer to album (id)\n"),
    ])
  func target(target: String, message: String) async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    try workshop.execute(
      "p.sqlite", "CREATE TABLE \"my.album\" (id INTEGER PRIMARY KEY, \"a code\" INTEGER UNIQUE)",
      "INSERT INTO \"my.album\" VALUES (1, 1), (2, 2)")
    let outcome = try await workshop.runUnchanged([
      "column", "reference", "p.sqlite", "track", "album", target, "--dry-run",
    ])
    #expect(outcome.messages.hasPrefix(message), "\(outcome)")
  }

  @Test("by its bytes, however its accents are spelled")
  func spellings() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE a (id INTEGER PRIMARY KEY)",
      "CREATE TABLE b (\"\u{E9}\" INTEGER REFERENCES a, \"e\u{301}\" INTEGER)")
    let outcome = try await workshop.run(["column", "reference", "p.sqlite", "b", "e\u{301}", "a", "--yes"])
    #expect(outcome.status == 0, "\(outcome)")
    let again = try await workshop.run(["column", "reference", "p.sqlite", "b", "e\u{301}", "a", "--yes"])
    #expect(again.messages.contains("already refers to a"), "\(again)")
  }

  @Test("unless a row refers to nothing")
  func broken() async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    try workshop.execute("p.sqlite", "UPDATE track SET album = 7 WHERE id = 1")
    let outcome = try await workshop.runUnchanged([
      "column", "reference", "p.sqlite", "track", "album", "album", "--yes",
    ])
    #expect(outcome.messages.contains("would refer to missing rows of album"), "\(outcome)")
  }

  @Test("on a server", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      for statement in Self.tables {
        try await schema.execute(
          statement.replacing("INTEGER PRIMARY KEY", with: "int8 PRIMARY KEY").replacing("INTEGER", with: "int8"))
      }
      try await check(schema.uri, in: workshop)
      let vacuumed = try await workshop.run(["vacuum", schema.uri])
      #expect(vacuumed.messages == "the server can reuse the space of deleted rows\n", "\(vacuumed)")
    }
  }

  @Test("and that is a difference, as indexes and checks are")
  func difference() async throws {
    let workshop = try Workshop()
    for database in ["p.sqlite", "q.sqlite"] {
      for statement in Self.tables { try workshop.execute(database, statement) }
    }
    #expect(try await workshop.run(["diff", "p.sqlite", "q.sqlite"]).status == 0)
    try workshop.execute("q.sqlite", "DROP INDEX \"track.length\"")
    #expect(
      try await workshop.run(["column", "reference", "q.sqlite", "track", "album", "album", "--yes"]).status == 0)
    let outcome = try await workshop.run(["diff", "p.sqlite", "q.sqlite"])
    #expect(
      outcome.output == """
        table\tdifference\tkey\tcolumn\tp\tq
        track\tindex\t\\N\t\\N\t(length)\t\\N
        track\treference\t\\N\t\\N\t\\N\t(album) to album (id)

        """)
  }
}
