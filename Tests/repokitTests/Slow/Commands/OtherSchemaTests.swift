import Testing

@testable import repokit

@Suite(
  "A table of another schema of a server",
  .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct OtherSchemaTests {
  @Test("is named with its schema, in every command, and its own references are found")
  func commands() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      let other = "repokit_test_o\(UInt64.random(in: 0...(.max)))"
      try await schema.execute(
        "CREATE SCHEMA \(other)", "CREATE TABLE \(other).town (id int PRIMARY KEY, name text)",
        "CREATE TABLE \(other).\"a b\" (id int PRIMARY KEY, town int REFERENCES \(other).town)",
        "INSERT INTO \(other).town VALUES (1, 'Oslo')", "INSERT INTO \(other).\"a b\" VALUES (7, 1)",
        "CREATE TABLE here (id int PRIMARY KEY)", "CREATE TABLE \"x.y\" (id int PRIMARY KEY)")
      func run(_ command: String, _ arguments: String...) async throws -> Outcome {
        try await workshop.run([command, schema.uri] + arguments)
      }
      let named = try await run("query", "\(other).a b", "town.name = 'Oslo'", "--columns", "id, town.name")
      #expect(named == Outcome(status: 0, output: "id\ttown.name\n7\tOslo\n", messages: ""))
      #expect(try await run("count", "x.y").output == "0\n")
      #expect(try await run("insert", "\(other).town", "id=2", "name=Rom", "--yes").status == 0)
      #expect(try await run("set", "\(other).town", "id = 2", "name=Roma", "--yes").status == 0)
      #expect(try await run("export", "\(other).town", "-", "--format", "csv").output == "id,name\n1,Oslo\n2,Roma\n")
      let copied = try await run("copy", "c.sqlite", "\(other).town", "\(other).a b", "here")
      #expect(
        copied.messages == "copied here with 0 rows\ncopied town with 2 rows\ncopied a b with 1 row\n", "\(copied)")
      #expect(try await run("diff", "c.sqlite", "\(other).town") == Outcome(status: 0, output: "", messages: ""))
      let missing = try await run("query", "\(other).gone")
      #expect(
        missing.status != 0 && missing.messages.hasPrefix("error: there is no table \(other).gone\n"), "\(missing)")
      try await schema.execute("CREATE TABLE \(other).here (z int)")
      let both = try await run("copy", "d.sqlite", "\(other).town", "here")
      #expect(both.messages.hasPrefix("error: two of the tables have the same name in different schemas\n"), "\(both)")
      // A new table would have the point in its name, and hide one of the schema.
      try workshop.write("id\n3\n", to: "rows.csv")
      for arguments in [
        ["table", "create", schema.uri, "\(other).town", "id integer key"],
        ["table", "create", schema.uri, "\(other).new", "id integer key"],
        ["table", "rename", schema.uri, "here", "\(other).new", "--yes"],
        ["view", "create", schema.uri, "\(other).new", "here"], ["import", schema.uri, "\(other).new", "rows.csv"],
      ] {
        let refused = try await workshop.run(arguments)
        #expect(refused.status == 2, "\(refused)")
        #expect(
          refused.messages.contains("not in \(other)\n  add ?options=-csearch_path%3D\(other) to the URI"), "\(refused)"
        )
      }
      let added = try await run("import", "\(other).town", "rows.csv", "--append")
      #expect(added.messages == "appended 1 row to town\n", "\(added)")
      try await schema.execute("DROP SCHEMA \(other) CASCADE")
    }
  }

  @Test("or of this one has columns of types that are only shown, and any other column is dropped")
  func droppedColumn() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE t (id int PRIMARY KEY, a int, b tsvector, c int[], p point)",
        "INSERT INTO t VALUES (1, 2, 'x', '{1}', NULL)")
      for (column, count) in [("a", "1 value"), ("b", "1 value"), ("p", "0 values")] {
        let dropped = try await workshop.run(["column", "drop", schema.uri, "t", column, "--yes"])
        #expect(
          dropped == Outcome(status: 0, output: "", messages: "dropped the column \(column) of t with \(count)\n"))
      }
    }
  }
}
