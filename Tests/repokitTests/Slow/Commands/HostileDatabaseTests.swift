import Testing

@Suite("A hostile database")
struct HostileDatabaseTests {
  /// What a view may define: rows without an end, two to the power of 10 joins, a gigabyte, and what only statements may call.
  private static let database = Workshop.Template {
    let workshop = try Workshop()
    try workshop.execute(
      "h.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 'x')",
      "CREATE VIEW endless AS WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
      "CREATE VIEW huge AS SELECT zeroblob(900000000) AS z", "CREATE VIEW loads AS SELECT load_extension('x') AS x",
      "CREATE VIEW v0 AS SELECT id FROM t")
    for number in 1...10 {
      try workshop.execute(
        "h.sqlite", "CREATE VIEW v\(number) AS SELECT a.id FROM v\(number - 1) a, v\(number - 1) b")
    }
    return workshop
  }

  @Test(
    "is described without its views being read",
    arguments: [
      "tables h.sqlite", "check h.sqlite", "schema h.sqlite t", "dump h.sqlite -", "query h.sqlite t",
      "diff h.sqlite h.sqlite",
    ])
  func description(call: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.run(call.split(separator: " ").map(String.init))
    // The columns of one view can't be told without what a file may not call.
    let complaint = "error: diff can't read loads to its end\n"
    #expect(
      outcome.status == 0 || call.hasPrefix("diff") && outcome.messages.hasSuffix(complaint), "\(outcome.messages)")
  }

  @Test("hides no view from its statements in SQL")
  func statements() async throws {
    let outcome = try await Self.database.copy().run(["schema", "h.sqlite", "--sql"])
    #expect(outcome.output.contains("\n-- loads\n--   repokit can't describe this table: "), "\(outcome.output)")
  }

  @Test("hides no view from its check")
  func unusable() async throws {
    let outcome = try await Self.database.copy().run(["check", "h.sqlite"])
    #expect(outcome.status == 0)
    let first =
      "note: SQLite can't use the view loads: unsafe use of load_extension()\nnote: SQLite can't use the view v10: "
    #expect(outcome.messages.hasPrefix(first), "\(outcome.messages)")
  }

  @Test("is asked for no more than was asked for")
  func endless() async throws {
    let workshop = try await Self.database.copy()
    #expect(try await workshop.run(["query", "h.sqlite", "endless", "--limit", "2"]).output == "x\n1\n2\n")
    #expect(try await workshop.run(["diff", "h.sqlite", "h.sqlite", "endless", "--schema-only"]).status == 0)
    let error = try await workshop.run(["query", "h.sqlite", "loads"])
    #expect(
      error.messages.hasPrefix("error: the view loads uses a function not allowed in a schema\n"), "\(error.messages)")
  }

  @Test("has no command carried out by the shell that reads its dump", .enabled(if: Workshop.hasShell))
  func dump() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.shell(
      #"""
      /usr/bin/sqlite3 h.sqlite "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; INSERT INTO t VALUES (1); PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = sql || char(10) || ';' || char(10) || '.system touch evil' || char(10) || ';DROP TABLE t'"
      "$repokit" dump h.sqlite h.sql && /usr/bin/sqlite3 n.sqlite < h.sql && "$repokit" schema h.sqlite --sql > s.sql
      /usr/bin/sqlite3 m.sqlite < s.sql; "$repokit" query n.sqlite v; ls
      """#)
    #expect(outcome.output == "a\n1\nh.sql\nh.sqlite\nm.sqlite\nn.sqlite\ns.sql\n", "\(outcome.messages)")
  }

  /// Definitions that SQLite takes, with `~` for the end of a line, and what else they need.
  static let definitions: [(table: String, hostile: String)] = [
    // Its name is a keyword, and what follows it no part of it.
    ("CREATE TABLE trigger (a)", "CREATE TABLE trigger (a);~.shell touch evil"),
    // The shell takes these lines for the end of a statement.
    ("CREATE TABLE go (read)", "CREATE VIEW v AS SELECT~go~.read \"|touch evil\"~FROM go"),
    ("CREATE TABLE t (a)", "CREATE VIEW v AS SELECT 6~/~2; -- */~.shell touch evil"),
    (
      "CREATE TABLE t (a)",
      "CREATE VIEW v AS SELECT 6 /* ~/ ~.shell touch evil~ */ -- */'~ , 'x~.shell touch evil~' AS b"
    ),
    // What is one word to SQLite, a parameter, opens a quote to the shell, which the next text closes.
    (
      "CREATE TABLE t (a); CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT '~; END;~.shell touch evil~'; END",
      "CREATE TRIGGER v AFTER INSERT ON t BEGIN SELECT $a('); END"
    ),
  ]

  @Test(
    "keeps its commands to itself, whatever its definitions look like", .enabled(if: Workshop.hasShell),
    arguments: definitions)
  func hostileDefinition(table: String, hostile: String) async throws {
    let workshop = try Workshop()
    func literal(_ text: String) -> String {
      "'" + text.replacing("'", with: "''").replacing("~", with: "' || char(10) || '") + "'"
    }
    let name = hostile.contains("trigger (a)") ? "trigger" : "v"
    let present = table.split(separator: "; ", maxSplits: 1).map { String($0).replacing("~", with: "\n") }
    for statement in present { try workshop.execute("h.sqlite", statement) }
    if name == "v" {
      try workshop.execute(
        "h.sqlite",
        hostile.contains("VIEW")
          ? "CREATE VIEW v AS SELECT 1" : "CREATE TRIGGER v AFTER INSERT ON t BEGIN SELECT 1; END")
    }
    try workshop.write(
      "PRAGMA writable_schema = ON;\nUPDATE sqlite_schema SET sql = \(literal(hostile)) WHERE name = '\(name)';\n",
      to: "make.sql")
    let outcome = try await workshop.shell(
      #"""
      /usr/bin/sqlite3 h.sqlite < make.sql && "$repokit" dump h.sqlite h.sql && "$repokit" schema h.sqlite --sql > s.sql || exit 1
      /usr/bin/sqlite3 n.sqlite < h.sql; /usr/bin/sqlite3 m.sqlite < s.sql
      for file in h n m; do /usr/bin/sqlite3 $file.sqlite 'SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema ORDER BY 1)'; done
      """#)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(try !workshop.files().contains("evil"))
    // Nor does the shell take a line for the end of a definition. It can't tell where that of the parameter ends.
    if !hostile.contains("$a(") {
      #expect(Set(outcome.output.split(separator: "\n")).count == 1, "\(outcome.output)\(outcome.messages)")
      // It complains of the rest of one that it has ended too early.
      #expect(outcome.messages == "wrote h.sqlite to h.sql\n")
    }
  }
}
