import Testing

@Suite("Rows keep the rowids by which an index of their texts finds them", .enabled(if: Workshop.hasShell))
struct RowidTests {
  private static let database = Workshop.Template {
    let workshop = try Workshop()
    try workshop.execute(
      "n.sqlite", "CREATE TABLE kind (id TEXT PRIMARY KEY)", "INSERT INTO kind VALUES ('a')",
      "CREATE TABLE note (id TEXT PRIMARY KEY, body TEXT, kind TEXT, n INT)",
      "CREATE VIRTUAL TABLE f USING fts5(body, content = 'note')",
      "CREATE VIRTUAL TABLE g USING fts4(body, content=\"note\")",
      "INSERT INTO note VALUES ('n1', 'apple', 'a', 1), ('n2', 'elder', 'a', 2), ('n3', 'grape', NULL, 3)",
      "INSERT INTO f (rowid, body) SELECT rowid, body FROM note",
      "INSERT INTO g (docid, body) SELECT rowid, body FROM note",
      "INSERT INTO f (f, rowid, body) VALUES ('delete', 1, 'apple')", "DELETE FROM g WHERE docid = 1",
      "DELETE FROM note WHERE id = 'n1'")
    return workshop
  }

  @Test(
    "when the table is made anew",
    arguments: [
      "$repokit column retype n.sqlite note n text --yes",
      "$repokit column reference n.sqlite note kind kind.id --yes",
      "printf 'id,n\\nn4,x\\n' | $repokit import n.sqlite note - --append --widen",
      "$repokit dump n.sqlite n.sql && rm n.sqlite && /usr/bin/sqlite3 n.sqlite < n.sql",
    ])
  func kept(command: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.shell(command)
    #expect(outcome.status == 0, "\(outcome)")
    for index in ["f", "g"] {
      let found = try await workshop.run(["query", "n.sqlite", index, "--match", "elder", "--columns", "rowid,body"])
      #expect(found.output == "rowid\tbody\n2\telder\n", "\(index): \(found)")
    }
  }

  @Test("are kept by vacuum, or it refuses", arguments: [false, true])
  func vacuum(isIndexed: Bool) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "v.sqlite", "CREATE TABLE note (body TEXT)", "CREATE VIRTUAL TABLE f USING fts5(body, content = 'note')",
      "INSERT INTO note VALUES ('apple'), ('elder')", "INSERT INTO f (f) VALUES ('rebuild')",
      "INSERT INTO f (f, rowid, body) VALUES ('delete', 1, 'apple')", "DELETE FROM note WHERE body = 'apple'")
    if isIndexed { try workshop.execute("v.sqlite", "CREATE INDEX i ON note (body)") }
    let outcome = try await workshop.run(["vacuum", "v.sqlite"])
    #expect(outcome.status == (isIndexed ? 0 : 1), "\(outcome)")
    #expect(
      isIndexed
        || outcome.messages.hasPrefix("error: VACUUM would break the full-text table f\n"),
      "\(outcome)")
    #expect(
      try await workshop.run(["query", "v.sqlite", "f", "--match", "elder"]).output == "rowid\tbody\n2\telder\n")
  }

  @Test("or do not matter, where an index finds rows by a column")
  func column() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "v.sqlite", "CREATE TABLE note (id INT, body TEXT)",
      "CREATE VIRTUAL TABLE f USING fts5(body, content = 'note', content_rowid = 'id')",
      "INSERT INTO note VALUES (1, 'apple'), (2, 'elder')", "INSERT INTO f (f) VALUES ('rebuild')",
      "INSERT INTO f (f, rowid, body) VALUES ('delete', 1, 'apple')", "DELETE FROM note WHERE body = 'apple'")
    let outcome = try await workshop.run(["vacuum", "v.sqlite"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try await workshop.run(["query", "v.sqlite", "f", "--match", "elder"]).output == "rowid\tbody\n2\telder\n")
  }

  /// Statements that make a table `t`, and what its rowids and a column are after a dump; the dump's columns.
  static let tables: [(statements: [String], rows: String, columns: String)] = [
    (["CREATE TABLE t (a)", "INSERT INTO t VALUES (5), (6)"], "1|5\n2|6\n", "(\"a\")"),
    (["CREATE TABLE t (a)", "INSERT INTO t (rowid, a) VALUES (1, 5), (3, 6)"], "1|5\n3|6\n", "(\"rowid\", \"a\")"),
    (
      ["CREATE TABLE t (a, rowid, oid)", "INSERT INTO t (_rowid_, a) VALUES (-2, 5)"], "-2|5\n", "(\"_rowid_\", \"a\","
    ),
    (["CREATE TABLE t (a)", "INSERT INTO t (rowid, a) VALUES (-5, 5), (2, 6)"], "-5|5\n2|6\n", "(\"rowid\", \"a\")"),
    (["CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (7)"], "7|7\n", "(\"a\")"),
    // Whatever the order of the index is.
    (
      ["CREATE TABLE t (a)", "CREATE INDEX i ON t (a DESC)", "INSERT INTO t VALUES (5), (6), (4)"], "1|5\n2|6\n3|4\n",
      "(\"a\")"
    ),
  ]

  @Test("in a dump, where the order of the rows does not give them", arguments: tables)
  func dump(table: (statements: [String], rows: String, columns: String)) async throws {
    let workshop = try Workshop()
    for statement in table.statements { try workshop.execute("t.sqlite", statement) }
    let outcome = try await workshop.shell(
      """
      $repokit dump t.sqlite t.sql && /usr/bin/sqlite3 u.sqlite < t.sql && \
      /usr/bin/sqlite3 u.sqlite "SELECT _rowid_, a FROM t ORDER BY _rowid_" && grep -c -F 'INTO "t" \(table.columns)' t.sql > /dev/null
      """)
    #expect(outcome.output == table.rows && outcome.status == 0, "\(outcome)")
  }

  /// SQLite has room for 2,000 columns in a result, so that the rowid of such a table is never read.
  @Test("but a table of 2,000 columns is read without it")
  func wide() async throws {
    let workshop = try Workshop()
    let columns = (1...2_000).map { "c\($0)" }.joined(separator: ", ")
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (\(columns))", "INSERT INTO t (c1) VALUES (1), (2), (3)", "DELETE FROM t WHERE c1 = 2"
    )
    let dump = try await workshop.shell(
      "$repokit dump t.sqlite t.sql && /usr/bin/sqlite3 u.sqlite < t.sql && /usr/bin/sqlite3 u.sqlite 'SELECT c1 FROM t'"
    )
    #expect(dump.status == 0 && dump.output == "1\n3\n", "\(dump.messages)")
    let retyped = try await workshop.run(["column", "retype", "t.sqlite", "t", "c1", "integer", "--yes"])
    #expect(retyped.status == 0, "\(retyped.messages)")
    let copy = try await workshop.run(["copy", "t.sqlite", "v.sqlite"])
    #expect(
      copy.status == 0
        && copy.messages.hasPrefix("note: t: the rows get new rowids, because no statement can read rowids\n"),
      "\(copy.messages)")
  }

  @Test("A dump writes the settings of an FTS5 table and the languages of FTS4 rows")
  func settings() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE VIRTUAL TABLE f USING fts5(a, b)", "INSERT INTO f VALUES ('x', 'y')",
      "INSERT INTO f (f, rank) VALUES ('rank', 'bm25(10.0)')", "INSERT INTO f (f, rank) VALUES ('pgsz', 100)",
      "CREATE VIRTUAL TABLE g USING fts4(a, languageid='lid')", "INSERT INTO g (a, lid) VALUES ('hello', 3)")
    let values =
      "SELECT k, v FROM f_config WHERE k <> 'version'; SELECT rowid, lid, a FROM g WHERE g MATCH 'hello' AND lid = 3"
    let outcome = try await workshop.shell(
      "$repokit dump t.sqlite t.sql && /usr/bin/sqlite3 u.sqlite < t.sql && /usr/bin/sqlite3 u.sqlite \"\(values)\"")
    #expect(outcome.output == "pgsz|100\nrank|bm25(10.0)\n1|3|hello\n", "\(outcome)")
  }

  @Test(
    "unless its content is gone, which is told",
    arguments: [
      ("DROP TABLE note", "note: skipped the rows of f, which SQLite can't read: "),
      (
        "DELETE FROM note WHERE id = 'n2'",
        "note: skipped 1 row of the index f: note has no such row\n"
      ),
    ])
  func content(statement: String, note: String) async throws {
    let workshop = try await Self.database.copy()
    try workshop.execute("n.sqlite", statement)
    let outcome = try await workshop.shell("$repokit dump n.sqlite n.sql && /usr/bin/sqlite3 u.sqlite < n.sql")
    #expect(outcome.status == 0 && outcome.messages.contains(note), "\(outcome)")
    #expect(try await workshop.run(["query", "u.sqlite", "f", "--match", "elder"]).output == "rowid\tbody\n")
  }
}
