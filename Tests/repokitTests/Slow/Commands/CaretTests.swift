import Testing

@Suite("What is wrong in a text is pointed at, wherever the text stands")
struct CaretTests {
  /// Arguments behind the table, the text that is wrong, where, and what is said.
  static let cases: [(arguments: [String], text: String, caret: String, message: String)] = [
    (["query", "--columns"], "name, titel", "      ^", "no column titel in track"),
    (["query", "--columns"], "name, album.titel as x", "            ^", "did you mean title?"),
    (["query", "--columns"], "id, name * 2 as x", "    ^", "name is declared TEXT"),
    (["query", "--columns"], "id, length + lenght as x", "             ^", "did you mean length?"),
    (["query", "--columns"], "id +", "    ^", "expected"),
    (["query", "--sort"], "id, album.titel", "          ^", "did you mean title?"),
    (["query", "--top", "1", "--by"], "album.titel", "      ^", "did you mean title?"),
    (["export", "-", "--format", "csv", "--columns"], "id, album.titel", "          ^", "did you mean title?"),
    (["watch", "--columns"], "id, album.titel", "          ^", "did you mean title?"),
    (["group", "--by"], "album.titel", "      ^", "did you mean title?"),
    (["group", "--by"], "length + lenght", "         ^", "did you mean length?"),
    (["group", "--sum"], "length + lenght", "         ^", "did you mean length?"),
    (["group", "--sum"], "name", "^", "name stores text and has no sum"),
    (["group", "--avg"], "name || 'x'", "^", "has no average"),
    (["group", "--aggregate"], "sum(length where nam = 'x')", "                 ^", "did you mean name?"),
    (["group", "--aggregate"], "sum(name where length > 1)", "^", "name stores text and has no sum"),
    (["group", "--by", "album", "--having"], "count() > 1 and sum(name) > 1", "                ^", "has no sum"),
    (
      ["group", "--by", "album", "--having"], "count() > 1 and name = 'x'", "                ^",
      "does not group by name"
    ),
    (["group", "--by", "album", "--having"], "max(length + lenght) > 1", "             ^", "did you mean length?"),
    (
      ["group", "--by", "album", "--having"], "count(where album.titel = 'x') > 1", "                  ^",
      "did you mean title?"
    ),
    (
      ["group", "--by", "album", "--having"], "count() > 1 and count() = 'x'", "                ^",
      "with text"
    ),
    (["set", "true", "--yes", "--all"], "lenght = 5", "^", "did you mean length?"),
    (["set", "true", "--yes", "--all"], "length = lenght * 5", "         ^", "did you mean length?"),
    (["set", "true", "--yes", "--all"], "length = if(nam = 'x', 1, 2)", "            ^", "did you mean name?"),
    (
      ["set", "true", "--yes", "--all"], "length = name", "^",
      "length is declared INTEGER and can't store text, the result of name"
    ),
  ]

  @Test("by a caret", arguments: cases)
  func caret(arguments: [String], text: String, caret: String, message: String) async throws {
    let workshop = try Workshop()
    for statement in RelationTests.tables { try workshop.execute("p.sqlite", statement) }
    let call = [arguments[0], "p.sqlite", "track"] + arguments.dropFirst() + [text]
    let outcome = try await workshop.runUnchanged(call)
    #expect(outcome.status == 2 && outcome.output == "", "\(outcome.messages)")
    #expect(outcome.messages.contains("\n  \(text)\n  \(caret)\n"), "\(outcome.messages)")
    #expect(outcome.messages.contains(message), "\(outcome.messages)")
  }

  @Test("and the relation that was meant is named, however its name is written")
  func suggestions() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT)",
      "CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER REFERENCES Artist)",
      "CREATE TABLE Tracks (TrackId INTEGER PRIMARY KEY, album_id INTEGER REFERENCES Album)")
    for (table, query, suggestion) in [
      ("Tracks", "Album.title = 'x'", "album_id.Title"), ("Tracks", "albumid.Title = 'x'", "album_id.Title"),
      ("Tracks", "album.artist.name = 'x'", "album_id.ArtistId.Name"), ("Album", "Artists.Name = 'x'", "ArtistId.Name"),
      ("Album", "any tracks", "Tracks"), ("Album", "any Track", "Tracks"), ("Artist", "count(album) > 1", "Album"),
    ] {
      let outcome = try await workshop.run(["query", "p.sqlite", table, query])
      #expect(outcome.messages.contains("  did you mean \(suggestion)?\n"), "\(query): \(outcome.messages)")
    }
  }

  @Test(
    "and what is written by habit is answered with what is meant",
    arguments: [
      (["query", "artist", "album.title = 'x'"], "rows of album refer to this row: write any album (title …)"),
      (["query", "artist", "sum(album.id) > 1"], "write sum(id of album)"),
      (["query", "artist", "sum(id) > 1"], "name the referring table, such as sum(id of track)"),
      (["query", "artist", "any album where title = 'x'"], "write `any album (…)`"),
      (["query", "artist", "exists album"], "write `any album (…)`"),
      (["query", "artist", "none album"], "write `no album (…)`"),
      (["query", "track", "name + 'x' = 'x'"], "`||` joins text"),
      (["query", "track", "--columns", "count(*)"], "count(track) counts the rows that refer to this row"),
      (["query", "track", "--columns", "*, id"], "name each column"),
      (["query", "track", "-length > 5"], "write an argument that starts with - after --"),
      (["group", "track", "--by", "album", "--having", "count > 1"], "write count()"),
      (["query", "track", "album = 'Dawn'"], "hint: album is a number that refers to a row of album"),
    ])
  func habits(arguments: [String], answer: String) async throws {
    let workshop = try Workshop()
    for statement in RelationTests.tables { try workshop.execute("p.sqlite", statement) }
    let outcome = try await workshop.run([arguments[0], "p.sqlite"] + arguments.dropFirst())
    #expect(outcome.messages.contains(answer), "\(outcome.messages)")
  }

  @Test("Rows may refer by columns that are unique, or a key that may be null")
  func references() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE room (id INTEGER PRIMARY KEY, house INTEGER, number INTEGER, UNIQUE (house, number))",
      "CREATE TABLE bed (house INTEGER, number INTEGER, FOREIGN KEY (house, number) REFERENCES room (house, number))",
      "CREATE TABLE shelf (room TEXT, number INTEGER, PRIMARY KEY (room, number))",
      "CREATE TABLE book (room TEXT, number INTEGER, FOREIGN KEY (room, number) REFERENCES shelf)",
      "INSERT INTO room VALUES (1, 1, 1), (2, 1, 2), (3, NULL, 1)", "INSERT INTO bed VALUES (1, 2), (1, 2), (NULL, 1)",
      "INSERT INTO shelf VALUES ('a', 1), ('a', 2), (NULL, 1)", "INSERT INTO book VALUES ('a', 1), (NULL, 1)")
    for engine in ["database", "memory"] {
      for (table, query, count) in [
        ("room", "any bed", 1), ("room", "no bed", 2), ("room", "count(bed) = 2", 1), ("shelf", "any book", 1),
        ("shelf", "no book by (room, number)", 2),
      ] {
        let outcome = try await workshop.run(["count", "p.sqlite", table, query, "--engine", engine])
        #expect(outcome == Outcome(status: 0, output: "\(count)\n", messages: ""), "\(engine): \(query)")
      }
    }
  }
}
