import Testing

@Suite("Tables and columns are made and changed")
struct BuildTests {
  /// A shop of two tables, with a view and a trigger.
  static let shop = Workshop.Template {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
      """
      CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, album INTEGER REFERENCES album, length INTEGER, \
      CHECK (length > 0))
      """,
      "CREATE INDEX \"track.length\" ON track (length)",
      "CREATE VIEW long AS SELECT title FROM track WHERE length > 200",
      "CREATE TRIGGER keep BEFORE DELETE ON album BEGIN SELECT 1; END",
      "INSERT INTO album VALUES (1, 'Dawn')", "INSERT INTO track VALUES (1, 'One', 1, 100), (2, 'Two', 1, 300)",
    ] { try workshop.execute("s.sqlite", statement) }
    return workshop
  }

  @Test("A table is made of columns as they are said")
  func create() async throws {
    let workshop = try Workshop()
    let columns = [
      "id integer key", "email text required unique", "born text indexed", "'first name' text default 'n n'",
      "boss integer references person", "score real required default -1.5",
    ]
    let dryRun = try await workshop.run(["table", "create", "n.sqlite", "person"] + columns + ["--dry-run"])
    #expect(dryRun.messages.hasPrefix("would create the table person (id integer, email text"))
    #expect(try workshop.files() == [])
    #expect(try await workshop.run(["table", "create", "n.sqlite", "person"] + columns).status == 0)
    #expect(
      try await workshop.run(["schema", "n.sqlite"]).output == """
        person
          id          integer  key
          email       text     unique
          born        text     indexed, may be null
          first name  text     may be null, default 'n n'
          boss        integer  may be null
          score       real     default -1.5
          references
            boss → person (id)
          indexes
            person.born: born

        """)
    let again = try await workshop.run(["table", "create", "n.sqlite", "PERSON", "a text"])
    #expect(again.messages.hasPrefix("error: there is a table person already\n"))
  }

  @Test(
    "A column that makes no sense is refused",
    arguments: [
      ("", "COLUMN is empty"), ("a", "\"a\": the type is missing\n  write \"a text\""),
      ("a txt", "\"a txt\": txt is no type\n  did you mean text?"),
      ("a text requird", "\"a text requird\": requird is no word of a column\n  did you mean required?"),
      ("a text default", "\"a text default\": the default is missing, or no value"),
      ("a integer references", "\"a integer references\": the table that it refers to is missing"),
      ("a integer references ''", "\"a integer references ''\": the table that it refers to is missing"),
      ("a integer references .", "\"a integer references .\": the table that it refers to is missing"),
      ("a integer references b.", "\"a integer references b.\": the table that it refers to is missing"),
      ("a integer references \"\".id", "\"a integer references \"\".id\": the table that it refers to is missing"),
      ("a text references b on delete x", "\"a text references b on delete x\": `on delete` lacks its rule"),
    ])
  func wrongColumn(column: String, message: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["table", "create", "n.sqlite", "t", column])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == [])
  }

  static let changes: [(arguments: [String], conditional: String, past: String)] = [
    (
      ["column", "add", "s.sqlite", "track", "note text default 'x'"], "would add the column note (text) to track\n",
      "added the column note (text) to track\n"
    ),
    (
      ["column", "rename", "s.sqlite", "track", "length", "seconds"],
      "would rename the column length of track to seconds\n", "renamed the column length of track to seconds\n"
    ),
    (
      ["column", "retype", "s.sqlite", "track", "length", "text"],
      "would change the column length of track from integer to text\n",
      "changed the column length of track from integer to text\n"
    ),
    (
      ["column", "drop", "s.sqlite", "album", "title"], "would drop the column title of album with 1 value\n",
      "dropped the column title of album with 1 value\n"
    ),
    (
      ["table", "rename", "s.sqlite", "album", "record"], "would rename the table album to record\n",
      "renamed the table album to record\n"
    ),
    (
      ["table", "drop", "s.sqlite", "track"],
      "would drop the table track with 2 rows\n  the index track.length goes with it\n",
      "dropped the table track with 2 rows\n"
    ),
  ]

  @Test("A change is tried by a dry run, asks, and is made with --yes", arguments: changes)
  func change(arguments: [String], conditional: String, past: String) async throws {
    let workshop = try await Self.shop.copy()
    if arguments.contains("drop"), arguments.contains("track") { try workshop.execute("s.sqlite", "DROP VIEW long") }
    let before = try await workshop.run(["schema", "s.sqlite", "--sql"]).output
    #expect(try await workshop.run(arguments + ["--dry-run"]) == Outcome(status: 0, output: "", messages: conditional))
    let unasked = try await workshop.run(arguments)
    #expect(unasked.status == 2 && unasked.messages.contains("--yes does it without being asked"))
    #expect(try await workshop.run(["schema", "s.sqlite", "--sql"]).output == before)
    #expect(try await workshop.run(arguments + ["--yes"]) == Outcome(status: 0, output: "", messages: past))
    #expect(try await workshop.run(["schema", "s.sqlite", "--sql"]).output != before)
    #expect(try await workshop.run(["check", "s.sqlite"]).status == 0)
  }

  @Test(
    "What is in the way of a change is named, and nothing is changed",
    arguments: [
      (["table", "drop", "s.sqlite", "album", "--yes"], "other tables refer to album\n"),
      (["table", "rename", "s.sqlite", "album", "TRACK", "--yes"], "there is a table track already\n"),
      (["table", "drop", "s.sqlite", "long", "--yes"], "long is a view, which can't be changed so\n"),
      (["column", "drop", "s.sqlite", "track", "album", "--yes"], "album refers to album, so it can't be dropped\n"),
      (
        ["column", "drop", "s.sqlite", "track", "lenght", "--yes"],
        "no column lenght in track\n  did you mean length?\n"
      ),
      (["column", "add", "s.sqlite", "track", "Length real", "--yes"], "track has a column Length already\n"),
      (
        ["column", "add", "s.sqlite", "track", "a real required", "--yes"],
        "nothing says what a is in the rows that are there\n"
      ),
      (
        ["column", "retype", "s.sqlite", "track", "title", "integer", "--yes"],
        "title of track can't be integer\n  a row holds 'One', which is none\n"
      ),
      (["column", "retype", "s.sqlite", "track", "title", "number", "--yes"], "\"number\" is no type\n"),
    ] as [([String], String)])
  func inTheWay(arguments: [String], message: String) async throws {
    let workshop = try await Self.shop.copy()
    let before = try workshop.read("s.sqlite")
    let outcome = try await workshop.run(arguments)
    #expect(outcome.status != 0)
    #expect(
      outcome.messages.hasPrefix("error: \(message)") || outcome.messages.hasPrefix("error: s.sqlite: \(message)"),
      "\(outcome.messages)")
    #expect(try workshop.read("s.sqlite") == before)
  }

  @Test("A collation that another program brings along is named", .enabled(if: Workshop.hasShell))
  func collation() async throws {
    let workshop = try Workshop()
    let script = """
      /usr/bin/sqlite3 s.sqlite "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1, 'x');
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE GERMAN)'
        WHERE name = 't'"
      """
    _ = try await workshop.shell(script)
    #expect(try await workshop.run(["query", "s.sqlite", "t", "a = 'x'"]).output == "id\ta\n1\tx\n")
    let outcome = try await workshop.run(["set", "s.sqlite", "t", "id = 1", "a=y", "--yes"])
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.contains("no such collation sequence: GERMAN\n  the program that made the database brings"),
      "\(outcome.messages)")
  }

  @Test("does the same on a server", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      for arguments in [
        ["table", "create", "DB", "album", "id integer key", "title text required unique"],
        ["table", "create", "DB", "track", "id integer key", "album integer references album on delete cascade"],
        ["insert", "DB", "album", "title=Dawn", "--yes"], ["insert", "DB", "track", "album=1", "--yes"],
        ["column", "add", "DB", "track", "length integer required default 3", "--yes"],
        ["column", "retype", "DB", "track", "length", "text", "--yes"],
        ["column", "rename", "DB", "track", "length", "seconds", "--yes"],
        ["table", "rename", "DB", "album", "record", "--yes"],
        ["column", "drop", "DB", "record", "title", "--dry-run"],
      ] {
        let outcome = try await workshop.run(arguments.map { $0 == "DB" ? schema.uri : $0 })
        #expect(outcome.status == 0, "\(arguments) \(outcome.messages)")
      }
      #expect(
        try await workshop.run([
          "query", schema.uri, "track", "--columns", "id, album.title, seconds", "--format", "csv",
        ])
        .output == "id,album.title,seconds\n1,Dawn,3\n")
      let refused = try await workshop.run(["column", "retype", schema.uri, "record", "title", "integer", "--yes"])
      #expect(refused.status == 1)
    }
  }
}

@Suite("Whole databases")
struct WholeDatabaseTests {
  private func workshop() async throws -> Workshop {
    let workshop = try await BuildTests.shop.copy()
    for statement in [
      "CREATE TABLE odd (n INTEGER PRIMARY KEY AUTOINCREMENT, x, d DATE, r REAL, twice AS (n * 2), \"a b\" TEXT)",
      "INSERT INTO odd (n, x, d, r, \"a b\") VALUES (1, 'it''s', '2021-01-01', 0.1, char(10, 0, 233)), (2, x'00ff', 5, -0.0, NULL)",
      "DELETE FROM odd WHERE n = 9", "UPDATE sqlite_sequence SET seq = 40",
      "CREATE VIRTUAL TABLE found USING fts5(title)", "INSERT INTO found VALUES ('deep water')",
    ] { try workshop.execute("s.sqlite", statement) }
    return workshop
  }

  @Test("are written as statements that make them again", .enabled(if: Workshop.hasShell))
  func dump() async throws {
    let workshop = try await workshop()
    let script = """
      /usr/bin/sqlite3 s.sqlite "PRAGMA user_version = 3" && $repokit dump s.sqlite s.sql 2>&1 && /usr/bin/sqlite3 t.sqlite < s.sql && $repokit diff s.sqlite t.sqlite && \
      $repokit dump t.sqlite t.sql 2> /dev/null && cmp s.sql t.sql && $repokit dump s.sqlite - | cmp - s.sql && \
      /usr/bin/sqlite3 t.sqlite "SELECT count(*) FROM found WHERE found MATCH 'water'; PRAGMA user_version; SELECT seq FROM sqlite_sequence"
      """
    let outcome = try await workshop.shell(script)
    #expect(outcome == Outcome(status: 0, output: "wrote s.sqlite to s.sql\n1\n3\n40\n", messages: ""))
    #expect(try await workshop.run(["dump", "s.sqlite", "s.sql"]).messages.contains("--force replaces it"))
    #expect(
      try await workshop.run(["dump", "postgresql://localhost/x", "x.sql"]).messages.contains("pg_dump writes them"))
  }

  @Test("steer no terminal as statements")
  func terminal() async throws {
    let workshop = try Workshop()
    try workshop.execute("s.sqlite", "CREATE TABLE t (a TEXT DEFAULT '\u{1B}[31m')")
    try workshop.execute("s.sqlite", "INSERT INTO t VALUES ('\u{1B}[2J')")
    let terminal = try workshop.terminal(
      shell: "$repokit dump s.sqlite -", environment: ["repokit": Workshop.tool, "PATH": "/usr/bin:/bin", "PAGER": ""])
    try await terminal.finish()
    #expect(terminal.text.contains("INSERT INTO \"t\""))
    #expect(!terminal.text.contains("\u{1B}[31m") && !terminal.text.contains("\u{1B}[2J"))
  }

  @Test("are copied with all that belongs to their tables")
  func copy() async throws {
    let workshop = try await workshop()
    let dryRun = try await workshop.run(["copy", "s.sqlite", "t.sqlite", "--dry-run"])
    #expect(
      dryRun.messages == "would copy album with 1 row\nwould copy odd with 2 rows\nwould copy track with 2 rows\n")
    #expect(try !workshop.files().contains("t.sqlite"))
    let outcome = try await workshop.run(["copy", "s.sqlite", "t.sqlite"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let names = ["album", "odd", "track"]
    #expect(
      try await workshop.run(["diff", "s.sqlite", "t.sqlite"] + names) == Outcome(status: 0, output: "", messages: ""))
    for name in names {
      let schemas = try await (
        workshop.run(["schema", "s.sqlite", name, "--sql"]).output,
        workshop.run(["schema", "t.sqlite", name, "--sql"]).output
      )
      #expect(schemas.0 == schemas.1)
    }
    #expect(
      try await workshop.run(["copy", "s.sqlite", "t.sqlite", "odd"]).messages.hasPrefix(
        "error: there is a table odd in t.sqlite already\n"))
    #expect(
      try await workshop.run(["copy", "s.sqlite", "u.sqlite", "long"]).messages.hasPrefix(
        "error: long is no table that could be copied\n"))
    #expect(
      try await workshop.run(["copy", "s.sqlite", "u.sqlite", "track"]).messages.contains("no such table") == false)
  }

  @Test(
    "are copied between SQLite and a server",
    .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try await BuildTests.shop.copy()
    try workshop.execute("s.sqlite", "CREATE TABLE odd (n INTEGER PRIMARY KEY, x, d DATE)")
    try workshop.execute("s.sqlite", "INSERT INTO odd VALUES (1, 'a', '2021-01-01'), (2, 5, '2021-02-01')")
    try await TestSchema.with { schema in
      let there = try await workshop.run(["copy", "s.sqlite", schema.uri])
      #expect(there.status == 0, "\(there.messages)")
      #expect(there.messages.contains("note: track: left out: the check (length > 0)\n"), "\(there.messages)")
      #expect(there.messages.contains("note: odd: x becomes text, by what it holds\n"), "\(there.messages)")
      #expect(
        try await workshop.run(["query", schema.uri, "track", "album.title = 'Dawn'", "--columns=id"]).output
          == "id\n1\n2\n")
      #expect(
        try await workshop.run(["index", "list", schema.uri, "track"]).output.contains("track.length\ttrack\tlength"))
      let back = try await workshop.run(["copy", schema.uri, "b.sqlite"])
      #expect(back.status == 0, "\(back.messages)")
      #expect(try await workshop.run(["diff", schema.uri, "b.sqlite"]) == Outcome(status: 0, output: "", messages: ""))
    }
  }

  @Test("are compared, what they are made of and then their rows")
  func diff() async throws {
    let workshop = try await workshop()
    #expect(try await workshop.run(["copy", "s.sqlite", "t.sqlite"]).status == 0)
    for statement in [
      "UPDATE track SET title = 'x' WHERE id = 2", "DELETE FROM track WHERE id = 1",
      "INSERT INTO track VALUES (9, 'n', 1, 5)",
      "ALTER TABLE album ADD COLUMN note TEXT", "CREATE TABLE extra (a)",
    ] { try workshop.execute("t.sqlite", statement) }
    let names = ["album", "track", "extra"]
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite"] + names + ["--format", "csv"])
    #expect(
      outcome
        == Outcome(
          status: 1,
          output: """
            table,difference,key,column,s,t
            album,column,,note,,text
            track,row,1,,there,
            track,value,2,title,Two,x
            track,row,9,,,there
            extra,table,,,,1 column

            """, messages: "error: s.sqlite and t.sqlite have 5 differences\n"))
    #expect(try await workshop.run(["diff", "s.sqlite", "t.sqlite", "track", "--schema-only"]).status == 0)
  }

  @Test("are made as small as their rows allow")
  func vacuum() async throws {
    let workshop = try await workshop()
    try workshop.execute("s.sqlite", "CREATE TABLE large (a)")
    try workshop.execute("s.sqlite", "INSERT INTO large VALUES (zeroblob(1000000))")
    try workshop.execute("s.sqlite", "DELETE FROM large")
    let before = try workshop.read("s.sqlite").count
    let outcome = try await workshop.run(["vacuum", "s.sqlite"])
    #expect(outcome.status == 0 && outcome.messages.contains(", and took "))
    #expect(try workshop.read("s.sqlite").count < before - 900_000)
  }
}
