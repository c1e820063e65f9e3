import Foundation
import Testing

@Suite("repokit set")
struct SetTests {
  @Test("sets columns of the rows that match a query, and of no others")
  func change() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(
      ["set", "p.sqlite", "pokemon", "type1 = 'fire'", "weight=100", "note=null", "type2='null'", "--yes"])
    #expect(outcome == Outcome(status: 0, output: "", messages: "changed 2 rows of pokemon\n"))
    #expect(
      try await workshop.lines("pokemon", "id,type2,weight,note") == [
        "1\tpoison\t6.9\t007", "4\tnull\t100.0\t\\N", "6\tnull\t100.0\t\\N", "25\t\\N\t6.0\t\\N",
        "143\t\\N\t460.0\t100%",
      ])
  }

  @Test("shows with --dry-run the rows as they are and as they would be, and changes no byte")
  func dryRun() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(
      ["set", "p.sqlite", "pokemon", "id in (25, 4)", "weight=7", "type1=fire", "--dry-run", "--format", "csv"])
    #expect(
      outcome
        == Outcome(
          status: 0,
          output: """
            id,name,japanese_name,type1,new type1,type2,weight,new weight,note
            4,Charmander,ヒトカゲ,fire,fire,,8.5,7.0,""
            25,Pikachu,ピカチュウ,electric,fire,,6.0,7.0,

            """, messages: "would change 2 of 5 rows of pokemon\n"))
  }

  @Test(
    "refuses what would be stored as a text, and was hardly meant so",
    arguments: [
      ("name=name||'x'", "'name = name||'x''"), ("name=now", "'name = now'"),
      ("name=folded(name)", "'name = folded(name)'"),
    ])
  func workedOut(assignment: String, advice: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(["set", "p.sqlite", "pokemon", "id = 25", assignment, "--yes"])
    #expect(
      outcome.status == 2 && outcome.messages.contains("write spaces around =: \(advice)\n"), "\(outcome.messages)")
    for text in ["name='now'", "name=type1", "name=to be, or not", "name=24/7", "name=1-2"] {
      #expect(try await workshop.run(["set", "p.sqlite", "pokemon", "id = 25", text, "--yes"]).status == 0)
    }
  }

  @Test(
    "tells of rows of which arithmetic makes null",
    arguments: [
      ("n = n + 1", "n + 1 is null for 1 row, although n is not", "\\N 3 \\N"),
      ("n = n * 2 - m", "n * 2 - m is null for 1 row, although n, m are not", "\\N 4 \\N"),
      ("n = 6 / m", "6 / m is null for 1 row, although m is not", "6 \\N \\N"), ("n = n - 1", nil, nil),
      ("n = coalesce(n, 0) + 1", "coalesce(n, 0) + 1 is null for 1 row, although n is not", "\\N 3 1"),
      ("n = if(n > 5, null, n + 1)", nil, nil), ("n = m", nil, nil), ("n=7", nil, nil),
    ] as [(String, String?, String?)])
  func lostNumbers(assignment: String, note: String?, values: String?) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, m INTEGER)",
      "INSERT INTO t VALUES (1, 9223372036854775807, 1), (2, 2, 0), (3, NULL, NULL)")
    let reason = ": the result is out of range, a divisor is 0, or a value is not a number\n"
    for option in ["--dry-run", "--yes"] {
      let outcome = try await workshop.run(["set", "a.sqlite", "t", "id > 0", assignment, option])
      #expect(
        outcome.status == 0 && outcome.messages.hasPrefix(note.map { "note: \($0)\(reason)" } ?? ""), "\(outcome)")
      #expect(note != nil || !outcome.messages.contains("note: "), "\(outcome)")
    }
    let found = try await workshop.lines("t", "n", in: "a.sqlite").joined(separator: " ")
    if let values { #expect(found == values) }
  }

  @Test("shows with --dry-run what follows from the change: computed columns, triggers")
  func consequences() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2), c TEXT)", "INSERT INTO t VALUES (1, 'x')",
      "CREATE TRIGGER g AFTER UPDATE OF a ON t BEGIN UPDATE t SET c = 'y' WHERE rowid = new.rowid; END")
    let outcome = try await workshop.runUnchanged(
      ["set", "a.sqlite", "t", "true", "a=5", "--dry-run"], database: "a.sqlite")
    #expect(
      outcome
        == Outcome(
          status: 0, output: "a\tnew a\tb\tnew b\tc\tnew c\n1\t5\t2\t10\tx\ty\n",
          messages: "would change 1 row of t\n  triggers and foreign keys would change 1 more row\n"))
  }

  @Test("shows a change of bytes that look the same, and none where there is none")
  func spelling() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (a TEXT, b TEXT, x)", "INSERT INTO t VALUES ('\u{E9}', '\u{E9}', 1.0)")
    let outcome = try await workshop.runUnchanged(
      ["set", "a.sqlite", "t", "true", "a=e\u{301}", "b=\u{E9}", "x=1", "--dry-run"], database: "a.sqlite")
    #expect(outcome.output == "a\tnew a\tb\tx\tnew x\n\u{E9}\te\u{301}\t\u{E9}\t1.0\t1\n")
    #expect(outcome.output.unicodeScalars.contains("\u{301}"))
  }

  @Test("may change the key, and shows what becomes of it")
  func key() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "INSERT INTO t VALUES ('x', 1, 'p'), ('x', 2, 'q'), ('y', 1, 'r')")
    let outcome = try await workshop.runUnchanged(
      ["set", "a.sqlite", "t", "a = 'x'", "a=z", "--dry-run"], database: "a.sqlite")
    #expect(outcome.output == "a\tnew a\tb\tc\nx\tz\t1\tp\nx\tz\t2\tq\n")
    #expect(try await workshop.run(["set", "a.sqlite", "t", "a = 'x'", "a=z", "-y"]).status == 0)
    #expect(try await workshop.lines("t", "a,b,c", in: "a.sqlite") == ["y\t1\tr", "z\t1\tp", "z\t2\tq"])
  }

  @Test("is done whole or not at all")
  func allOrNothing() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(["set", "p.sqlite", "pokemon", "id in (4, 6)", "id=9", "--yes"])
    #expect(
      outcome
        == Outcome(
          status: 1, output: "",
          messages: "error: a row with id 9 already exists\n  id is unique\n"))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let messages: String
    var testDescription: String { arguments.joined(separator: " ") }

    /// - Parameter words: the arguments, and what the message begins with.
    init(_ words: String...) {
      arguments = ["set", "p.sqlite"] + words.dropLast()
      messages = words.last ?? ""
    }
  }

  @Test(
    "refuses what makes no sense, and says what would",
    arguments: [
      Refusal(
        "pokemon", "weight=1",
        "KEY=VALUE is missing\n  write the condition first, such as true for all rows, then the values: true weight=90.5\n  usage: "
      ),
      Refusal("pokemon", "WHERE is missing\n  write a condition; true means all rows\n  usage: "),
      Refusal("pokemon", "true", "wieght=1", "--yes", "--all", "no column wieght in pokemon\n  did you mean weight?\n"),
      Refusal(
        "pokemon", "wieght = 1", "weight=1", "--yes",
        "no column wieght in pokemon\n  wieght = 1\n  ^\n  did you mean weight?\n"),
      Refusal("pokemn", "true", "weight=1", "--yes", "--all", "there is no table pokemn\n  did you mean pokemon?\n"),
      Refusal("pokemon", "true", "weight=heavy", "--yes", "--all", "weight: \"heavy\" is not a number\n"),
      Refusal("pokemon", "true", "weight=1", "weight=2", "--yes", "--all", "weight is given twice\n"),
      Refusal("pokemon", "true", "name=null", "--yes", "--all", "name may not be null\n"),
      Refusal("pokemon", "weight >", "weight=1", "--yes", "WHERE: expected "),
      Refusal(
        "pokemon", "true", "weight", "--yes", "--all",
        "\"weight\" is not COLUMN=VALUE\n  write the column and the value without spaces around =: weight=90.5\n"),
      Refusal(
        "pokemon", "true", "weight=1",
        "set asks before a change, and there is no terminal\n  --yes makes the change without asking\n"
          + "  --dry-run shows the change\n"),
      Refusal(
        "pokemon", "true", "weight=1", "--yes", "--all", "--dry-run",
        "--dry-run and --yes can't be combined\n  a dry run never asks\n"),
    ])
  func refusal(sample: Refusal) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(sample.arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: \(sample.messages)"), "\(outcome.messages)")
  }

  @Test("says so where no row matches, which is no failure")
  func nothing() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.runUnchanged(["set", "p.sqlite", "pokemon", "id = 7", "weight=1", "--yes"])
    #expect(outcome == Outcome(status: 0, output: "", messages: "no row of pokemon matches, so no row was changed\n"))
  }

  @Test("says so where a trigger ignores the change", arguments: ["set", "delete"])
  func ignored(command: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1), (2), (3)",
      "CREATE TRIGGER u BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END",
      "CREATE TRIGGER d BEFORE DELETE ON t BEGIN SELECT RAISE(IGNORE); END")
    let participle = command == "set" ? "changed" : "deleted"
    let reason = "but a trigger or rule of the database prevents the change: no row"
    for (condition, option, message) in [
      ("a > 1", "--yes", "2 rows of t match, \(reason) was \(participle)\n"),
      ("a = 1", "--yes", "1 row of t matches, \(reason) was \(participle)\n"),
      ("a > 1", "--dry-run", "2 rows of t match, \(reason) would be \(participle)\n"),
      ("a > 3", "--yes", "no row of t matches, so no row was \(participle)\n"),
    ] {
      let values = command == "set" ? ["a=9"] : []
      let outcome = try await workshop.runUnchanged(
        [command, "a.sqlite", "t", condition] + values + [option], database: "a.sqlite")
      #expect(outcome.status == 0)
      #expect(outcome.messages == message)
    }
  }

  @Test("leaves values of other columns as they are, whatever another program put there")
  func otherColumns() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, t TEXT, x)",
      "INSERT INTO t VALUES (1, 'text', CAST(x'ff41' AS TEXT), 1.0), (2, 2.5, x'00', '1')")
    #expect(try await workshop.run(["set", "a.sqlite", "t", "true", "x=null", "--yes", "--all"]).status == 0)
    try workshop.execute(
      "a.sqlite", "CREATE TABLE seen AS SELECT id, quote(i) AS i, hex(t) AS t, typeof(t) AS k, x IS NULL AS x FROM t")
    #expect(
      try await workshop.lines("seen", "id,i,t,k,x", in: "a.sqlite") == [
        "1\t'text'\tFF41\ttext\t1", "2\t2.5\t00\tblob\t1",
      ])
  }

  @Test("keeps a value as the column's affinity would")
  func affinity() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, b BOOLEAN, n NUMERIC, r REAL, i INTEGER)",
      "INSERT INTO t (id) VALUES (1)")
    let outcome = try await workshop.run(["set", "a.sqlite", "t", "id = 1", "b=true", "n=2.0", "r=3", "i='4'", "--yes"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    try workshop.execute(
      "a.sqlite", "CREATE TABLE kinds AS SELECT typeof(b) AS b, typeof(n) AS n, typeof(r) AS r, typeof(i) AS i FROM t")
    #expect(try await workshop.lines("kinds", "b,n,r,i", in: "a.sqlite") == ["integer\tinteger\treal\tinteger"])
  }

  @Test("tells of rows that a rule of the table deletes")
  func replacement() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER UNIQUE ON CONFLICT REPLACE)",
      "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
    let outcome = try await workshop.run(["set", "a.sqlite", "t", "id = 3", "u=1", "--yes"])
    #expect(outcome.messages == "changed 1 row of t\n  1 other row of t was deleted by a rule of the table\n")
    #expect(try await workshop.lines("t", "id,u", in: "a.sqlite") == ["2\t2", "3\t1"])
  }

  @Test("changes what a view shows where the view says how, and else says what to do")
  func views() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "a.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
      "CREATE VIEW open AS SELECT id, a FROM t", "CREATE VIEW shut AS SELECT id, a FROM t",
      "CREATE TRIGGER o INSTEAD OF UPDATE ON open BEGIN UPDATE t SET a = new.a WHERE id = old.id; END")
    #expect(
      try await workshop.run(["set", "a.sqlite", "open", "id = 2", "a=z", "--yes"])
        == Outcome(status: 0, output: "", messages: "changed 1 row of open\n"))
    #expect(try await workshop.lines("t", "id,a", in: "a.sqlite") == ["1\tx", "2\tz"])
    #expect(
      try await workshop.run(["set", "a.sqlite", "shut", "id = 2", "a=z", "--yes"])
        == Outcome(
          status: 1, output: "",
          messages: """
            error: can't change rows of shut
              shut is a view, which shows rows of tables
              change the rows of those tables

            """))
  }

  @Test("refuses a column that follows from others")
  func computed() async throws {
    let workshop = try Workshop()
    try workshop.execute("a.sqlite", "CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2))", "INSERT INTO t VALUES (1)")
    let outcome = try await workshop.run(["set", "a.sqlite", "t", "true", "b=4", "--yes", "--all"])
    #expect(
      outcome
        == Outcome(
          status: 2, output: "",
          messages: "error: can't set b of t\n  the database computes this column from other columns\n"))
  }

  @Test("works on a table with as many columns as SQLite allows")
  func manyColumns() async throws {
    let workshop = try Workshop()
    let columns = (0..<2_000).map { "c\($0)" }.joined(separator: ", ")
    try workshop.execute("a.sqlite", "CREATE TABLE t (\(columns))", "INSERT INTO t (c0) VALUES (1)")
    let outcome = try await workshop.run(["set", "a.sqlite", "t", "c0 = 1", "c1999=5", "--dry-run", "--format", "csv"])
    #expect(outcome.messages == "would change 1 row of t\n")
    #expect(outcome.output.hasSuffix(",,5\n"))
  }

  @Test("refuses an argument that is no text, rather than to store another")
  func invalidText() async throws {
    let workshop = try await Workshop.withPokemon()
    let before = try workshop.read("p.sqlite")
    let outcome = try await workshop.shell(
      #"$repokit set p.sqlite pokemon 'id = 1' "name=caf$(printf '\351')" --yes"#)
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: argument 5 is not valid UTF-8: "))
    #expect(try workshop.read("p.sqlite") == before)
  }

  @Test("tells when the output can't be written, and nothing when its reader leaves")
  func output() async throws {
    let workshop = try await Workshop.withPokemon()
    let line = "$repokit set p.sqlite pokemon true weight=1 --dry-run"
    #expect(try await workshop.shell("\(line) 2> /dev/null | true").status == 0)
    let full = try await workshop.shell("\(line) > /dev/full")
    #expect(full.status == 1)
    #expect(full.messages == "error: can't write the output\n  no space left on device\n")
  }
}
