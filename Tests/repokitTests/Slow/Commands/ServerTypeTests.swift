import PostgresStore
import Query
import Testing

@testable import repokit

@Suite("Types of a server", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct ServerTypeTests {
  @Test("--format sql is in the server's own SQL, and is read back exactly")
  func sqlRoundTrip() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      let definition = "(id int8 PRIMARY KEY, name text, weight float8, data bytea)"
      try await schema.execute(
        "CREATE TABLE a \(definition)", "CREATE TABLE b \(definition)",
        #"INSERT INTO a VALUES (1, E'it''s \\ ', 0.1, '\x00ff'), (2, '', '-Infinity', ''), (-9223372036854775808, NULL, -0.0, NULL)"#,
        "INSERT INTO a VALUES (3, chr(27) || chr(10) || chr(9), 5e-324, NULL)")
      for command in ["query", "export"] {
        let arguments = command == "query" ? [schema.uri, "a"] : [schema.uri, "a", "-"]
        let written = try await workshop.run([command] + arguments + ["--format", "sql"])
        let statements = written.output.replacing(#"INSERT INTO "a""#, with: #"INSERT INTO "b""#)
        try await schema.execute("DELETE FROM b")
        for statement in statements.split(separator: ";\n") { try await schema.execute(String(statement)) }
        let rows = try await workshop.run(["query", schema.uri, "a", "--format", "json"])
        #expect(!rows.output.isEmpty)
        #expect(try await workshop.run(["query", schema.uri, "b", "--format", "json"]) == rows, "\(statements)")
      }
    }
  }

  @Test("--format sql is read back exactly in the types of other programs, too")
  func adoptedSQLRoundTrip() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      let definition = """
        (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int GENERATED ALWAYS AS IDENTITY, b boolean, u uuid, \
        z timestamptz, t timestamp(3), d date, p numeric(9,2), w numeric(6), e mood, j jsonb, k json, s real, c char(3), \
        v varchar(9), small smallint)
        """
      try await schema.execute(
        #"CREATE TYPE mood AS ENUM ('sad', '\''')"#, "CREATE TABLE a \(definition)", "CREATE TABLE b \(definition)",
        "INSERT INTO a (b, u, z, t, d, p, w, e, j, k, s, c, v, small) VALUES "
          + "(true, '00000000-0000-4000-8000-00000000000a', '2026-11-23 10:00+00', '2026-11-23 10:00', '2026-11-23', -12.34, "
          + #"7, 'sad', '{"a": [1]}', '[ 1]', 0.1, 'a', 'v', 1), (false, NULL, 'infinity', '-infinity', 'infinity', "#
          + #"9999999.99, -999999, '\''', '"\\n"', '"\u0041"', '-infinity', '', '', -1), "#
          + "(NULL\(String(repeating: ", NULL", count: 13)))")
      let written = try await workshop.run(["export", schema.uri, "a", "-", "--format", "sql"])
      let statements = written.output.replacing(#"INSERT INTO "a""#, with: #"INSERT INTO "b""#)
      for statement in statements.split(separator: ";\n") { try await schema.execute(String(statement)) }
      let rows = try await workshop.run(["query", schema.uri, "a", "--format", "json"])
      #expect(rows.output.contains("12.34"))
      #expect(try await workshop.run(["query", schema.uri, "b", "--format", "json"]) == rows, "\(written)")
    }
  }

  @Test("instants are compared as such, however they are written, and a day is all of it")
  func instants() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE e (id int PRIMARY KEY, at timestamptz, ts timestamp, d date)",
        "INSERT INTO e SELECT i, timestamptz '2026-11-25 00:00+00' + i * interval '1 minute', "
          + "timestamp '2026-11-25 00:00' + i * interval '1 minute', date '2026-11-25' + i / 1000 FROM generate_series(0, 2000) i",
        "INSERT INTO e VALUES (3000, 'infinity', 'infinity', 'infinity'), (3001, NULL, NULL, NULL)")
      let workshop = try Workshop()
      for (query, count) in [
        ("at = '2026-11-25'", 1_440), ("ts = '2026-11-25'", 1_440), ("at <= '2026-11-25'", 1_440),
        ("at between '2026-11-25' and '2026-11-25'", 1_440), ("at > '2026-11-25'", 562),
        ("at >= '2026-11-25 10:00:00'", 1_402), ("ts >= '2026-11-25 10:00:00'", 1_402),
        ("at >= '2026-11-25T10:00:00Z'", 1_402), ("at = '2026-11-25T10:00:00Z'", 1), ("ts = '2026-11-25 10:00'", 1),
        ("at >= '2026-11-25T10:00:00+01:00'", 1_462), ("d >= '2026-11-26T00:00:00Z'", 1_002),
        ("d = '2026-11-26'", 1_000),
      ] {
        for engine in ["database", "memory"] {
          let outcome = try await workshop.run(["count", schema.uri, "e", query, "--engine", engine])
          #expect(outcome.output == "\(count)\n", "\(query) \(engine) \(outcome.messages)")
        }
      }
    }
  }

  @Test("a table of another program is queried, changed and imported into in the types that it has")
  func adoptedTables() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TYPE state AS ENUM ('new', 'sent')",
        """
        CREATE TABLE orders (id uuid PRIMARY KEY, paid boolean NOT NULL DEFAULT false, placed timestamptz NOT NULL, \
        price numeric(12,2) NOT NULL, state state NOT NULL DEFAULT 'new', n int GENERATED ALWAYS AS IDENTITY)
        """)
      let workshop = try Workshop()
      func run(_ command: String, _ arguments: String...) async throws -> Outcome {
        try await workshop.run([command, schema.uri, "orders"] + arguments)
      }
      try workshop.write(
        """
        id,paid,placed,price
        00000000-0000-4000-8000-00000000000a,1,2026-02-02T00:00:00.000000000Z,9.99
        00000000-0000-4000-8000-00000000000b,0,2026-03-02T00:00:00.500000000Z,-1.5

        """, to: "orders.csv")
      #expect(
        try await workshop.run(["import", schema.uri, "orders", "orders.csv", "--append"]).messages
          == "appended 2 rows to orders\n")
      #expect(
        try await run("query", "price = 9.99 and paid = 1 and placed < '2026-03'", "--columns", "n").output == "n\n1\n")
      #expect(try await run("count", "state = 'new' or state = 'unheard of'").output == "2\n")
      #expect(try await run("count", "id starts with '00000000-'").output == "2\n")
      #expect(
        try await run("group", "--by", "paid", "--max", "placed", "--sum", "price").output == """
          paid\tmax(placed)\tsum(price)
          0\t2026-03-02T00:00:00.500000000Z\t-1.5
          1\t2026-02-02T00:00:00.000000000Z\t9.99

          """)
      #expect(
        try await run("set", "paid = 0", "state=sent", "price=2.5", "--yes").messages == "changed 1 row of orders\n")
      let refused = try await run("set", "paid = 0", "price=2.555", "--yes")
      #expect(
        refused.status == 2 && refused.messages.contains("the column has up to 12 digits, 2 of them after the point"))
      #expect(
        try await run("query", "--engine", "memory", "--sort=-price", "--columns", "price").output
          == "price\n9.99\n2.5\n")
      #expect(try await run("schema").output.contains("price   real     declared numeric(12,2)\n"))
    }
  }

  @Test("a value that a column's type can't hold is refused with the column's name, as reads are refused")
  func misfits() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TYPE mood AS ENUM ('sad', 'happy')",
        "CREATE TABLE person (name text PRIMARY KEY, mood mood, small smallint)")
      let workshop = try Workshop()
      let mood = "mood of person can't store this text\n"
      for (arguments, message) in [
        (["insert", schema.uri, "person", "name=Z", "mood=angry", "--yes"], "error: \(mood)"),
        (
          ["insert", schema.uri, "person", "name=Z", "small=70000", "--yes"],
          "error: small of person can't store this number\n"
        ),
        (["import", schema.uri, "person", "-", "--append"], "error: standard input, line 2: \(mood)"),
      ] {
        let outcome = try await workshop.run(arguments, input: "name,mood\nZ,angry\n")
        #expect(outcome.status == 1 && outcome.messages.hasPrefix(message), "\(outcome.messages)")
        #expect(!outcome.messages.contains("property"))
        #expect(outcome.messages.contains("  write ") && !outcome.messages.contains("property"), "\(outcome.messages)")
      }
    }
  }
}
