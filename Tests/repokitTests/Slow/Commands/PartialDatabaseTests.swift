import Testing

@Suite("Databases with tables that are not taken along, or can't be read")
struct PartialDatabaseTests {
  @Test("are copied without the triggers that need what is not copied")
  func triggers() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "s.sqlite", "CREATE TABLE n (id INTEGER PRIMARY KEY, b TEXT)", "CREATE TABLE log (t)",
      "CREATE VIRTUAL TABLE f USING fts5(b, content = n, content_rowid = id)", "CREATE VIEW v AS SELECT b FROM n",
      "CREATE TRIGGER into_f AFTER INSERT ON n BEGIN INSERT INTO \"F\" (rowid, b) VALUES (new.id, new.b); END",
      "CREATE TRIGGER from_v AFTER UPDATE ON n BEGIN INSERT INTO log SELECT b FROM v; END",
      "CREATE TRIGGER logged AFTER INSERT ON n BEGIN INSERT INTO log VALUES (new.b || 'f'); END",
      "INSERT INTO n VALUES (1, 'x')")
    let all = try await workshop.run(["copy", "s.sqlite", "t.sqlite"])
    #expect(
      all.messages == """
        note: skipped the virtual table f
        note: skipped the view v
        note: n: skipped the trigger from_v, which needs v; v is not copied
        note: n: skipped the trigger into_f, which needs f; f is not copied
        copied log with 1 row
        copied n with 1 row

        """, "\(all)")
    #expect(try await workshop.run(["insert", "t.sqlite", "n", "b=y", "--yes"]).output == "2\n")
    #expect(try await workshop.run(["query", "t.sqlite", "log"]).output == "t\nxf\nyf\n")
    // What the other database has already is not missing.
    try workshop.execute("u.sqlite", "CREATE TABLE log (t)")
    let one = try await workshop.run(["copy", "s.sqlite", "u.sqlite", "n"])
    #expect(one.status == 0 && !one.messages.contains("logged"), "\(one)")
    let alone = try await workshop.run(["copy", "s.sqlite", "w.sqlite", "n"])
    #expect(alone.messages.contains("the trigger logged, which needs log; log is not copied\n"), "\(alone)")
  }

  @Test(
    "are copied with the triggers that only have columns of the same names",
    arguments: [
      ("INSERT INTO log SELECT n.b FROM n, v", false), ("INSERT INTO log SELECT n.b FROM n JOIN log ON true, v", false),
      ("INSERT INTO log SELECT n.b FROM (n, \"V\")", false), ("DELETE FROM log WHERE t IN v", false),
      ("INSERT INTO log SELECT b FROM main.v", false), ("INSERT INTO log SELECT b FROM /* all */ v", false),
      ("UPDATE OR IGNORE log SET t = v.b FROM v", false), ("UPDATE OR IGNORE v SET b = 'x'", false),
      ("UPDATE OR REPLACE v SET b = 'x'", false), ("INSERT INTO log VALUES (new.v)", true),
      ("INSERT INTO log SELECT b AS t FROM n GROUP BY b, v", true), ("DELETE FROM log WHERE 'v' IN (t, 'v')", true),
      ("UPDATE n SET b = 'v', v = 2 WHERE v IS DISTINCT FROM v AND id IN (1, v)", true),
    ])
  func triggers(statement: String, isCopied: Bool) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "s.sqlite", "CREATE TABLE n (id INTEGER PRIMARY KEY, b TEXT, v INT)", "CREATE TABLE log (t)",
      "CREATE VIEW v AS SELECT b FROM n", "CREATE TRIGGER x AFTER INSERT ON n BEGIN \(statement); END")
    let outcome = try await workshop.run(["copy", "s.sqlite", "t.sqlite"])
    #expect(
      outcome.status == 0 && outcome.messages.contains("the trigger x, which needs v") != isCopied, "\(outcome)")
    #expect(try await workshop.run(["insert", "t.sqlite", "n", "b=y", "--yes"]).status == 0)
  }

  /// Statements for both databases, the last of which is run in one alone, the differences, and messages.
  static let differences: [(statements: [String], change: String, output: String, messages: String)] = [
    (
      ["CREATE VIRTUAL TABLE f USING fts5(b)", "INSERT INTO f VALUES ('x y')"], "INSERT INTO f VALUES ('z')",
      "f,count,,,1,2\n", "s.sqlite and t.sqlite have 1 difference\n  f: the numbers of rows differ\n"
    ),
    (
      [
        "CREATE VIRTUAL TABLE a USING fts4(b, content='')", "INSERT INTO a (docid, b) VALUES (1, 'x')",
        "CREATE TABLE t (n)",
      ],
      "INSERT INTO t VALUES (1)", "t,count,,,0,1\n",
      "note: diff can't read a to the end: SQLite refused the operation: SQLite says: SQL logic error\n"
        + "error: s.sqlite and t.sqlite have 1 difference\n  t: the numbers of rows differ\n  diff can't read a to its end\n"
    ),
    (
      ["CREATE VIRTUAL TABLE a USING fts4(b, content='')"], "INSERT INTO a (docid, b) VALUES (1, 'x')", "",
      "note: diff can't read a to the end: SQLite refused the operation: SQLite says: SQL logic error\n"
        + "error: diff can't read a to its end\n"
    ),
    (
      [
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x)",
        "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT)), (2, CAST(x'fe' AS TEXT))",
      ],
      "UPDATE t SET x = CAST(x'ff61' AS TEXT) WHERE id = 1", "t,value,1,x,x'ff',x'ff61'\n",
      "s.sqlite and t.sqlite have 1 difference\n  t: 1 value changed\n"
    ),
    (
      ["CREATE TABLE t (id INTEGER PRIMARY KEY, x)", "INSERT INTO t VALUES (1, 1), (2, 2)"],
      "UPDATE t SET x = 1.0 WHERE id = 1",
      "t,value,1,x,1,1.0\n", "s.sqlite and t.sqlite have 1 difference\n  t: 1 value changed\n"
    ),
    (
      ["CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"], "UPDATE t SET x = 1.0", "t,rows,,,1,1\n",
      "s.sqlite and t.sqlite have 1 difference\n  t: rows differ\n"
    ),
    (
      ["CREATE TABLE t (x, y)", "INSERT INTO t VALUES (1.0, 1)"], "UPDATE t SET x = 1, y = 1.0", "t,rows,,,1,1\n",
      "s.sqlite and t.sqlite have 1 difference\n  t: rows differ\n"
    ),
    (
      ["CREATE TABLE t (x NOT NULL PRIMARY KEY)", "INSERT INTO t VALUES (1)"], "UPDATE t SET x = 1.0",
      "t,value,1,x,1,1.0\n",
      "s.sqlite and t.sqlite have 1 difference\n  t: 1 value changed\n"
    ),
  ]

  @Test("are compared in all else", arguments: differences)
  func diff(of row: (statements: [String], change: String, output: String, messages: String)) async throws {
    let workshop = try Workshop()
    for name in ["s.sqlite", "t.sqlite"] {
      for statement in row.statements { try workshop.execute(name, statement) }
    }
    try workshop.execute("t.sqlite", row.change)
    let outcome = try await workshop.run(["diff", "s.sqlite", "t.sqlite", "--format", "csv"])
    let heading = row.output.isEmpty ? "" : "table,difference,key,column,s,t\n"
    #expect(outcome == Outcome(status: 1, output: heading + row.output, messages: row.messages))
  }
}
