import Testing

@testable import repokit

@Suite(
  "A part of a table that is copied between SQLite and PostgreSQL",
  .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct EngineCopyPartTests {
  /// A definition, the notes on its copy, and what is different then.
  typealias Part = (definition: String, notes: [String], differences: [String])

  /// Tables of a file, to be copied to a server, where `p` has the key `id`.
  static let fileParts: [Part] = [
    ("r INT REFERENCES p ON DELETE CASCADE ON UPDATE SET DEFAULT", [], []),
    ("r INT REFERENCES P (ID) ON DELETE RESTRICT DEFERRABLE", [], []),
    ("r INT REFERENCES p DEFERRABLE INITIALLY DEFERRED", [], []),
    ("r INT, k INT UNIQUE, FOREIGN KEY (R) REFERENCES t (k)", [], []),
    (
      "r INT REFERENCES gone", ["skipped the reference (r) to gone: there is no table gone"],
      ["t,reference,,(r) to gone,"]
    ),
    (
      "a TEXT PRIMARY KEY", ["a may not be null in the copy, as a part of the key"],
      ["t,column,a,text,text not null"]
    ),
    ("a TEXT COLLATE NOCASE UNIQUE", [caseless], ["t,column,a,text collate nocase,text"]),
    (
      "a TEXT NOT NULL COLLATE NOCASE PRIMARY KEY", [caseless],
      ["t,column,a,text not null collate nocase,text not null"]
    ),
    ("a TEXT, b INT, UNIQUE (a COLLATE NOCASE, b)", [], []),
    ("a TEXT COLLATE RTRIM UNIQUE", ["skipped the index sqlite_autoindex_t_1"], ["t,index,,unique (a collate RTRIM),"]),
    ("a VARCHAR(5) DEFAULT 'x', b NCHAR(3), c TEXT(2)", [], []),
    (
      "a VARCHAR(6) DEFAULT 'longer', b DECIMAL(6,2), c BOOLEAN DEFAULT 0, d NUMERIC(5,0)", [], []
    ),
    ("a INT CHECK (a > -1 AND a BETWEEN 1 AND 5 OR a IS NULL), b TEXT, CHECK (length(b) = 2)", [], []),
    ("a TEXT CHECK (a IN ('x', 'y')), b INT CHECK (NOT (b IN (1))), c TEXT CHECK (c <> 'it''s')", [], []),
    ("a TEXT CHECK (a > 'b' AND a <= 'x')", [], []),
    ("a TEXT CHECK (a LIKE 'x%')", ["skipped the check (a LIKE 'x%')"], ["t,check,,a LIKE 'x%',"]),
    ("a INT CHECK (a / 2 > 1)", ["skipped the check (a / 2 > 1)"], ["t,check,,a / 2 > 1,"]),
    (
      "a INT DEFAULT -5, b REAL DEFAULT 1e3, c TEXT DEFAULT 'it''s', d BLOB DEFAULT x'00ff', e TEXT DEFAULT CURRENT_DATE",
      [], []
    ),
    ("a INT DEFAULT (1 + 2)", ["skipped the default 1 + 2 of a"], ["t,column,a,integer default 1 + 2,integer"]),
    ("a INT, b INT AS (a + 1)", ["skipped the expression that computes b"], ["t,column,b,integer computed,integer"]),
  ]
  private static let caseless = "a is compared with case; only its indexes ignore the case of ASCII letters"

  @Test("from a file is kept, or a note names the part that is not", arguments: fileParts)
  func fromFile(_ part: Part) async throws {
    let workshop = try Workshop()
    try workshop.execute("a.sqlite", "CREATE TABLE p (id INTEGER PRIMARY KEY)", "CREATE TABLE t (\(part.definition))")
    try await TestSchema.with { schema in
      let outcome = try await workshop.run(["copy", "a.sqlite", schema.uri])
      #expect(outcome.status == 0, "\(outcome)")
      let notes = outcome.messages.split(separator: "\n").map(String.init).filter { $0.hasPrefix("note: ") }
      #expect(notes == part.notes.map { "note: t: \($0)" }, "\(outcome)")
      let differences = try await EngineCopyTests.differences("a.sqlite", schema.uri, in: workshop)
      #expect(differences == part.differences)
      let back = try await workshop.run(["copy", schema.uri, "b.sqlite"])
      #expect(back.status == 0, "\(back)")
      #expect(try await EngineCopyTests.differences(schema.uri, "b.sqlite", in: workshop) == [])
    }
  }

  /// Tables of a server, to be copied to a file, where `p` has the key `id`.
  static let serverParts: [Part] = [
    ("r int REFERENCES p ON DELETE SET NULL ON UPDATE CASCADE DEFERRABLE", [], []),
    (
      "r int, s int, FOREIGN KEY (r, s) REFERENCES q MATCH FULL",
      ["the reference (r, s) to q allows some of its columns to be null"],
      ["t,reference,,(r, s) to q (a, b) match full,", "t,reference,,,(r, s) to q (a, b)"]
    ),
    (
      "a varchar(5) DEFAULT 'x' UNIQUE, b numeric(5,2) DEFAULT -1.5 CHECK (b > '-2'::integer), c boolean",
      [
        "c (boolean) becomes integer"
      ], []
    ),
    ("a text CHECK (a = ANY (ARRAY['x', 'y'])), b text CHECK (b NOT IN ('z', 'it''s'))", [], []),
    ("a text CHECK (a ~ 'x')", ["skipped the check ((a ~ 'x'::text))"], ["t,check,,(a ~ 'x'::text),"]),
    (
      "a int UNIQUE NULLS NOT DISTINCT", ["unique (a) allows several nulls"],
      [
        "t,index,,unique (a) nulls not distinct,", "t,index,,,unique (a)",
      ]
    ),
    (
      "a int UNIQUE DEFERRABLE", ["unique (a) is checked for each row, and can't be deferred"],
      [
        "t,index,,unique (a) deferrable,", "t,index,,,unique (a)",
      ]
    ),
    (
      "a numeric, b numeric(30,2)", ["a becomes text, to keep its digits", "b becomes text, to keep its digits"],
      [
        "t,column,b,text (30,2),text"
      ]
    ),
    (
      "a timestamp DEFAULT now(), b date DEFAULT CURRENT_DATE, c uuid, d inet",
      [
        "a (timestamp without time zone), b (date), c (uuid), d (inet) become text"
      ], []
    ),
    (
      "a timestamptz DEFAULT now()", ["skipped the default now() of a", "a (timestamp with time zone) becomes text"],
      [
        "t,column,a,text default now(),text"
      ]
    ),
    ("id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b bytea DEFAULT '\\x00ff', c text COLLATE \"C\"", [], []),
  ]

  @Test("from a server is kept, or a note names the part that is not", arguments: serverParts)
  func fromServer(_ part: Part) async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE p (id int PRIMARY KEY)", "CREATE TABLE q (a int, b int, PRIMARY KEY (a, b))",
        "CREATE TABLE t (\(part.definition))")
      let outcome = try await workshop.run(["copy", schema.uri, "b.sqlite"])
      #expect(outcome.status == 0, "\(outcome)")
      let notes = outcome.messages.split(separator: "\n").map(String.init).filter { $0.hasPrefix("note: ") }
      #expect(notes == part.notes.map { "note: t: \($0)" }, "\(outcome)")
      let differences = try await EngineCopyTests.differences(schema.uri, "b.sqlite", in: workshop)
      #expect(differences == part.differences)
    }
    try await TestSchema.with { schema in
      let back = try await workshop.run(["copy", "b.sqlite", schema.uri])
      #expect(back.status == 0 && !back.messages.contains("note"), "\(back)")
      #expect(try await EngineCopyTests.differences("b.sqlite", schema.uri, in: workshop) == [])
    }
  }

  @Test("that values exceed is left out with a note")
  func values() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (k TEXT PRIMARY KEY, v VARCHAR(3), n NUMERIC(4,1), b BOOLEAN)",
      "INSERT INTO t VALUES (NULL, 'long', 1.25, 5), (NULL, 'x', 1, 0)")
    try await TestSchema.with { schema in
      let outcome = try await workshop.run(["copy", "a.sqlite", schema.uri])
      #expect(
        outcome.messages == """
          note: t: v keeps no limit of 3, because values exceed VARCHAR(3)
          note: t: n keeps no limit of 4,1, because values exceed NUMERIC(4,1)
          note: t: b becomes integer, because values are neither 0 nor 1
          note: t: k may be null, so that the key becomes a unique index
          copied t with 2 rows

          """)
      #expect(
        try await EngineCopyTests.differences("a.sqlite", schema.uri, in: workshop) == [
          "t,column,v,text (3),text", "t,column,n,real (4,1),real", "t,column,b,boolean,integer", "t,key,,k,",
          "t,index,,,unique (k)",
        ])
    }
  }

  @Test(
    "may be a reference to a table that is not copied: the copy is refused, or takes the table, or leaves the reference out"
  )
  func parents() async throws {
    let workshop = try Workshop()
    let tables = [
      "CREATE TABLE a (id INTEGER PRIMARY KEY)",
      "CREATE TABLE b (id INTEGER PRIMARY KEY, a INT CONSTRAINT r REFERENCES a)",
      "CREATE TABLE c (id INTEGER PRIMARY KEY, b INT NOT NULL, c INT, FOREIGN KEY (b) REFERENCES b (id) ON DELETE CASCADE, "
        + "CONSTRAINT s FOREIGN KEY (c) REFERENCES c)",
      "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (2, 1)", "INSERT INTO c VALUES (1, 2, 3), (3, 2, 1)",
    ]
    for statement in tables { try workshop.execute("s.sqlite", statement) }
    try await TestSchema.with { schema in
      for (number, source) in ["s.sqlite", schema.uri].enumerated() {
        for (target, refusal) in [
          ("\(number).sqlite", "would refer to missing rows of b\n"), (schema.uri, "c refers to b, which "),
        ] where target != source {
          let refused = try await workshop.run(["copy", source, target, "c"])
          #expect(refused.status == 1 && refused.messages.hasPrefix("error: "), "\(refused)")
          let isExpected = refused.messages.contains(number == 0 ? refusal : "c refers to b, which ")
          let advice = "\n  copy the tables referred to, too: --with-parents\n"
          #expect(isExpected && refused.messages.contains(advice), "\(refused)")
          #expect(refused.messages.contains("\n  copy without references: --without-references\n"), "\(refused)")
        }
        let alone = try await workshop.run(["copy", source, "alone\(number).sqlite", "c", "--without-references"])
        #expect(
          alone.messages.hasPrefix("note: c: skipped the reference (b) to b")
            && alone.messages.hasSuffix("\ncopied c with 2 rows\n"),
          "\(alone)")
        let shown = try await workshop.run(["schema", "alone\(number).sqlite", "c"])
        #expect(shown.output.contains("c → c") && !shown.output.contains("→ b"), "\(shown)")
        if number == 1 { continue }
        let all = try await workshop.run(["copy", source, schema.uri, "c", "--with-parents"])
        #expect(all.messages == "copied a with 1 row\ncopied b with 1 row\ncopied c with 2 rows\n")
        #expect(try await EngineCopyTests.differences(source, schema.uri, in: workshop) == [])
      }
    }
  }

  @Test("may be a reference of rows to missing rows, which is refused with their number")
  func orphans() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "s.sqlite", "CREATE TABLE b (id INTEGER PRIMARY KEY, a INT)", "INSERT INTO b VALUES (1, 7), (2, 7)")
    try workshop.execute("s.sqlite", "CREATE TABLE a (id INTEGER PRIMARY KEY)", "CREATE TABLE c (a INT REFERENCES a)")
    let made = try await workshop.shell("/usr/bin/sqlite3 s.sqlite 'INSERT INTO c VALUES (7), (7)'")
    #expect(made.status == 0)
    try await TestSchema.with { schema in
      let outcome = try await workshop.run(["copy", "s.sqlite", schema.uri])
      #expect(
        outcome.messages.hasPrefix("error: 2 rows of c refer to missing rows of a\n  repokit check s.sqlite "),
        "\(outcome)")
      #expect(try await workshop.run(["tables", schema.uri]).output.isEmpty || outcome.status == 1)
    }
  }
}
