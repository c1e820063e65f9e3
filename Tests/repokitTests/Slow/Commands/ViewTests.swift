import Testing

@Suite("Queries are kept as views", .serialized)
struct ViewTests {
  private static func shop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in RelationTests.tables { try workshop.execute("p.sqlite", statement) }
    return workshop
  }

  static let views: [(arguments: [String], columns: String, rows: [String])] = [
    (["track", "length > 100"], "id,name,album,length,at", ["2", "3"]),
    (
      [
        "track", "album.artist.name = 'Ann'", "--columns", "id, name, album.title as album, length / 60 + 1 as minutes",
      ],
      "id,name,album,minutes", ["1\tOne\tDawn\t2", "2\tTwo\tDawn\t6"]
    ),
    (["artist", "no album"], "id,name", ["3\tCy"]),
    (["album", "--columns", "title, count(track) as tracks"], "title,tracks", ["Dawn\t2", "Noon\t1"]),
    (
      ["track", "name = :n", "--param", "n=Four", "--columns", "id, if(length > 99, 'long', 'it''s') as size"],
      "id,size", ["4\tit's"]
    ),
    (["track", "name = 'Four' or name = 'repokit_year(x)'", "--columns", "id"], "id", ["4"]),
    (["track", "--columns", "album", "--distinct"], "album", ["\\N", "1", "2"]),
    (
      ["track", "--top", "1", "--by", "album", "--sort=-length", "--columns", "name"], "name", ["Two", "Three", "Four"]
    ),
    (["track", "--sort=-length", "--limit", "2", "--columns", "name"], "name", ["Two", "Three"]),
    (
      ["track", "length * 2 - 1 > 399.5", "--columns", "id, length * 1.5 as half, name || '!' as loud"],
      "id,half,loud", ["2\t450.0\tTwo!"]
    ),
  ]

  @Test("with paths and expressions, which other programs read", arguments: views)
  func create(arguments: [String], columns: String, rows: [String]) async throws {
    let workshop = try Self.shop()
    let made = try await workshop.run(["view", "create", "p.sqlite", "v"] + arguments)
    let names = columns.replacing(",", with: ", ")
    #expect(made == Outcome(status: 0, output: "", messages: "created the view v (\(names))\n"))
    let read = try await workshop.run(["query", "p.sqlite", "v"])
    let lines = read.output.split(separator: "\n").map(String.init)
    #expect(lines.first == columns.replacing(",", with: "\t"))
    #expect(lines.dropFirst().count == rows.count, "\(read)")
    for (line, row) in zip(lines.dropFirst(), rows) { #expect(line.hasPrefix(row)) }
    if Workshop.hasShell {
      let other = try await workshop.run(program: "/usr/bin/sqlite3", ["p.sqlite", "SELECT count(*) FROM v"])
      #expect(other.output == "\(rows.count)\n", "\(other.messages)")
    }
  }

  @Test("that mean what the query means, also where a column holds values of all kinds")
  func kinds() async throws {
    let workshop = try Workshop()
    try workshop.execute("p.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b REAL)")
    try workshop.execute(
      "p.sqlite",
      """
      INSERT INTO t (a, b) VALUES (1, 2.5), (9223372036854775807, 9e999), (-9223372036854775808, -1), (1.5, 0), \
      ('2', 1e308), ('é', NULL), (NULL, 1), (x'3132', 2), (0, 1e-300)
      """)
    let columns = [
      "a + 1 as p", "a / 2 as q", "a * 2.5 as r", "a - b as s", "a || 'x' as t", "length(a) as u", "a / (a - 1) as v",
      "b * b as w", "b / a as x", "id * a as y",
    ].joined(separator: ", ")
    #expect(try await workshop.run(["view", "create", "p.sqlite", "v", "t", "--columns", columns]).status == 0)
    let view = try await workshop.run(["query", "p.sqlite", "v", "--format", "json"])
    let query = try await workshop.run(["query", "p.sqlite", "t", "--columns", columns, "--format", "json"])
    #expect(view.output == query.output)
  }

  @Test("unless only this tool could read them")
  func functions() async throws {
    let workshop = try Self.shop()
    for (query, name) in [
      ("name = 'ONE' ignoring case", "ignoring case"), ("year(at) = 2021", "year"), ("name like 'O%'", "like"),
      ("sum(length of track) > 1", "sum"),
    ] {
      let table = query.hasPrefix("sum") ? "album" : "track"
      let refused = try await workshop.runUnchanged(["view", "create", "p.sqlite", "v", table, query])
      #expect(refused.status == 1)
      #expect(refused.messages.hasPrefix("error: the view v can't contain \(name)\n"), "\(refused.messages)")
    }
    let taken = try await workshop.runUnchanged(["view", "create", "p.sqlite", "Artist", "track"])
    #expect(taken.messages.hasPrefix("error: the table artist already exists\n"))
    let dry = try await workshop.runUnchanged(["view", "create", "p.sqlite", "v", "track", "--dry-run"])
    #expect(dry.messages == "would create the view v (id, name, album, length, at)\n")
  }

  @Test("and dropped, unless another one reads them")
  func drop() async throws {
    let workshop = try Self.shop()
    for name in ["v", "w"] {
      let source = name == "v" ? "track" : "v"
      #expect(try await workshop.run(["view", "create", "p.sqlite", name, source]).status == 0)
    }
    let kept = try await workshop.runUnchanged(["view", "drop", "p.sqlite", "v", "--yes"])
    #expect(
      kept.messages == """
        error: other views read v
          dropping the view would break w
          drop w first

        """)
    let table = try await workshop.runUnchanged(["view", "drop", "p.sqlite", "track", "--yes"])
    #expect(table.messages == "error: track is a table, not a view\n  repokit table drop drops a table\n")
    let missing = try await workshop.runUnchanged(["view", "drop", "p.sqlite", "vv", "--yes"])
    #expect(missing == Outcome(status: 2, output: "", messages: "error: there is no view vv\n  did you mean v?\n"))
    let again = try await workshop.runUnchanged(["view", "create", "p.sqlite", "v", "track"])
    #expect(again.messages == "error: the view v already exists\n  repokit view drop drops the view\n")
    #expect(try await workshop.run(["view", "drop", "p.sqlite", "w", "--yes"]).messages == "dropped the view w\n")
    #expect(try await workshop.run(["view", "drop", "p.sqlite", "v", "--yes"]).messages == "dropped the view v\n")
  }
}
