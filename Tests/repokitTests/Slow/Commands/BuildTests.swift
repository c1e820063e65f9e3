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
    #expect(again.messages.hasPrefix("error: the table person already exists\n"))
  }

  @Test(
    "A column that makes no sense is refused",
    arguments: [
      ("", "COLUMN is empty"), ("a", "column \"a\": the type is missing\n  write \"a text\""),
      ("a txt", "column \"a txt\": unknown type txt\n  did you mean text?"),
      ("a text requird", "column \"a text requird\": unexpected word \"requird\"\n  did you mean required?"),
      (
        "a integer default 99999999999999999999",
        """
        column "a integer default 9999999999999…": invalid default: expected an integer from -9223372036854775808 to \
        9223372036854775807, found `99999999999999999999`
          write the number as a real: 99999999999999999999.0
        """
      ),
      ("a text default", "column \"a text default\": the default is missing or is not a value"),
      ("a integer references", "column \"a integer references\": the referenced table is missing"),
      ("a integer references ''", "column \"a integer references ''\": the referenced table is missing"),
      ("a integer references .", "column \"a integer references .\": the referenced table is missing"),
      ("a integer references b.", "column \"a integer references b.\": the referenced table is missing"),
      ("a integer references \"\".id", "column \"a integer references \"\".id\": the referenced table is missing"),
      (
        "a text references b on delete x",
        "column \"a text references b on delete x\": the rule after on delete is missing"
      ),
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
      "would drop the table track with 2 rows\n  also drops the index track.length\n",
      "note: also drops the index track.length\ndropped the table track with 2 rows\n"
    ),
  ]

  @Test("A change is tried by a dry run, asks, and is made with --yes", arguments: changes)
  func change(arguments: [String], conditional: String, past: String) async throws {
    let workshop = try await Self.shop.copy()
    if arguments.contains("drop"), arguments.contains("track") { try workshop.execute("s.sqlite", "DROP VIEW long") }
    let before = try await workshop.run(["schema", "s.sqlite", "--sql"]).output
    #expect(try await workshop.run(arguments + ["--dry-run"]) == Outcome(status: 0, output: "", messages: conditional))
    let unasked = try await workshop.run(arguments)
    #expect(unasked.status == 2 && unasked.messages.contains("--yes makes the change without asking"))
    #expect(try await workshop.run(["schema", "s.sqlite", "--sql"]).output == before)
    #expect(try await workshop.run(arguments + ["--yes"]) == Outcome(status: 0, output: "", messages: past))
    #expect(try await workshop.run(["schema", "s.sqlite", "--sql"]).output != before)
    #expect(try await workshop.run(["check", "s.sqlite"]).status == 0)
  }

  @Test("A column that is added has the rules that it is said to have")
  func addedRules() async throws {
    let workshop = try await Self.shop.copy()
    for column in ["code text unique", "place text indexed"] {
      #expect(try await workshop.run(["column", "add", "s.sqlite", "track", column, "--yes"]).status == 0)
    }
    try workshop.execute("s.sqlite", "UPDATE track SET code = id, place = 'x'")
    #expect(try await workshop.run(["set", "s.sqlite", "track", "id = 2", "code=1", "--yes"]).status == 1)
    let list = try await workshop.run(["index", "list", "s.sqlite", "track", "--format", "csv"]).output
    #expect(list.contains("track,code,yes,") && list.contains("track,place,no,"), "\(list)")
  }

  @Test(
    "What is in the way of a change is named, and nothing is changed",
    arguments: [
      (["table", "drop", "s.sqlite", "album", "--yes"], "other tables refer to album\n"),
      (["table", "rename", "s.sqlite", "album", "TRACK", "--yes"], "the table track already exists\n"),
      (
        ["table", "rename", "s.sqlite", "album", "Album", "--yes"],
        "to SQLite, album and Album are the same name\n  choose another name first\n"
      ),
      (["table", "rename", "s.sqlite", "album", "album", "--yes"], "the table already has the name album\n"),
      (["table", "drop", "s.sqlite", "long", "--yes"], "repokit can't change long, which is a view\n"),
      (
        ["column", "drop", "s.sqlite", "track", "album", "--yes"],
        "album refers to album, so repokit can't drop the column\n"
      ),
      (
        ["column", "drop", "s.sqlite", "track", "lenght", "--yes"],
        "no column lenght in track\n  did you mean length?\n"
      ),
      (["column", "add", "s.sqlite", "track", "Length real", "--yes"], "track already has a column Length\n"),
      (
        ["column", "add", "s.sqlite", "track", "a real required", "--yes"],
        "a has no value for existing rows\n"
      ),
      (
        ["column", "retype", "s.sqlite", "track", "title", "integer", "--yes"],
        "title of track can't become integer\n  the row with id = 1 contains 'One', which would change\n"
      ),
      (["column", "retype", "s.sqlite", "track", "title", "number", "--yes"], "unknown type \"number\"\n"),
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

  static let obstacles: [(statements: [String], column: String, message: String)] = [
    (
      [
        "CREATE INDEX zkm ON z (k, m)", "CREATE INDEX \"z k\" ON z (m) WHERE k > 1",
        "CREATE VIEW zv AS SELECT k FROM z",
        "CREATE TRIGGER zt AFTER UPDATE ON z BEGIN SELECT new.k; END",
      ], "k",
      """
      can't drop k of z
        the index zkm and the index z k and the view zv and the trigger zt use the column
        drop these objects first, and create them again without the column

      """
    ),
    (
      ["CREATE VIEW broken AS SELECT * FROM nowhere"], "k",
      """
      can't drop k of z
        SQLite can't drop a column while the view broken is broken
        drop these objects first, and create them again without the column

      """
    ),
    (
      ["CREATE VIEW zv AS SELECT c FROM z"], "c",
      """
      can't drop c of z
        a constraint or a computed column of z uses the column
        make a table without the column, and move the rows

      """
    ),
    ([], "id", "can't drop id\n  id is in the primary key of z\n"),
    ([], "u", "can't drop u\n  u is in a unique constraint of z\n"),
    ([], "v", "can't drop v\n  v, w is in a unique constraint of z\n"),
    (["DROP TABLE z", "CREATE TABLE z (k)"], "k", "can't drop k\n  k is the only column of z\n"),
  ]

  @Test("What names a column is told where it is in the way of dropping it", arguments: obstacles)
  func obstacle(statements: [String], column: String, message: String) async throws {
    let workshop = try Workshop()
    let table =
      "CREATE TABLE z (id INTEGER PRIMARY KEY, k INT, m INT, c INT CHECK (c > 0), u INT UNIQUE, v INT, w INT, "
      + "d INT AS (c + 1), UNIQUE (v, w))"
    for statement in [table] + statements { try workshop.execute("s.sqlite", statement) }
    let before = try workshop.read("s.sqlite")
    for consent in ["--dry-run", "--yes"] {
      let outcome = try await workshop.run(["column", "drop", "s.sqlite", "z", column, consent])
      #expect(outcome.status == 1)
      #expect(outcome.messages.replacing("s.sqlite: ", with: "").hasPrefix("error: \(message)"), "\(outcome.messages)")
    }
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
      outcome.messages.contains("no such collation sequence: GERMAN\n  another program defines"),
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
