import Foundation
import Testing

@Suite("Options of repokit query")
struct QueryOptionTests {
  private static let engines = ["database", "memory"]

  @Test(
    "--param gives values that no quoting can spoil",
    arguments: [
      (["weight > :w", "--param", "w=6.9"], [4, 6, 143]),
      (["weight between :low and :high", "--param", "low=6", "--param", "high=8.5"], [1, 4, 25]),
      (["type1 = :t or id = :n", "--param", "t=fire", "--param", "n=143"], [4, 6, 143]),
      (["note = :n", "--param", "n=007"], [1]), (["note = :n", "--param", "n="], [4]),
      (["note = :n", "--param", "n=' or true or '"], []),
      (["name in (:a, :b, 'x')", "--param", "a=Pikachu", "--param", "b=y"], [25]),
      (["name starts with :n and name like :p", "--param", "n=Char", "--param", "p=%d"], [6]),
      (["id = :id and id <= :id", "--param", ":id=25"], [25]), (["id = :id", "--param", "id=25.0"], [25]),
      (["type2 = :t", "--param", "t=null"], []), (["weight = :w", "--param", "w=null"], []),
    ] as [([String], [Int])])
  func parameters(arguments: [String], ids: [Int]) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in Self.engines {
      let outcome = try await workshop.run(
        ["query", "p.sqlite", "pokemon", "--columns", "id", "--engine", engine] + arguments)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output == (["id"] + ids.map(String.init)).map { $0 + "\n" }.joined())
      let count = try await workshop.run(["count", "p.sqlite", "pokemon", "--engine", engine] + arguments)
      #expect(count.output == "\(ids.count)\n")
    }
  }

  @Test("--engine memory asks a table alone, whatever it refers to", .enabled(if: Workshop.hasShell))
  func references() async throws {
    let workshop = try await Workshop.withPokemon()
    let made = try await workshop.shell(
      "sqlite3 p.sqlite 'create table caught (id integer primary key, pokemon int references pokemon (id));"
        + " insert into caught values (1, 25), (2, 6)'")
    #expect(made.status == 0)
    for engine in Self.engines {
      let outcome = try await workshop.run(["query", "p.sqlite", "caught", "pokemon > 6", "--engine", engine])
      #expect(outcome == Outcome(status: 0, output: "id\tpokemon\n1\t25\n", messages: ""))
    }
  }

  @Test(
    "--param is for other commands that take a query, too",
    arguments: [
      ["group", "--count"], ["describe", "--columns", "id"], ["explain"], ["watch", "--times", "1", "--columns", "id"],
    ])
  func parametersElsewhere(command: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    func output(_ condition: [String]) async throws -> String {
      let outcome = try await workshop.run([command[0], "p.sqlite", "pokemon"] + condition + command.dropFirst())
      #expect(outcome.status == 0, "\(outcome.messages)")
      return outcome.output
    }
    let plain = try await output(["note = '007' and weight > 6.0"])
    #expect(!plain.isEmpty)
    #expect(try await output(["note = :n and weight > :w", "--param", "n=007", "--param", "w=6.0"]) == plain)
  }

  @Test(
    "wrong parameters are explained",
    arguments: [
      (
        ["weight > :w", "--param", "weight=1"],
        "expected a value, found `:w`\n  weight > :w\n           ^\n  give :w a value: --param w=…\n"
      ),
      (["weight > :w"], "expected a value, found `:w`\n  weight > :w\n           ^\n  give :w a value: --param w=…\n"),
      (
        ["weight > :wieght", "--param", "weight=1"],
        "expected a value, found `:wieght`\n  weight > :wieght\n           ^\n  give :wieght a value: --param wieght=…\n"
          + "  did you mean :weight?\n"
      ),
      (
        ["weight > 1", "--param", "w=1"],
        "--param: the query has no :w\n  write :w in the query, or omit the parameter\n"
      ),
      (
        ["weight > :w", "--param", "w=heavy"],
        "--param w: \"heavy\" does not compare with weight\n  weight contains numbers\n"
      ),
      (["weight > :w", "--param", "w"], "--param: \"w\" is not NAME=VALUE\n  write --param name=value"),
      (["weight > :w", "--param", "w=1", "--param", "w=2"], "--param: \"w\" is given twice\n"),
      (["--param", "w=1"], "--param: the query has no :w\n"),
    ])
  func wrongParameters(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["query", "p.sqlite", "pokemon"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: " + message), "\(outcome.messages)")
  }

  @Test(
    "--distinct shows what is different in the columns, in their order",
    arguments: [
      (["--columns", "type1"], "electric\nfire\ngrass\nnormal\n"),
      (["--columns", "type1", "--sort=-type1", "--limit", "2"], "normal\ngrass\n"),
      (["--columns", "type1", "--limit", "2", "--offset", "1"], "fire\ngrass\n"),
      (["--columns", "type2"], "\\N\nflying\npoison\n"),
      (["--columns", "type2", "--sort", "type2 nulls last"], "flying\npoison\n\\N\n"),
      (["--columns", "type2,type1", "id < 26"], "\\N\telectric\n\\N\tfire\nflying\tfire\npoison\tgrass\n"),
    ])
  func distinct(arguments: [String], rows: String) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in Self.engines {
      let outcome = try await workshop.run(
        ["query", "p.sqlite", "pokemon", "--distinct", "--engine", engine] + arguments)
      #expect(outcome.messages == "")
      #expect(outcome.output.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined() == rows)
      if arguments.count == 2 {
        let count = try await workshop.run(
          ["count", "p.sqlite", "pokemon", "--distinct", "--engine", engine] + arguments)
        #expect(count.output == "\(rows.split(separator: "\n").count)\n")
      }
    }
  }

  @Test("--distinct takes equal numbers for one, and texts for what their bytes are", .enabled(if: Workshop.hasShell))
  func distinctValues() async throws {
    let workshop = try Workshop()
    let made = try await workshop.shell(
      """
      sqlite3 t.sqlite "create table t(a, b text collate nocase); insert into t values (1.0, 'x'), (1, 'X'), ('1', 'x'), \
      (x'31', 'x'), (1, 'x'), (null, 'x'), (null, 'x'), (-0.0, 'y')"
      """)
    try #require(made.status == 0, "\(made.messages)")
    for engine in Self.engines {
      let outcome = try await workshop.run([
        "query", "t.sqlite", "t", "--distinct", "--engine", engine, "--format", "csv",
      ])
      #expect(outcome.output == "a,b\n,x\n0.0,y\n1,X\n1,x\n1,x\nx'31',x\n")
    }
  }

  @Test("--distinct is not sorted by what its rows don't have")
  func distinctSort() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(
      ["query", "p.sqlite", "pokemon", "--distinct", "--columns", "type1", "--sort", "weight"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: can't sort distinct rows by weight\n"))
  }

  @Test(
    "--page shows page after page, each row once",
    arguments: [
      ([], [1, 4, 6, 25, 143]), (["--sort=-weight"], [143, 6, 4, 1, 25]),
      (["--sort", "type2,name"], [4, 25, 143, 6, 1]),
      (["--sort", "type2 nulls last", "weight < 100"], [6, 1, 4, 25]),
    ] as [([String], [Int])])
  func pages(arguments: [String], ids: [Int]) async throws {
    let workshop = try await Workshop.withPokemon()
    for (engine, size) in [("database", 1), ("database", 2), ("memory", 2), ("database", 5), ("database", 9)] {
      var found: [Int] = []
      var after: [String] = []
      while true {
        let outcome = try await workshop.run(
          ["query", "p.sqlite", "pokemon", "--page", "\(size)", "--columns", "name,id", "--engine", engine] + arguments
            + after)
        try #require(outcome.status == 0, "\(outcome.messages)")
        let rows = outcome.output.split(separator: "\n").dropFirst()
        #expect(rows.count <= size)
        found += rows.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
        if outcome.messages == "" { break }
        let words = outcome.messages.dropLast().split(separator: " ").map(String.init)
        try #require(words[0...2] == ["next", "page:", "--after"])
        after = Array(words[2...])
      }
      #expect(found == ids)
    }
  }

  @Test("cursors of another sort, texts that are none, and tables without a key are refused")
  func wrongCursors() async throws {
    let workshop = try await Workshop.withPokemon()
    let first = try await workshop.run(["query", "p.sqlite", "pokemon", "--page", "2"])
    let cursor = try #require(first.messages.dropLast().split(separator: " ").last.map(String.init))
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "a\n1\n")
    for (arguments, message) in [
      (
        ["p.sqlite", "pokemon", "--page", "2", "--after", cursor, "--sort", "name"],
        "the cursor belongs to another sort"
      ),
      (["p.sqlite", "pokemon", "--page", "2", "--after", "x!"], "--after: this is not a cursor"),
      (["p.sqlite", "pokemon", "--page", "0"], "--page: the size must be at least 1"),
      (["p.sqlite", "pokemon", "--page", "2", "--limit", "2"], "--page and --limit can't be combined"),
      (["t.sqlite", "t", "--page", "2"], "t has no primary key, so there are no cursors"),
    ] {
      let outcome = try await workshop.run(["query"] + arguments)
      #expect(outcome.status == 2)
      #expect(outcome.output == "")
      #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    }
  }

  @Test(
    "an empty result comes with a hint",
    arguments: [
      (["type1 = 'fier'"], "type1 has no 'fier'; did you mean 'fire'?"),
      (["type1 = 'Fire' and weight > 1"], "type1 has no 'Fire'; did you mean 'fire'?"),
      (["type1 in ('watr', 'gras', 'fire') and id = 0"], "type1 has no 'gras'; did you mean 'grass'?"),
      (["type1 = 'steel'"], "type1 has no 'steel'; the values are 'electric', 'fire', 'grass', 'normal'"),
      (["name contains 'CHAR'"], "no name contains 'CHAR'; add `ignoring case` to ignore case"),
      (["name starts with 'Chra'"], "no name starts with 'Chra'; did you mean 'Char'?"),
      (["type1 = :t", "--param", "t=fier"], "type1 has no 'fier'; did you mean 'fire'?"),
    ])
  func hints(arguments: [String], hint: String) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in Self.engines {
      for command in ["query", "count"] {
        let outcome = try await workshop.run([command, "p.sqlite", "pokemon", "--engine", engine] + arguments)
        #expect(outcome.status == 0)
        #expect(outcome.messages.hasSuffix("hint: \(hint)\n"), "\(outcome.messages)")
      }
    }
  }

  @Test(
    "no hint is given where none helps",
    arguments: [["type1 = 'fire' and weight > 1000"], ["not type1 = 'fier' and false"], ["weight = 3"], ["false"]])
  func noHints(arguments: [String]) async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(try await workshop.run(["query", "p.sqlite", "pokemon"] + arguments).messages == "")
  }

  @Test("a table without rows is told as such, and escapes of values are shown")
  func oddHints() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "a,b\n\u{1B}[31mred,1\n")
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "a = '\u{1B}[31mrad'"]).messages
        == "hint: a has no '␛[31mrad'; did you mean '␛[31mred'?\n")
    _ = try await workshop.run(["import", "e.sqlite", "e", "-"], input: "a\n")
    #expect(try await workshop.run(["query", "e.sqlite", "e", "a = 'x'"]).messages == "hint: e has no rows\n")
  }

  @Test("--format sql is read back exactly", .enabled(if: Workshop.hasShell))
  func sqlRoundTrip() async throws {
    let workshop = try Workshop()
    let definition = "create table t(id integer primary key, v, r real, t text, n numeric)"
    let made = try await workshop.shell(
      """
      sqlite3 a.sqlite "\(definition); \
      insert into t(v) values (1), (1.0), (-0.0), (9e999), (-9e999), (0.1), (1e-7), (123456.789), (1e22), (5e-324), \
      (1.7976931348623157e308), (-9223372036854775808), (9223372036854775807), (x''), (x'00ff'), (''), ('a''b'), \
      ('a' || char(0) || 'b'), (char(0)), (char(10, 13, 9, 27)), (char(233, 769, 128512)); \
      insert into t(v, r, t) select random() / 7.0, random() * 1e-30, random() from generate_series(1, 500)"
      """)
    try #require(made.status == 0, "\(made.messages)")
    _ = try await workshop.shell(
      "sqlite3 b.sqlite '\(definition)'; \"$repokit\" query a.sqlite t --format sql | sqlite3 b.sqlite")
    let rows = try await workshop.rows("a.sqlite", "t")
    #expect(rows.split(separator: "\n").count == 523)
    #expect(try await workshop.rows("b.sqlite", "t") == rows)
    // In databases of another encoding, too.
    _ = try await workshop.shell(
      "sqlite3 c.sqlite \"pragma encoding = 'utf-16'; \(definition)\"; \"$repokit\" query a.sqlite t --format sql | sqlite3 c.sqlite"
    )
    let texts = "select id, typeof(v), hex(v), quote(r) from t order by id"
    #expect(
      try await workshop.shell("sqlite3 b.sqlite '\(texts)'").output.split(separator: "\n").count == 521)
    #expect(
      try await workshop.shell("sqlite3 c.sqlite \"select count(*) from t where typeof(v) = 'text'\"").output
        == workshop.shell("sqlite3 a.sqlite \"select count(*) from t where typeof(v) = 'text'\"").output)
  }

  @Test("--verbose tells the SQL that failed, and nothing else does", .enabled(if: Workshop.hasShell))
  func verbose() async throws {
    let workshop = try Workshop()
    _ = try await workshop.shell("sqlite3 v.sqlite 'create table t(a); create view v as select abs(a) as b from t'")
    _ = try await workshop.shell(
      "sqlite3 v.sqlite \"insert into t values (-9223372036854775808)\"")
    let quiet = try await workshop.run(["query", "v.sqlite", "v"])
    #expect(quiet.status == 1)
    #expect(!quiet.messages.contains("SELECT"))
    let verbose = try await workshop.run(["query", "v.sqlite", "v", "--verbose"])
    #expect(verbose.messages == quiet.messages + "  SQL: SELECT \"b\" FROM \"v\"\n")
  }

}
