import TestSupport
import Testing

@Suite("Whole databases")
struct WholeDatabaseTests {
  private func workshop() async throws -> Workshop {
    let workshop = try await BuildTests.shop.copy()
    for statement in [
      "CREATE TABLE odd (n INTEGER PRIMARY KEY AUTOINCREMENT, x, d DATE, r REAL, twice AS (n * 2), \"a b\" TEXT)",
      "INSERT INTO odd (n, x, d, r, \"a b\") VALUES (1, 'it''s', '2021-01-01', 0.1, char(10, 0, 233)), (2, x'00ff', 5, -0.0, NULL)",
      "DELETE FROM odd WHERE n = 9", "UPDATE sqlite_sequence SET seq = 40",
      "CREATE VIRTUAL TABLE found USING fts5(title)",
      "INSERT INTO found (rowid, title) VALUES (5, 'deep water'), (9, 'air')",
    ] { try workshop.execute("s.sqlite", statement) }
    return workshop
  }

  @Test("are written as statements that make them again", .enabled(if: Workshop.hasShell))
  func dump() async throws {
    let workshop = try await workshop()
    let script = """
      /usr/bin/sqlite3 s.sqlite "PRAGMA user_version = 3; PRAGMA application_id = 8" && \
      $repokit dump s.sqlite s.sql 2>&1 && /usr/bin/sqlite3 t.sqlite < s.sql && $repokit diff s.sqlite t.sqlite && \
      $repokit dump t.sqlite t.sql 2> /dev/null && cmp s.sql t.sql && $repokit dump s.sqlite - | cmp - s.sql && \
      /usr/bin/sqlite3 t.sqlite "SELECT rowid FROM found WHERE found MATCH 'water'; PRAGMA user_version; \
      PRAGMA application_id; SELECT seq FROM sqlite_sequence"
      """
    let outcome = try await workshop.shell(script)
    #expect(outcome == Outcome(status: 0, output: "wrote s.sqlite to s.sql\n5\n3\n8\n40\n", messages: ""))
    #expect(try await workshop.run(["dump", "s.sqlite", "s.sql"]).messages.contains("--force replaces the file"))
    #expect(
      try await workshop.run(["dump", "postgresql://localhost/x", "x.sql"]).messages.contains(
        "pg_dump writes the statements"))
  }

  @Test(
    "are not written as statements that lose what a full-text index does not keep",
    arguments: ["fts5(title, content='')", "fts5(title, content = \"\", columnsize=0)", "fts4(content=\"\", title)"])
  func contentless(module: String) async throws {
    let workshop = try Workshop()
    try workshop.execute("s.sqlite", "CREATE VIRTUAL TABLE found USING \(module)")
    try workshop.execute("s.sqlite", "INSERT INTO found (rowid, title) VALUES (5, 'deep water')")
    let outcome = try await workshop.run(["dump", "s.sqlite", "s.sql"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: can't write the full-text index found as statements\n"))
    #expect(try workshop.files() == ["s.sqlite"])
  }

  @Test("are written with texts that are not UTF-8 as they are", .enabled(if: Workshop.hasShell))
  func invalidTexts() async throws {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, more)",
      "INSERT INTO t VALUES (1, 'ok', 1.5), (2, CAST(x'61ff62' AS TEXT), x'00'), (3, NULL, 'it''s')",
      "CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID", "INSERT INTO w VALUES (CAST(x'c3' AS TEXT), 'x')",
    ] { try workshop.execute("s.sqlite", statement) }
    let values =
      "SELECT id, typeof(name), hex(name), typeof(more), more FROM t; SELECT typeof(k), hex(k), v FROM w"
    let outcome = try await workshop.shell(
      """
      $repokit dump s.sqlite s.sql 2> /dev/null && /usr/bin/sqlite3 t.sqlite < s.sql && \
      /usr/bin/sqlite3 s.sqlite "\(values)" > s.txt && /usr/bin/sqlite3 t.sqlite "\(values)" | cmp - s.txt && \
      grep 61ff62 s.sql
      """)
    #expect(
      outcome.output == "INSERT INTO \"t\" (\"id\", \"name\", \"more\") VALUES (2, CAST(x'61ff62' AS TEXT), x'00');\n",
      "\(outcome)")
    let copy = try await workshop.run(["copy", "s.sqlite", "u.sqlite"])
    #expect(
      copy.status == 1 && copy.messages.hasPrefix("error: s.sqlite: can't read row 2 of t, column name\n"), "\(copy)"
    )
    #expect(copy.messages.contains("; dump and backup copy such rows unchanged"), "\(copy)")
  }

  @Test(
    "are written with tables of many columns, whatever texts they have",
    .enabled(if: Workshop.hasShell), arguments: ["61", "61ff"])
  func wideTable(text: String) async throws {
    let workshop = try Workshop()
    let columns = (1...1_500).map { "c\($0) TEXT" }.joined(separator: ", ")
    try workshop.execute("s.sqlite", "CREATE TABLE wide (\(columns))")
    try workshop.execute("s.sqlite", "INSERT INTO wide (c1, c1500) VALUES ('é', CAST(x'\(text)' AS TEXT)), (NULL, '')")
    let outcome = try await workshop.shell(
      """
      $repokit dump s.sqlite s.sql 2>&1 && /usr/bin/sqlite3 t.sqlite < s.sql && \
      /usr/bin/sqlite3 t.sqlite "SELECT c1, typeof(c2), typeof(c1500), lower(hex(c1500)) FROM wide"
      """)
    #expect(
      outcome
        == Outcome(
          status: 0, output: "wrote s.sqlite to s.sql\né|null|text|\(text)\n|null|text|\n", messages: ""))
  }

  @Test(
    "steer no terminal, by whatever name it is told",
    arguments: [
      "dump s.sqlite -", "dump s.sqlite /dev/stdout", "dump s.sqlite /dev/tty",
      "export s.sqlite t /dev/stdout --format sql",
    ])
  func terminal(call: String) async throws {
    let workshop = try Workshop()
    try workshop.execute("s.sqlite", "CREATE TABLE t (a TEXT DEFAULT '\u{1B}[31m')")
    try workshop.execute("s.sqlite", "INSERT INTO t VALUES ('\u{1B}[2J\u{1B}]0;x\u{9B}\u{202E}')")
    let terminal = try workshop.terminal(
      shell: "$repokit \(call)", environment: ["repokit": Workshop.tool, "PATH": "/usr/bin:/bin", "PAGER": ""])
    try await terminal.finish()
    #expect(terminal.text.contains("INSERT INTO \"t\""))
    for sequence in ["\u{1B}[31m", "\u{1B}[2J", "\u{1B}]", "\u{9B}", "\u{202E}"] {
      #expect(!terminal.transcript.unicodeScalars.contains(sequence.unicodeScalars), "\(call)")
    }
  }

  @Test("are copied with all that belongs to their tables")
  func copy() async throws {
    let workshop = try await workshop()
    let dryRun = try await workshop.run(["copy", "s.sqlite", "t.sqlite", "--dry-run"])
    let notes = "note: skipped the virtual table found\nnote: skipped the view long\n"
    #expect(
      dryRun.messages
        == notes + "would copy album with 1 row\nwould copy odd with 2 rows\nwould copy track with 2 rows\n")
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
        "error: t.sqlite already has a table odd\n"))
    #expect(
      try await workshop.run(["copy", "s.sqlite", "u.sqlite", "long"]).messages.hasPrefix(
        "error: repokit can't copy long, which is not a plain table\n"))
    // The numbers go on where they are, though the greatest ones are gone.
    #expect(try await workshop.run(["insert", "t.sqlite", "odd", "d=x", "--yes"]).status == 0)
    #expect(
      try await workshop.run(["query", "t.sqlite", "odd", "n > 2", "--columns", "n"]).output == "n\n41\n")
    let alone = try await workshop.run(["copy", "s.sqlite", "u.sqlite", "track"])
    #expect(alone.status == 1)
    #expect(
      alone.messages.hasPrefix("error: 2 rows of track would refer to missing rows of album\n"),
      "\(alone.messages)")
  }

  @Test("are copied whole, or not at all where a table can't be read", .enabled(if: Workshop.hasShell))
  func unreadable() async throws {
    let workshop = try await workshop()
    let made = try await workshop.shell(
      """
      /usr/bin/sqlite3 s.sqlite "PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema VALUES ('table', 'gone', 'gone', 0, 'CREATE VIRTUAL TABLE gone USING missing(a)')"
      """)
    #expect(made.status == 0, "\(made.messages)")
    let whole = try await workshop.run(["copy", "s.sqlite", "t.sqlite"])
    #expect(whole.status == 1)
    #expect(whole.messages.contains("can't copy gone\n"), "\(whole.messages)")
    #expect(try workshop.files() == ["s.sqlite"])
    #expect(try await workshop.run(["copy", "s.sqlite", "t.sqlite", "album"]).status == 0)
  }

  @Test(
    "are copied between SQLite and a server",
    .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try await BuildTests.shop.copy()
    try workshop.execute("s.sqlite", "CREATE TABLE odd (n INTEGER PRIMARY KEY, x, d DATE)")
    try workshop.execute("s.sqlite", "INSERT INTO odd VALUES (1, 'a', '2021-01-01'), (2, 5, '2021-02-01')")
    try workshop.execute("s.sqlite", "CREATE INDEX down ON odd (d DESC, n)")
    try workshop.execute("s.sqlite", "CREATE VIEW titles AS SELECT title FROM track")
    try await TestSchema.with { schema in
      let there = try await workshop.run(["copy", "s.sqlite", schema.uri])
      #expect(there.status == 0, "\(there.messages)")
      #expect(there.messages.contains("note: odd: x becomes text, to fit its values\n"), "\(there.messages)")
      #expect(
        try await workshop.run(["query", schema.uri, "track", "album.title = 'Dawn'", "--columns=id"]).output
          == "id\n1\n2\n")
      #expect(
        try await workshop.run(["index", "list", schema.uri, "track"]).output.contains("track.length\ttrack\tlength"))
      let back = try await workshop.run(["copy", schema.uri, "b.sqlite"])
      #expect(back.status == 0, "\(back.messages)")
      for database in ["s.sqlite", schema.uri, "b.sqlite"] {
        let shown = try await workshop.run(["schema", database, "odd"]).output
        #expect(shown.contains("down: d desc, n"), "\(shown)")
      }
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
            track,removed,1,,"title = 'One', album = 1, length = 100",
            track,value,2,title,Two,x
            track,added,9,,,"title = 'n', album = 1, length = 5"
            extra,table,,,,1 column

            """,
          messages: """
            s.sqlite and t.sqlite have 5 differences
              album: 1 column
              track: 1 row removed, 1 value changed, 1 row added
              extra: only in one database

            """))
    #expect(try await workshop.run(["diff", "s.sqlite", "t.sqlite", "track", "--schema-only"]).status == 0)
  }

  /// A table of all parts, each of which is changed.
  static let parts = [
    """
    CREATE TABLE "part" (id INTEGER PRIMARY KEY, a VARCHAR(10) DEFAULT 'x', b TEXT COLLATE NOCASE, c INT AS (id * 2),
      d INT REFERENCES part (id) ON DELETE CASCADE, CHECK (a <> 'y'))
    """, "CREATE INDEX i ON part (a) WHERE a > 'b'", "CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 1 || 'x'; END",
    "CREATE VIEW v AS SELECT a FROM part", "CREATE TABLE loose (a, b)",
    "INSERT INTO loose VALUES (1, 'x'), (1, 'x'), (2, 'y')",
  ]

  static let changedParts: [(old: String, new: String, lines: String)] = [
    ("VARCHAR(10)", "VARCHAR(20)", "part,column,,a,text (VARCHAR(10)) default 'x',text (VARCHAR(20)) default 'x'\n"),
    ("DEFAULT 'x'", "", "part,column,,a,text (VARCHAR(10)) default 'x',text (VARCHAR(10))\n"),
    (" COLLATE NOCASE", "", "part,column,,b,text (TEXT) collate NOCASE,text (TEXT)\n"),
    ("id * 2", "id * 3", "part,column,,c,integer (INT) as (id * 2),integer (INT) as (id * 3)\n"),
    ("(id * 2)", "(id * 2) STORED", "part,column,,c,integer (INT) as (id * 2),integer (INT) as (id * 2) stored\n"),
    (
      " ON DELETE CASCADE", " ON UPDATE CASCADE",
      "part,reference,,,(d) to part (id) on delete cascade,\npart,reference,,,,(d) to part (id) on update cascade\n"
    ),
    ("CHECK (a <> 'y')", "CHECK (a <> 'z')", "part,check,,,a <> 'y',\npart,check,,,,a <> 'z'\n"),
    ("a > 'b'", "a > 'c'", "part,index,,,(a) where a > 'b',\npart,index,,,,(a) where a > 'c'\n"),
    (
      "SELECT 1", "SELECT 2",
      "part,trigger,,,CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 1 || 'x'; END,"
        + "CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 2 || 'x'; END\n"
    ),
    (
      "1 || 'x'", "1 || 'X'",
      "part,trigger,,,CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 1 || 'x'; END,"
        + "CREATE TRIGGER t AFTER INSERT ON part BEGIN SELECT 1 || 'X'; END\n"
    ),
    ("TRIGGER t ", "TRIGGER u ", "part,trigger,,,t,\npart,trigger,,,,u\n"),
    ("id INTEGER PRIMARY KEY,", "id INTEGER NOT NULL,", "part,key,,,id,\n"),
    (
      "SELECT a FROM", "SELECT a AS a FROM",
      "v,definition,,,CREATE VIEW v AS SELECT a FROM part,CREATE VIEW v AS SELECT a AS a FROM part\n"
    ),
    ("PRIMARY KEY,", "PRIMARY KEY AUTOINCREMENT,", ""),
    ("(1, 'x'), (1, 'x')", "(1, 'x'), (2, 'y')", "loose,rows,,,3,3\n"),
    ("(1, 'x'), (1, 'x')", "(1, 'x')", "loose,count,,,3,2\n"),
    ("(1, 'x'), (1, 'x')", "(3, 'x'), (3, 'x')", "loose,rows,,,3,3\n"),
    // What is only laid out otherwise.
    ("\"part\" (id", "part(id", "none"), ("SELECT a FROM part", "select /* all */ A\nfrom [part]", "none"),
  ]

  @Test("are compared in all that their tables are made of", .tags(.slow), arguments: changedParts)
  func changedPart(old: String, new: String, lines: String) async throws {
    let workshop = try Workshop()
    for statement in Self.parts {
      try workshop.execute("s.sqlite", statement)
      try workshop.execute("t.sqlite", statement.replacing(old, with: new))
    }
    #expect(try await workshop.run(["diff", "s.sqlite", "s.sqlite"]).status == 0)
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite", "--format", "csv"])
    if lines == "none" {
      #expect(outcome == Outcome(status: 0, output: "", messages: ""))
    } else {
      #expect(outcome.status == 1)
      #expect(outcome.output.hasPrefix("table,difference,key,column,s,t\n"))
      #expect(
        lines.isEmpty ? outcome.output.contains("part,definition,") : outcome.output.contains(lines),
        "\(outcome.output)")
    }
  }

  @Test("show values of two kinds as such where they look alike")
  func lookalikes() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "s.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 1), (2, 'x')")
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, '1'), (2, 'y')")
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite", "--format", "table"])
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").suffix(2).joined(separator: " ") }
    #expect(lines == ["s t", "─ ───", "1 '1'", "x y"], "\(outcome.output)")
  }

  @Test("are compared to the last of many rows")
  func manyRows() async throws {
    let workshop = try Workshop()
    for name in ["s.sqlite", "t.sqlite"] {
      try workshop.execute(
        name, "CREATE TABLE t (id INTEGER PRIMARY KEY, a)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) \
        INSERT INTO t SELECT i, i FROM n
        """)
    }
    try workshop.execute("t.sqlite", "UPDATE t SET a = 0 WHERE id IN (1001, 2500)")
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite", "--format", "csv"])
    #expect(outcome.output == "table,difference,key,column,s,t\nt,value,1001,a,1001,0\nt,value,2500,a,2500,0\n")
  }

  @Test("are compared by how many of the same indexes they have")
  func twins() async throws {
    let workshop = try Workshop()
    for name in ["s.sqlite", "t.sqlite"] {
      try workshop.execute(name, "CREATE TABLE t (a)")
      try workshop.execute(name, "CREATE INDEX i ON t (a)")
    }
    try workshop.execute("t.sqlite", "CREATE INDEX j ON t (a)")
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite", "--format", "csv"])
    #expect(outcome.output == "table,difference,key,column,s,t\nt,index,,,,(a)\n")
  }

  @Test("are made as small as their rows allow")
  func vacuum() async throws {
    let workshop = try await workshop()
    try workshop.execute("s.sqlite", "CREATE TABLE large (a)")
    try workshop.execute("s.sqlite", "INSERT INTO large VALUES (zeroblob(1000000))")
    try workshop.execute("s.sqlite", "DELETE FROM large")
    let before = try workshop.read("s.sqlite").count
    let outcome = try await workshop.run(["vacuum", "s.sqlite"])
    #expect(outcome.status == 0 && outcome.messages.contains(" before, "))
    #expect(try workshop.read("s.sqlite").count < before - 900_000)
  }
}
