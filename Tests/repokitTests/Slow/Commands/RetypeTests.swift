import TestSupport
import Testing

@Suite("A column gets another type")
struct RetypeTests {
  /// A column, what a row holds in it, the new type, and what the row holds then in JSON; `nil` where that is refused.
  static let values: [(column: String, value: String, type: String, result: String?)] = [
    ("x REAL", "0.1 + 0.2", "text", "\"0.30000000000000004\""), ("x REAL", "1e300", "text", "\"1e+300\""),
    ("x REAL", "2.5", "integer", nil), ("x REAL", "2.0", "integer", "2"),
    ("x INTEGER", "9007199254740993", "real", nil), ("x INTEGER", "9007199254740992", "real", "9007199254740992.0"),
    ("x INTEGER", "-3", "text", "\"-3\""),
    ("x TEXT", "'007'", "integer", nil), ("x TEXT", "'7'", "integer", "7"), ("x TEXT", "' 7'", "integer", nil),
    ("x TEXT", "'1.50'", "real", nil), ("x TEXT", "'10'", "real", "10.0"), ("x TEXT", "'0.1'", "real", "0.1"),
    ("x TEXT", "'007'", "any", "\"007\""), ("x", "'007'", "any", "\"007\""), ("x", "'7'", "text", "\"7\""),
    ("x", "x'00'", "text", nil), ("x", "9007199254740993", "real", nil), ("x", "NULL", "integer", "null"),
  ]

  @Test("and keeps its values exactly, or its type", .tags(.slow), arguments: values, [false, true])
  func retype(of row: (column: String, value: String, type: String, result: String?), isStrict: Bool) async throws {
    let workshop = try Workshop()
    let column = isStrict && row.column == "x" ? "x ANY" : row.column
    try workshop.execute(
      "r.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column))\(isStrict ? " STRICT" : "")")
    try workshop.execute("r.sqlite", "INSERT INTO t VALUES (3, NULL), (4, \(row.value))")
    let before = try workshop.read("r.sqlite")
    let outcome = try await workshop.run(["column", "retype", "r.sqlite", "t", "x", row.type, "--yes"])
    if column == "x ANY", row.type == "any" {
      #expect(outcome == Outcome(status: 1, output: "", messages: "error: x of t is already any\n"))
    } else if let result = row.result {
      #expect(outcome.status == 0, "\(outcome.messages)")
      let found = try await workshop.run(["query", "r.sqlite", "t", "id = 4", "--columns", "x", "--format", "ndjson"])
      #expect(found.output == "{\"x\":\(result)}\n")
    } else {
      #expect(outcome.status == 1)
      #expect(outcome.messages.hasPrefix("error: x of t can't become \(row.type)\n  the row with id = 4 contains "))
      #expect(try workshop.read("r.sqlite") == before)
    }
  }

  @Test(
    "unless rows refer by it",
    arguments: [("u", "id", "u of o refers to ID of U"), ("o", "u", "u of o refers to ID of U")])
  func references(table: String, column: String, problem: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "k.sqlite", "CREATE TABLE u (id INTEGER PRIMARY KEY, plan TEXT)",
      "CREATE TABLE o (id INTEGER PRIMARY KEY, u INTEGER REFERENCES U (ID))", "INSERT INTO u VALUES (1, 'free')")
    let before = try workshop.read("k.sqlite")
    let outcome = try await workshop.run(["column", "retype", "k.sqlite", table, column, "text", "--yes"])
    #expect(outcome.status == 1 && outcome.messages.hasPrefix("error: \(problem)"), "\(outcome.messages)")
    #expect(try workshop.read("k.sqlite") == before)
    try workshop.execute("k.sqlite", "CREATE TABLE p (id INTEGER PRIMARY KEY, u TEXT REFERENCES u (id))")
    #expect(try await workshop.run(["column", "retype", "k.sqlite", "p", "u", "integer", "--yes"]).status == 0)
  }

  @Test("by an import, which loses nothing either")
  func widen() async throws {
    let workshop = try Workshop()
    try workshop.execute("r.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL)")
    try workshop.execute("r.sqlite", "INSERT INTO t VALUES (1, 9007199254740993, 0.1 + 0.2)")
    let arguments = ["import", "r.sqlite", "t", "-", "--append", "--widen"]
    let refused = try await workshop.run(arguments, input: "n\n1.5\n")
    #expect(refused.status == 1)
    #expect(
      refused.messages.contains("n of t can't become real\n  the row with id = 1 contains 9007199254740993"),
      "\(refused.messages)")
    #expect(try await workshop.run(["count", "r.sqlite", "t"]).output == "1\n")
    let outcome = try await workshop.run(arguments, input: "r\nn/a\n")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      try await workshop.run(["query", "r.sqlite", "t", "--columns", "r", "--format", "csv"]).output
        == "r\n0.30000000000000004\nn/a\n")
  }

  @Test("in a table without rows, whose numbers go on nevertheless")
  func sequence() async throws {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, x INTEGER)", "INSERT INTO t VALUES (40, 1)",
      "DELETE FROM t",
    ] { try workshop.execute("r.sqlite", statement) }
    #expect(try await workshop.run(["column", "retype", "r.sqlite", "t", "x", "text", "--yes"]).status == 0)
    #expect(try await workshop.run(["insert", "r.sqlite", "t", "x=a", "--yes"]).status == 0)
    #expect(try await workshop.run(["query", "r.sqlite", "t", "--format", "csv"]).output == "id,x\n41,a\n")
  }

  @Test("on a server, too", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE t (id bigint PRIMARY KEY, r double precision, n bigint, s text, d date)",
        "INSERT INTO t VALUES (1, 2, 3, '4', '2021-01-01'), (2, 2.5, 9007199254740993, '007', '2021-01-02')")
      for (column, type, value) in [
        ("r", "integer", "2.5"), ("n", "real", "9007199254740993"), ("s", "integer", "007"),
      ] {
        let outcome = try await workshop.run(["column", "retype", schema.uri, "t", column, type, "--yes"])
        #expect(outcome.status == 1)
        #expect(
          outcome.messages.hasPrefix(
            "error: \(column) of t can't become \(type)\n  the row with id = '2' contains '\(value)'"),
          "\(outcome.messages)")
      }
      for (column, type) in [("r", "text"), ("n", "text"), ("d", "text")] {
        let outcome = try await workshop.run(["column", "retype", schema.uri, "t", column, type, "--yes"])
        #expect(outcome.status == 0, "\(outcome.messages)")
      }
      #expect(
        try await workshop.run(["query", schema.uri, "t", "id = 2", "--format", "csv"]).output
          == "id,r,n,s,d\n2,2.5,9007199254740993,007,2021-01-02\n")
    }
  }
}
