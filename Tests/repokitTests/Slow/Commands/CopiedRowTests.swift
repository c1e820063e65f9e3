import Testing

@Suite("Rows that repokit copy copies", .enabled(if: Workshop.hasShell))
struct CopiedRowTests {
  @Test(
    "between SQLite files keep their numbers",
    arguments: [
      ("CREATE TABLE t (a TEXT)", "rowid", nil), ("CREATE TABLE t (rowid TEXT, a)", "oid", nil),
      ("CREATE TABLE t (a TEXT PRIMARY KEY, b AS (a || '!'))", "rowid", nil),
      ("CREATE TABLE t (a, b INTEGER PRIMARY KEY DESC)", "rowid", nil),
      ("CREATE TABLE t (a TEXT, id INTEGER PRIMARY KEY AUTOINCREMENT)", "rowid", nil),
      ("CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID", "a", nil),
      (
        "CREATE TABLE t (a, rowid, oid, _rowid_)", "a",
        "the rows get new rowids, because no statement can read rowids"
      ),
    ] as [(String, String, String?)])
  func numbers(definition: String, number: String, note: String?) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "s.sqlite", definition, "INSERT INTO t (a) VALUES ('x'), ('y'), ('z')", "DELETE FROM t WHERE a = 'y'",
      "CREATE TABLE log (a)", "CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END")
    let outcome = try await workshop.run(["copy", "s.sqlite", "c.sqlite"])
    #expect(outcome.status == 0 && outcome.messages.contains("copied t with 2 rows\n"), "\(outcome)")
    #expect(outcome.messages.hasPrefix(note.map { "note: t: \($0)\n" } ?? "copied "), "\(outcome)")
    let select = "SELECT \(number), * FROM t ORDER BY a; SELECT count(*) FROM log; PRAGMA integrity_check"
    let same = try await workshop.shell(
      "/usr/bin/sqlite3 s.sqlite \"\(select)\" > s.txt; /usr/bin/sqlite3 c.sqlite \"\(select)\" | diff s.txt -")
    #expect(same.status == 0, "\(same)")
  }

  @Test(
    "are named where they can't be read, in the database that has them",
    arguments: [
      ("CREATE TABLE t (name TEXT)", "can't read row 2 of t, column name"),
      ("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "can't read row 2 of t, column name"),
      ("CREATE TABLE t (name TEXT PRIMARY KEY) WITHOUT ROWID", "can't read row 1 of the result from t, column name"),
    ])
  func unreadable(definition: String, message: String) async throws {
    let workshop = try Workshop()
    try workshop.execute("s.sqlite", definition, "INSERT INTO t (name) VALUES ('x'), (CAST(x'61ff62' AS TEXT))")
    let outcome = try await workshop.run(["copy", "s.sqlite", "c.sqlite"])
    #expect(outcome.status == 1 && outcome.messages.hasPrefix("error: s.sqlite: \(message)\n"), "\(outcome)")
    #expect(try workshop.files() == ["s.sqlite"])
  }
}
