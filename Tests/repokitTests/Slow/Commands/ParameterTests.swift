import Testing

@Suite("Parameters of a call")
struct ParameterTests {
  static let tables = [
    """
    CREATE TABLE place (id INTEGER PRIMARY KEY, zip NVARCHAR(10), number INTEGER, size NUMERIC, near INTEGER REFERENCES place)
    """,
    "INSERT INTO place VALUES (1, '0123', 5, 1.5, 2), (2, '123', 6, 2, 1), (3, NULL, 7, NULL, NULL)",
  ]

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in tables { try workshop.execute("p.sqlite", statement) }
    return workshop
  }

  /// Queries, and the keys of the rows that they find where the parameter is 0123.
  static let queries: [(String, [Int])] = [
    ("zip = :z", [1]), ("near.zip = :z", [2]), (":z = zip", [1]), (":z = near.zip", [2]), ("zip in (:z)", [1]),
    ("zip between :z and :z", [1]), ("coalesce(zip, 'x') = :z", [1]), ("zip || '' = :z", [1]), ("'' || :z = zip", [1]),
    (":z || '' = zip", [1]), ("any place (zip = :z)", [2]), ("max(zip of place) = :z", [2]),
    ("count(place where zip = :z) = 1", [2]), ("sum(if(zip = :z, 1, 0) of place) = 1", [2]),
    ("if(zip = :z, 1, 0) = 1", [1]), ("if(id > 0, zip, :z) = '0123'", [1]), ("length(:z) = 4", [1, 2, 3]),
    ("zip starts with :z", [1]), ("not zip = :z", [2, 3]),
    // What is compared with numbers is one.
    ("number * 41 < :z", []), ("number < :z", [1, 2, 3]), ("size > :z", []), ("number + :z = 128", [1]),
  ]

  @Test("have the type of what they are compared with", arguments: queries)
  func types(query: String, ids: [Int]) async throws {
    let workshop = try Self.workshop()
    for engine in ["database", "memory"] {
      let outcome = try await workshop.run(
        ["query", "p.sqlite", "place", query, "--columns", "id", "--param", "z=0123", "--engine", engine])
      let expected = "id\n" + ids.map { "\($0)\n" }.joined()
      #expect(outcome == Outcome(status: 0, output: expected, messages: ""), "\(engine)")
    }
  }

  static let calls: [([String], String)] = [
    (
      ["query", "p.sqlite", "place", "--columns", "id, zip || :s as x", "--param", "s=9"],
      "id\tx\n1\t01239\n2\t1239\n3\t\\N\n"
    ),
    (
      ["query", "p.sqlite", "place", "--sort", "if(zip = :z, 0, 1), -id", "--param", "z=0123", "--columns", "id"],
      "id\n1\n3\n2\n"
    ),
    (
      [
        "query", "p.sqlite", "place", "--top", "1", "--by", "if(zip = :z, 1, 0)", "--param", "z=0123", "--columns",
        "id",
      ],
      "id\n1\n2\n"
    ),
    (
      [
        "group", "p.sqlite", "place", "--by", "zip", "--having", "zip = :z or max(zip) = :z and count() > :n",
        "--param", "z=0123", "--param", "n=0",
      ],
      "zip\tcount\n0123\t1\n"
    ),
    (
      ["group", "p.sqlite", "place", "--by", "year(:d)", "--param", "d=2024-01-01"],
      "year('2024-01-01')\tcount\n2024\t3\n"
    ),
    (
      ["group", "p.sqlite", "place", "--aggregate", "count(where zip = :z)", "--param", "z=0123"],
      "count(where zip = '0123')\n1\n"
    ),
    (["group", "p.sqlite", "place", "--sum", "number * :n", "--param", "n=2"], "sum(number * 2)\n36\n"),
    (
      [
        "export", "p.sqlite", "place", "-", "--format", "tsv", "--columns", "id, number + :n as m", "--param", "n=1",
        "--limit", "1",
      ], "id\tm\n1\t6\n"
    ),
    (
      [
        "watch", "p.sqlite", "place", "--columns", "id, number + :n as m", "--param", "n=1", "--limit", "1", "--times",
        "1",
      ], "id\tm\n1\t6\n"
    ),
  ]

  @Test("stand wherever a value may", arguments: calls)
  func places(arguments: [String], output: String) async throws {
    let outcome = try await Self.workshop().run(arguments)
    #expect(outcome == Outcome(status: 0, output: output, messages: ""))
  }

  @Test("stand in what a column is set to, and are what the column holds")
  func set() async throws {
    let workshop = try Self.workshop()
    let set = try await workshop.run(
      [
        "set", "p.sqlite", "place", "zip = :old", "zip = :new", "number = number + :n", "--param", "old=0123",
        "--param", "new=0999", "--param", "n=1", "--yes",
      ])
    #expect(set.messages == "changed 1 row of place\n")
    #expect(try await workshop.lines("place", "zip,number").first == "0999\t6")
    let wrong = try await workshop.runUnchanged(
      ["set", "p.sqlite", "place", "true", "number = :n", "--param", "n=many", "--yes", "--all"])
    #expect(wrong.messages.hasPrefix("error: number: \"many\" is not a whole number\n"))
  }

  static let commands = [
    ["query", "p.sqlite", "place"], ["count", "p.sqlite", "place"], ["group", "p.sqlite", "place"],
    ["explain", "p.sqlite", "place"], ["describe", "p.sqlite", "place"], ["watch", "p.sqlite", "place"],
    ["export", "p.sqlite", "place", "true", "-"], ["set", "p.sqlite", "place", "true", "number=1"],
    ["delete", "p.sqlite", "place", "true"],
  ]

  @Test("that nothing names are refused, and so are names without a value", arguments: commands)
  func unused(command: [String]) async throws {
    let workshop = try Self.workshop()
    let unused = try await workshop.runUnchanged(command + ["--param", "x=1"])
    #expect(unused.status == 2 && unused.output == "")
    #expect(unused.messages.hasPrefix("error: --param: the query has no :x\n"), "\(unused.messages)")
    guard ["query", "group", "watch", "explain"].contains(command[0]) else { return }
    let option = command[0] == "group" ? "--having" : "--sort"
    let missing = try await workshop.runUnchanged(command + [option, "if(number = :y, 1, 2) = 1", "--param", "x=1"])
    #expect(missing.status == 2 && missing.messages.contains("give :y a value: --param y=…"), "\(missing.messages)")
  }
}
