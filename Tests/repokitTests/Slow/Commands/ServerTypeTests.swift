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
          false\t2026-03-02 00:00:00.5+00\t-1.5
          true\t2026-02-02 00:00:00+00\t9.99

          """)
      #expect(
        try await run("set", "paid = 0", "state=sent", "price=2.5", "--yes").messages == "changed 1 row of orders\n")
      let refused = try await run("set", "paid = 0", "price=2.555", "--yes")
      #expect(
        refused.status == 2 && refused.messages.contains("the column has up to 12 digits, 2 of them after the point"))
      #expect(
        try await run("query", "--engine", "memory", "--sort=-price", "--columns", "price").output
          == "price\n9.99\n2.50\n")
      #expect(try await run("schema").output.contains("price   real     declared numeric(12,2)\n"))
    }
  }

  @Test("numeric keeps its digits on every way in and out, and is compared as a number")
  func numeric() async throws {
    try await TestSchema.with { schema in
      try await schema.execute("CREATE TABLE t (id int PRIMARY KEY, n numeric(20,2), u numeric, m numeric(9,2))")
      let workshop = try Workshop()
      func run(_ command: String, _ arguments: String...) async throws -> Outcome {
        try await workshop.run([command, schema.uri, "t"] + arguments)
      }
      _ = try await run("insert", "id=1", "n=99999999999999.99", "u=-12345678901234567890.123", "m=12.50", "--yes")
      _ = try await run("insert", "id=2", "n=1", "--yes")
      #expect(try await run("set", "id = 2", "n = '123456789012345678.12'", "u=1e-7", "--yes").status == 0)
      try workshop.write("id,n,u\n3,123456789012345678.13,12345678901234567890.123\n", to: "a.csv")
      try workshop.write("id\tn\n4\t-99999999999999.99\n", to: "a.tsv")
      try workshop.write("[{\"id\":5,\"n\":99999999999999.98}]", to: "a.json")
      try workshop.write("{\"id\":1,\"u\":99999999999999.97}\n", to: "a.ndjson")
      for arguments in [
        ["a.csv", "--append"], ["a.tsv", "--append"], ["a.json", "--append"], ["a.ndjson", "--upsert"],
      ] {
        let outcome = try await workshop.run(["import", schema.uri, "t"] + arguments)
        #expect(outcome.status == 0, "\(outcome)")
      }
      let rows = """
        id,n,u,m
        1,99999999999999.99,99999999999999.97,12.50
        2,123456789012345678.12,0.0000001,
        3,123456789012345678.13,12345678901234567890.123,
        4,-99999999999999.99,,
        5,99999999999999.98,,

        """
      #expect(try await run("query", "--format", "csv").output == rows)
      #expect(try await run("export", "-", "--format", "csv").output == rows)
      #expect(
        try await run("query", "id = 1", "--format", "ndjson").output
          == "{\"id\":1,\"n\":99999999999999.99,\"u\":99999999999999.97,\"m\":12.50}\n")
      for engine in ["database", "memory"] {
        func ids(_ arguments: String...) async throws -> String {
          let rest = arguments + ["--engine", engine, "--columns", "id"]
          return try await workshop.run(["query", schema.uri, "t"] + rest).output.filter { $0 != "\n" }
        }
        #expect(try await ids("n = '99999999999999.99'") == "id1")
        #expect(try await ids("n > 99999999999999 and n < '123456789012345678.13'") == "id125")
        #expect(try await ids("--sort", "-n") == "id32154")
        #expect(try await ids("u < 0.001 and n > u") == "id2")
      }
      #expect(try await run("group", "--max", "n", "--min", "u").output.hasSuffix("123456789012345678.13\t0.0000001\n"))
      for assignment in ["n=0.001", "n=1234567890123456789", "n=x", "n = 99999999999999.99", "m=1.0000000000000000001"]
      {
        let refused = try await run("set", "id = 1", assignment, "--yes")
        #expect(refused.status == 2 && refused.messages.hasPrefix("error: "), "\(assignment) \(refused)")
      }
      // A copy keeps the digits, too.
      #expect(try await workshop.run(["copy", schema.uri, "copy.sqlite", "t"]).status == 0)
      let copied = try await workshop.run(["query", "copy.sqlite", "t", "--columns", "id,n", "--format", "csv"])
      #expect(copied.output.contains("3,123456789012345678.13\n"))
      let diff = try await workshop.run(["diff", schema.uri, "copy.sqlite", "t"])
      #expect(!diff.output.contains("\tvalue\t") && !diff.output.contains("\trow\t"), "\(diff)")
    }
  }

  @Test("the values of other types are taken as people write them, and shown as the server does")
  func spellings() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE t (id int PRIMARY KEY, b boolean, at timestamp, z timestamptz, d date, g uuid, x bytea, s real, "
          + "i interval, a int[], ip inet, ti time)")
      let workshop = try Workshop()
      try workshop.write(
        #"""
        id,b,at,z,d,g,x,s,i,a,ip,ti
        1,T,2005-05-24 22:53:30,2024-01-01T10:00:00.5+02:00,2024-01-31,{E621E1F8-C36C-495A-93FC-000C247A3E6E},\x00FF,1.1,1 hour,"{1,2}",10.0.0.1,10:00
        2,off,2005-05-24,2024-01-01T10:00:00.123456789Z,2024-01-31T00:00:00Z,E621E1F8C36C495A93FC000C247A3E6E,,,,,,

        """#, to: "a.csv")
      let imported = try await workshop.run(["import", schema.uri, "t", "a.csv", "--append"])
      #expect(imported.status == 0, "\(imported)")
      let uuid = "e621e1f8-c36c-495a-93fc-000c247a3e6e"
      let rows = """
        id,b,at,z,d,g,x,s,i,a,ip,ti
        1,true,2005-05-24 22:53:30,2024-01-01 08:00:00.5+00,2024-01-31,\(uuid),x'00ff',1.1,01:00:00,"{1,2}",10.0.0.1,10:00:00
        2,false,2005-05-24 00:00:00,2024-01-01 10:00:00.123457+00,2024-01-31,\(uuid),,,,,,

        """
      let shown = try await workshop.run(["export", schema.uri, "t", "-", "--format", "csv"])
      #expect(shown.output == rows && shown.messages.isEmpty)
      // What was shown is read back.
      try workshop.write(rows, to: "b.csv")
      let again = try await workshop.run(["import", schema.uri, "t", "b.csv", "--upsert"])
      #expect(again.status == 0, "\(again)")
      #expect(try await workshop.run(["query", schema.uri, "t", "--format", "csv"]).output == rows)
      let json = try await workshop.run(["query", schema.uri, "t", "--columns", "b,s", "--format", "ndjson"])
      #expect(json.output == "{\"b\":true,\"s\":1.1}\n{\"b\":false,\"s\":null}\n")
      let named = try await workshop.run([
        "query", schema.uri, "t", "id = 1", "--columns", "i,a,ip,ti", "--format", "csv",
      ])
      #expect(named == Outcome(status: 0, output: "i,a,ip,ti\n01:00:00,\"{1,2}\",10.0.0.1,10:00:00\n", messages: ""))
      for engine in ["database", "memory"] {
        for condition in [
          "g = '{E621E1F8-C36C-495A-93FC-000C247A3E6E}' and s is not null", "s = 1.1", "s in (1.1, 2)", "b = true",
          "at = '2005-05-24 22:53:30'",
        ] {
          let found = try await workshop.run(["count", schema.uri, "t", condition, "--engine", engine])
          #expect(found.output == "1\n", "\(condition) \(found)")
        }
      }
      for (column, value) in [("b", "maybe"), ("at", "noon"), ("d", "2024-01-31 10:00"), ("g", "7"), ("x", "bytes")] {
        let refused = try await workshop.run(["set", schema.uri, "t", "id = 1", "\(column)=\(value)", "--yes"])
        #expect(refused.status == 2 && refused.messages.hasPrefix("error: \(column): \"\(value)\""), "\(refused)")
        try workshop.write("id,\(column)\n3,\(value)\n", to: "bad.csv")
        let unread = try await workshop.run(["import", schema.uri, "t", "bad.csv", "--append"])
        #expect(unread.status == 1 && !unread.messages.contains("--widen"), "\(unread)")
      }
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
