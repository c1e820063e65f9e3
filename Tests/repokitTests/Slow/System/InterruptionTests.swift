import Query
import SQLStore
import TestSupport
import Testing

@Suite("Work that is interrupted", .tags(.slow))
struct InterruptionTests {
  @Test("ends amid a sort, and leaves no file")
  func sort() async throws {
    let workshop = try Workshop()
    // A view that never ends, so that its sort has no first row.
    try workshop.execute(
      "t.sqlite",
      "CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    let terminal = try workshop.terminal(
      shell: "exec \"$repokit\" export t.sqlite endless out.csv --sort=-i", environment: ["NO_COLOR": "1"])
    // Requests to stop are waited for by then.
    try await terminal.wait(for: "writing endless")
    try terminal.send("\u{3}")
    #expect(try await terminal.finish() == 130)
    #expect(terminal.text.contains("error: interrupted\n  repokit exported nothing"))
    #expect(try workshop.files() == ["t.sqlite"])
    #expect(try await workshop.shell("ls -A | grep -c tmp").output == "0\n")
  }

  @Test("shows for how long it runs, ends amid a statement, and leaves the rows as they were")
  func statement() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)",
      "CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
      "CREATE TRIGGER slow AFTER UPDATE ON t BEGIN SELECT max(i) FROM endless; END")
    for end in ["--yes", "--dry-run"] {
      let terminal = try workshop.terminal(
        shell: "exec \"$repokit\" set t.sqlite t \"a = 1\" a=2 \(end)", environment: ["NO_COLOR": "1"])
      try await terminal.wait(for: end == "--yes" ? "changing rows of t  1 s" : "simulating the change  1 s")
      try terminal.send("\u{3}")
      #expect(try await terminal.finish() == 130)
      #expect(terminal.text.contains("error: interrupted\n  repokit changed nothing"), "\(terminal.text)")
      #expect(try workshop.files() == ["t.sqlite"])
    }
    #expect(try await workshop.lines("t", "a", in: "t.sqlite") == ["1"])
  }

  @Test("ends amid a commit that waits for readers, and leaves the database whole", .enabled(if: Workshop.hasShell))
  func commit() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "id\n7\n")
    let outcome = try await workshop.shell(
      """
      mkfifo pipe hold
      # Another program reads, and goes on until it is told to stop: nothing can be committed meanwhile.
      (echo "BEGIN; SELECT count(*) FROM t;"; cat hold) | sqlite3 t.sqlite > reading &
      until [ -s reading ]; do :; done
      exec 4> hold
      "$repokit" import t.sqlite t - --append < pipe & tool=$!
      exec 3> pipe
      (echo id; yes 1 | head -n 200000) >&3
      exec 3>&-
      sleep 1
      kill -TERM $tool; wait $tool; echo $?
      exec 4>&-
      """)
    #expect(outcome.output == "143\n")
    #expect(outcome.messages.hasPrefix("error: interrupted\n  repokit imported nothing\n"))
    #expect(try await workshop.lines("t", "id", in: "t.sqlite") == ["7"])
    #expect(try await workshop.run(["check", "t.sqlite"]).status == 0)
  }

  @Test(
    "ends amid a commit on a server", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func serverCommit() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE t (id int8)", "CREATE TABLE ended (id int8)",
        """
        CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN PERFORM pg_sleep(600); INSERT INTO ended VALUES (1); RETURN NULL; END $$
        """,
        """
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED \
        FOR EACH ROW EXECUTE FUNCTION sleep()
        """)
      async let ended = workshop.shell(
        """
        (echo id; yes 1 | head -n 10000) > in.csv
        "$repokit" import '\(schema.uri)' t in.csv --append & tool=$!
        until [ -e commits ] || ! kill -0 $tool; do sleep 0.05; done
        kill -TERM $tool; wait $tool; echo $?; : > ended
        """)
      // The session that has locked the table is the tool's.
      let commits: SQLStatement = """
        SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) \
        WHERE relation = 't'::regclass AND wait_event = 'PgSleep' AND query = 'COMMIT'
        """
      while try await schema.store.sql.query(commits, as: Int.self) == [0], try !workshop.files().contains("ended") {
        try await Task.sleep(for: .milliseconds(20))
      }
      try workshop.write("", to: "commits")
      let outcome = try await ended
      #expect(outcome.output == "143\n")
      #expect(outcome.messages.contains("error: interrupted\n  repokit imported nothing\n"), "\(outcome.messages)")
      #expect(try await workshop.run(["count", schema.uri, "t"]).output == "0\n")
      #expect(try await workshop.run(["count", schema.uri, "ended"]).output == "0\n")
    }
  }
}
