import Testing

@Suite("Commands follow references to other tables")
struct RelationTests {
  static let tables = [
    "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    // Names in a reference may be in another case.
    "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist INTEGER NOT NULL REFERENCES ARTIST (ID))",
    "CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT, album INTEGER REFERENCES album, length INTEGER, at TEXT)",
    "INSERT INTO artist VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cy')",
    "INSERT INTO album VALUES (1, 'Dawn', 1), (2, 'Noon', 2)",
    """
    INSERT INTO track VALUES (1, 'One', 1, 100, '2021-01-02 00:00:00'), (2, 'Two', 1, 300, '2021-01-09 10:00:00'), \
    (3, 'Three', 2, 200, '2021-02-01 00:00:00'), (4, 'Four', NULL, 50, NULL)
    """,
  ]

  static let calls: [([String], String)] = [
    (["query", "p.sqlite", "track", "album.artist.name = 'Ann'", "--columns", "name"], "name\nOne\nTwo\n"),
    (["query", "p.sqlite", "track", "length / 100 = 1 and album.title is not null", "--columns", "id"], "id\n1\n"),
    (["query", "p.sqlite", "artist", "no album"], "id\tname\n3\tCy\n"),
    (
      ["query", "p.sqlite", "album", "true", "--sort", "-sum(length of track)", "--columns", "title"],
      "title\nDawn\nNoon\n"
    ),
    (["count", "p.sqlite", "artist", "any album by artist (any track by album (length > 250))"], "1\n"),
    (
      ["group", "p.sqlite", "track", "--by", "album.artist.name", "--sum", "length"],
      "album.artist.name\tsum(length)\n\\N\t50\nAnn\t400\nBen\t200\n"
    ),
    (
      ["group", "p.sqlite", "track", "--by", "yearMonth(at)", "--count", "--sort=-count", "--limit", "1"],
      "yearMonth(at)\tcount\n2021-01\t2\n"
    ),
    (["count", "p.sqlite", "track", "album.artist.id < :x", "--param", "x=2"], "2\n"),
    (["count", "p.sqlite", "track", "album.artist.id > :x", "--param", "x=5"], "0\n"),
    (["count", "p.sqlite", "album", "any track (length = :x)", "--param", "x=300"], "1\n"),
    (
      ["count", "p.sqlite", "track", "length(name) > :x and length / :y = 1", "--param", "x=2", "--param", "y=100"],
      "1\n"
    ),
    (["group", "p.sqlite", "track", "--avg", "length / 100"], "average(length / 100)\n1.5\n"),
  ]

  @Test("to find, to count and to group", arguments: calls)
  func read(arguments: [String], output: String) async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    for engine in ["database", "memory"] {
      let outcome = try await workshop.run(arguments + ["--engine", engine])
      #expect(outcome == Outcome(status: 0, output: output, messages: ""), "\(engine)")
    }
  }

  @Test("to set and to delete, also where that is only shown")
  func write() async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    let condition = "album.artist.name = 'Ann' and length > 100"
    let shown = try await workshop.runUnchanged(["delete", "p.sqlite", "track", condition, "--dry-run"])
    #expect(shown.messages == "would delete 1 of 4 rows of track\n")
    let set = try await workshop.run(["set", "p.sqlite", "track", condition, "name=Long", "--yes"])
    #expect(set.messages == "changed 1 row of track\n")
    let deleted = try await workshop.run(["delete", "p.sqlite", "track", "album.title = 'Noon'", "--yes"])
    #expect(deleted.messages == "deleted 1 row of track\n")
    #expect(try await workshop.lines("track", "id,name") == ["1\tOne", "2\tLong", "4\tFour"])
  }

  @Test("to describe, and not for pages")
  func others() async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    let described = try await workshop.run([
      "describe", "p.sqlite", "track", "album.title = 'Dawn' and length(name) = 3",
    ])
    #expect(described.status == 0 && described.output.contains("2"))
    let pages = try await workshop.run(["query", "p.sqlite", "track", "--sort", "length(name)", "--page", "2"])
    #expect(pages.status == 2 && pages.messages.contains("pages can't follow the order of length(name)"))
  }

  @Test("and to explain, with the names of the tables")
  func explain() async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    let plan = try await workshop.run([
      "explain", "p.sqlite", "track", "album.artist.name = 'Ann' and no track", "--sort", "count(track)",
    ])
    #expect(plan.status == 2 && plan.messages.contains("rows of track don't refer to track"))
    let explained = try await workshop.run(["explain", "p.sqlite", "artist", "any album (any track (length > 250))"])
    #expect(explained.output.contains("plan       reads all rows of artist\n"), "\(explained.output)")
    #expect(explained.output.contains("             for each of these rows\n"), "\(explained.output)")
    #expect(!explained.output.contains("rows of r"), "\(explained.output)")
  }

  @Test(
    "and say what is wrong where it is",
    arguments: [
      ("track", "name = 'x' and albm.title = 'x'", "               ^", "did you mean album.title?"),
      ("track", "name = 'x' and album.titel = 'x'", "                     ^", "did you mean title?"),
      ("track", "album.artist.nam = 'x'", "             ^", "did you mean name?"),
      ("track", "album.title.nam = 'x'", "      ^", "columns of album with a reference: artist"),
      ("track", "length > 5 and (name || 'x' = 5 or id = 1)", "                ^", "put the number in quotes"),
      ("track", "length(album.id) = 1", "^", "needs text"), ("track", "lower(name) = 'x'", "^", "write folded(…)"),
      ("track", "id = 1 or any artist", "              ^", "rows of artist don't refer to track"),
      ("artist", "no album (any track by albm)", "              ^", "track refers to album by album"),
      ("artist", "no album (any trak (id = 1))", "              ^", "did you mean track?"),
      ("artist", "any album (any track (lengt > 1))", "                      ^", "did you mean length?"),
      ("artist", "count(album where titel = 'x') = 1", "                  ^", "did you mean title?"),
      ("artist", "name = 'x' and sum(titel of album) > 1", "                   ^", "did you mean title?"),
      ("track", "lenght(name) > 1", "^", "did you mean length?"),
      ("track", "nme = 'x'", "^", "did you mean name?"),
    ])
  func refused(table: String, condition: String, caret: String, message: String) async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    let outcome = try await workshop.run(["query", "p.sqlite", table, condition])
    #expect(outcome.status == 2 && outcome.messages.contains(message), "\(outcome.messages)")
    #expect(outcome.messages.contains("\n  \(condition)\n  \(caret)\n"), "\(outcome.messages)")
  }

  @Test(
    "in sorts and keys of groups, too",
    arguments: [
      (["query", "p.sqlite", "track", "--sort"], "name, length(album.id) desc", "      ^", "needs text"),
      (["query", "p.sqlite", "track", "--sort"], "name desc, lenght", "           ^", "did you mean length?"),
      (["query", "p.sqlite", "track", "--sort"], "-album.artist.nam, id", "              ^", "did you mean name?"),
      (["explain", "p.sqlite", "track", "--sort"], "id, titel", "    ^", "the columns are"),
      (["group", "p.sqlite", "track", "--count", "--by"], "nam", "^", "did you mean name?"),
      (["group", "p.sqlite", "track", "--count", "--by"], "album.titel", "      ^", "did you mean title?"),
      (["group", "p.sqlite", "track", "--count", "--by"], "length(id)", "^", "needs text"),
    ])
  func refusedKeys(arguments: [String], text: String, caret: String, message: String) async throws {
    let workshop = try Workshop()
    for statement in Self.tables { try workshop.execute("p.sqlite", statement) }
    let outcome = try await workshop.run(arguments + [text])
    #expect(outcome.status == 2 && outcome.messages.contains(message), "\(outcome.messages)")
    #expect(outcome.messages.contains("\n  \(text)\n  \(caret)\n"), "\(outcome.messages)")
  }
}
