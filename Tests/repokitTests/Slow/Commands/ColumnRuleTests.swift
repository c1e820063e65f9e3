import Testing

@testable import repokit

/// Defaults of the current time, computed columns, columns that refuse nulls, and duplicate rows, in each kind of database.
@Suite("Rules of columns, and duplicate rows")
struct ColumnRuleTests {
  /// Runs a test in a file, and on a server if there is one.
  private func withDatabases(
    _ body: (_ workshop: Workshop, _ database: String, _ execute: (String) async throws -> Void) async throws -> Void
  ) async throws {
    let workshop = try Workshop()
    try await body(workshop, "p.sqlite") { try workshop.execute("p.sqlite", $0) }
    guard TestSchema.connection != nil else { return }
    try await TestSchema.with { schema in
      try await body(workshop, schema.uri) { try await schema.execute($0) }
    }
  }

  private func succeed(_ workshop: Workshop, _ arguments: String...) async throws -> String {
    let outcome = try await workshop.run(arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.messages)")
    return outcome.output
  }

  @Test("default now is the time of the insertion, also in a column that is added to a table with rows")
  func now() async throws {
    try await withDatabases { workshop, database, _ in
      _ = try await succeed(
        workshop, "table", "create", database, "t", "id integer key", "made text required default now")
      _ = try await succeed(workshop, "insert", database, "t", "id=1", "--yes")
      _ = try await succeed(
        workshop, "column", "add", database, "t", "added text required default now unique", "--yes")
      _ = try await succeed(
        workshop, "column", "add", database, "t", "seen text default now", "--yes")
      _ = try await succeed(workshop, "insert", database, "t", "id=2", "--yes")
      for column in ["made", "added", "seen"] {
        let count = try await succeed(
          workshop, "count", database, "t", "\(column) >= '2026' and \(column) < '2100' and length(\(column)) = 30")
        #expect(count == "2\n")
      }
      let schema = try await succeed(workshop, "schema", database, "t")
      #expect(schema.contains("made "))
    }
  }

  @Test("A computed column has the value of its expression, and is not written")
  func computed() async throws {
    try await withDatabases { workshop, database, _ in
      _ = try await succeed(
        workshop, "table", "create", database, "t", "id integer key", "price real", "count integer",
        "total real computed as price * count")
      _ = try await succeed(workshop, "insert", database, "t", "id=1", "price=1.5", "count=4", "--yes")
      _ = try await succeed(
        workshop, "column", "add", database, "t", "half real computed as price / 2", "--yes")
      let rows = try await succeed(workshop, "query", database, "t", "--columns", "total,half")
      #expect(rows == "total\thalf\n6.0\t0.75\n" || rows == "total\thalf\n6\t0.75\n")
      let refused = try await workshop.run(["set", database, "t", "true", "total=1", "--all", "--yes"])
      #expect(refused.status != 0)
      for (definition, message) in [
        ("x integer computed as nothing + 1", "nothing"), ("x integer computed price", "the expression is missing"),
        ("x integer computed as (price", "invalid expression"), ("x integer key computed as id + 1", "can't be a key"),
      ] {
        let outcome = try await workshop.run(["column", "add", database, "t", definition, "--yes"])
        #expect(outcome.status != 0 && outcome.messages.contains(message), "\(outcome.messages)")
      }
    }
  }

  @Test("column require refuses nulls, column optional accepts them, and all else of the table stays")
  func nulls() async throws {
    try await withDatabases { workshop, database, execute in
      try await execute(
        "CREATE TABLE t (id bigint PRIMARY KEY, a text CHECK (a <> 'x'), b integer DEFAULT 5, CONSTRAINT c UNIQUE (a, b))"
      )
      try await execute("CREATE INDEX i ON t (b)")
      try await execute("INSERT INTO t VALUES (1, 'a', 1), (2, NULL, 2)")
      let refused = try await workshop.run(["column", "require", database, "t", "a", "--yes"])
      #expect(refused.status == 1 && refused.messages.hasPrefix("error: 1 row of t has no a\n"), "\(refused)")
      #expect(refused.messages.contains("'a is null' 'a=…' sets a value"))
      _ = try await succeed(workshop, "set", database, "t", "a is null", "a=b", "--yes")
      for column in ["a", "b"] {
        let before = try await succeed(workshop, "schema", database, "t", "--format", "csv")
        _ = try await succeed(workshop, "column", "require", database, "t", column, "--yes")
        let insertion = try await workshop.run(["insert", database, "t", "id=9", "\(column)=null", "--yes"])
        #expect(insertion.status != 0, "\(insertion)")
        #expect(try await workshop.run(["column", "require", database, "t", column, "--yes"]).status == 1)
        _ = try await succeed(workshop, "column", "optional", database, "t", column, "--yes")
        #expect(try await succeed(workshop, "schema", database, "t", "--format", "csv") == before)
      }
      #expect(try await succeed(workshop, "query", database, "t") == "id\ta\tb\n1\ta\t1\n2\tb\t2\n")
      #expect(try await workshop.run(["column", "optional", database, "t", "id", "--yes"]).status == 1)
      #expect(try await workshop.run(["insert", database, "t", "id=9", "a=x", "--yes"]).status == 1)
    }
  }

  @Test(
    "table deduplicate deletes all but the first or the last of equal rows",
    arguments: [
      (["name"], "first", [1, 2, 5, 6]), (["name,n"], "last", [1, 3, 4, 5, 6]), (["n"], "first", [1, 3]),
    ])
  func duplicates(columns: [String], kept: String, ids: [Int]) async throws {
    try await withDatabases { workshop, database, execute in
      for key in ["id bigint PRIMARY KEY", "id bigint"] {
        try await execute("DROP TABLE IF EXISTS t")
        try await execute("CREATE TABLE t (\(key), name text, n integer)")
        try await execute(
          "INSERT INTO t VALUES (1, 'a', 1), (2, NULL, 1), (3, 'a', 2), (4, NULL, 1), (5, 'A', 1), (6, 'b', 1)")
        let call = ["table", "deduplicate", database, "t"] + columns + ["--keep", kept]
        let dry = try await workshop.run(call + ["--dry-run"])
        #expect(dry.messages.hasPrefix("would delete \(6 - ids.count) "), "\(dry)")
        let done = try await workshop.run(call + ["--yes"])
        #expect(done.messages.hasPrefix("deleted \(6 - ids.count) "), "\(done)")
        let rest = try await succeed(workshop, "query", database, "t", "--columns", "id", "--sort", "id")
        #expect(rest == (["id"] + ids.map(String.init)).map { $0 + "\n" }.joined())
        let again = try await workshop.run(call + ["--yes"])
        #expect(again.status == 0 && again.messages.hasPrefix("no rows of t have the same "), "\(again)")
      }
    }
  }

  @Test("table deduplicate names the rows of other tables that go with the rows, or that forbid the deletion")
  func references() async throws {
    try await withDatabases { workshop, database, execute in
      try await execute("CREATE TABLE p (id integer PRIMARY KEY, name text)")
      try await execute("CREATE TABLE c (id integer PRIMARY KEY, p integer REFERENCES p (id) ON DELETE CASCADE)")
      try await execute("INSERT INTO p VALUES (1, 'a'), (2, 'a'), (3, 'b')")
      try await execute("INSERT INTO c VALUES (1, 2), (2, 2), (3, 1)")
      let dry = try await workshop.run(["table", "deduplicate", database, "p", "name", "--dry-run"])
      #expect(dry.output == "id\tname\n2\ta\n", "\(dry)")
      #expect(dry.messages.contains("would delete 1 of 3 rows of p") && dry.messages.contains("2 rows of c"), "\(dry)")
      let done = try await workshop.run(["table", "deduplicate", database, "p", "name", "--yes"])
      #expect(done.messages.contains("2 rows of c"), "\(done)")
      #expect(try await succeed(workshop, "count", database, "c") == "1\n")
      try await execute("CREATE TABLE d (id integer PRIMARY KEY, p integer REFERENCES p (id))")
      try await execute("INSERT INTO p VALUES (4, 'b')")
      try await execute("INSERT INTO d VALUES (1, 4)")
      let refused = try await workshop.run(["table", "deduplicate", database, "p", "name", "--yes"])
      #expect(refused.status == 1 && !refused.messages.contains("FOREIGN KEY"), "\(refused)")
    }
  }
}
