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
    "is described without its views being read", .timeLimit(.minutes(10)),
    arguments: ["tables h.sqlite", "check h.sqlite", "schema h.sqlite t", "dump h.sqlite -", "query h.sqlite t"])
  func description(call: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.run(call.split(separator: " ").map(String.init))
    #expect(outcome.status == 0, "\(outcome.messages)")
  }

  @Test("is asked for no more than was asked for", .timeLimit(.minutes(10)))
  func endless() async throws {
    let workshop = try await Self.database.copy()
    #expect(try await workshop.run(["query", "h.sqlite", "endless", "--limit", "2"]).output == "x\n1\n2\n")
    let error = try await workshop.run(["query", "h.sqlite", "loads"])
    #expect(error.messages.hasPrefix("error: the view loads calls what a file may not\n"), "\(error.messages)")
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
}
