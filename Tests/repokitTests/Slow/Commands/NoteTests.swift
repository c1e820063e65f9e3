import Testing

@Suite("What is worth telling of an answer")
struct NoteTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE d (id INTEGER PRIMARY KEY, at DATETIME, code NUMERIC)",
      "INSERT INTO d VALUES (1, '2009-01-01 00:00:00', 'x'), (2, '2010-01-02 00:00:00', 7), (3, NULL, 8)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, weight INT, day DATE, name TEXT COLLATE NOCASE, code TEXT COLLATE NOCASE)",
      "INSERT INTO t VALUES (1, 60, '2021-01-01', 'ann', 'A'), (2, 7, '2010', 'Ann', 'B'), (3, 8, NULL, 'Zoe', 'C')",
    ] { try workshop.execute("t.sqlite", statement) }
    return workshop
  }

  private static let number =
    "compares numbers with text, and text sorts after all numbers; did you mean the number 50, without quotes?\n"
  private static let letters =
    "note: the database compares name by NOCASE, but repokit compares bytes: 'A' is not 'a' and sorts first; write `name … ignoring case` to ignore case\n"

  @Test(
    "is told on the standard error",
    arguments: [
      (["query", "t.sqlite", "t", "weight < '50'", "--columns=id"], "id\n1\n2\n3\n", "note: weight < '50' \(number)"),
      (
        ["query", "t.sqlite", "t", "weight = '50'", "--columns=id"], "id\n",
        "hint: weight has no '50'; did you mean the number 50, without quotes?\n"
      ),
      (["count", "t.sqlite", "t", "weight != '50'"], "3\n", "note: weight != '50' \(number)"),
      (["count", "t.sqlite", "t", "not weight > '50'"], "3\n", "note: weight > '50' \(number)"),
      (["count", "t.sqlite", "t", "weight < '50' or id > 2 or weight < '50'"], "3\n", "note: weight < '50' \(number)"),
      (["count", "t.sqlite", "d", "at >= '2010'"], "1\n", ""), (["count", "t.sqlite", "d", "code > 7"], "2\n", ""),
      (["count", "t.sqlite", "t", "day > '2010'"], "1\n", ""), (["count", "t.sqlite", "t", "weight < 50"], "2\n", ""),
      (["count", "t.sqlite", "t", "name = 'ann'"], "1\n", letters),
      (["count", "t.sqlite", "t", "folded(name) = 'ann'"], "2\n", ""),
      (["count", "t.sqlite", "t", "code = 'A'"], "1\n", ""),
      (["query", "t.sqlite", "t", "--sort", "name", "--columns=id"], "id\n2\n3\n1\n", letters),
      (["query", "t.sqlite", "t", "--sort", "folded(name), id", "--columns=id"], "id\n1\n2\n3\n", ""),
    ] as [([String], String, String)])
  func notes(arguments: [String], output: String, messages: String) async throws {
    let outcome = try await workshop().run(arguments)
    #expect(outcome == Outcome(status: 0, output: output, messages: messages))
  }

  @Test(
    "is told of names that mean something else without quotes, and of quotients without a rest",
    arguments: [
      (["count", "t.sqlite", "y", "2024 > 7"], "2\n", "note: 2024 is a value; write \"2024\" for the column\n"),
      (["count", "t.sqlite", "y", "\"2024\" > 7"], "1\n", ""),
      (["count", "t.sqlite", "y", "a > 2024"], "0\n", ""),
      (["count", "t.sqlite", "y", "a between 2024 and 2025"], "0\n", ""),
      (["count", "t.sqlite", "y", "a-b > 0"], "1\n", "note: a - b is an operation; write \"a-b\" for the column\n"),
      (["query", "t.sqlite", "y", "--columns", "a-b", "--sort", "a"], "a-b\n10\n20\n", ""),
      (
        ["query", "t.sqlite", "y", "--columns", "2024 - a as x", "--sort", "a"], "x\n2023\n2019\n",
        "note: 2024 is a value; write \"2024\" for the column\n"
      ),
      (
        ["query", "t.sqlite", "y", "--columns", "b / a * 100 as x", "--sort", "a"], "x\n200\n0\n",
        "note: b / a is integer division and drops the remainder; multiply by 1.0 to keep the fraction\n"
      ),
      (["query", "t.sqlite", "y", "--columns", "b * 1.0 / a as x", "--sort", "a"], "x\n2.0\n0.6\n", ""),
      (["query", "t.sqlite", "y", "--columns", "b / 2 as x", "--sort", "a"], "x\n1\n1\n", ""),
    ] as [([String], String, String)])
  func meanings(arguments: [String], output: String, messages: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE y (a INTEGER, b INTEGER, \"2024\" INTEGER, \"a-b\" INTEGER) STRICT",
      "INSERT INTO y VALUES (1, 2, 6, 10), (5, 3, 9, 20)")
    let outcome = try await workshop.run(arguments)
    #expect(outcome == Outcome(status: 0, output: output, messages: messages))
  }

  @Test(
    "is told of texts that spell numbers, where their order is another one",
    arguments: [
      ("p > '20'", "'5' sorts after '20'"), ("p between '1' and '30'", "'5' sorts after '30'"),
      ("p > '1'", nil), ("p = '5'", nil), ("p != '20'", nil), ("p < 'n/a'", nil), ("code > '007'", nil),
      ("euro > '10'", "'€5,50' sorts after '10'"),
      ("day > '2021'", nil),
    ] as [(String, String?)])
  func order(query: String, note: String?) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (p TEXT, code TEXT, euro TEXT, day TEXT) STRICT",
      "INSERT INTO t VALUES ('5', '005', '€5,50', '2021-01-01'), ('100', '012', '€100,00', '2022-01-01'), ('n/a', '020', NULL, '')"
    )
    let outcome = try await workshop.run(["query", "t.sqlite", "t", query])
    #expect(outcome.status == 0)
    #expect(note.map(outcome.messages.contains) ?? outcome.messages.isEmpty, "\(outcome.messages)")
  }

  /// A name that is longer than those that messages show whole.
  private static let long = String(repeating: "b", count: 40)

  @Test(
    "An unknown column is told with the quotes that its name needs",
    arguments: [
      ("E-Mail = 5", "\"E-Mail\""), ("Anteil = 1 and E-Mail is null", "\"Anteil %\""), ("nme like 'x%'", nil),
      ("\(Self.long) = 5", "\"a-\(Self.long)\""),
    ] as [(String, String?)])
  func quotes(query: String, advice: String?) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (\"E-Mail\" TEXT, \"Anteil %\" REAL, \"like\" TEXT, \"a-\(Self.long)\" TEXT)")
    let outcome = try await workshop.run(["count", "t.sqlite", "t", query])
    #expect(outcome.status == 2)
    let found = outcome.messages.split(separator: "\n").filter {
      $0.contains("put a name with spaces or symbols in quotes")
    }
    let expected = advice.map { ["  put a name with spaces or symbols in quotes: \($0)"] } ?? []
    #expect(found.map(String.init) == expected, "\(outcome.messages)")
  }

  @Test(
    "A function of dates is told of texts that it does not read",
    arguments: [
      ["group", "h.ndjson", "--by", "hour(time)", "--count"], ["group", "h.sqlite", "h", "--by", "hour(time)"],
      ["group", "h.sqlite", "h", "--aggregate", "count(where hour(time) = 3)"],
      ["set", "h.sqlite", "h", "true", "n = hour(time)", "--dry-run"],
    ])
  func otherDates(words: [String]) async throws {
    let workshop = try Workshop()
    try workshop.write("{\"time\":\"25 Nov 2026 10:00\"}\n", to: "h.ndjson")
    try workshop.execute(
      "h.sqlite", "CREATE TABLE h (time TEXT, n INTEGER)", "INSERT INTO h VALUES ('25 Nov 2026 10:00', 1)")
    let outcome = try await workshop.run(words)
    let note =
      "note: hour is null for text such as '25 Nov 2026 10:00' in time: hour reads dates such as '2024-01-31' "
      + "and '2024-01-31 12:00:00', in UTC\n"
    #expect(outcome.status == 0 && outcome.messages.ranges(of: note).count == 1, "\(outcome)")
  }

  @Test("Nothing is changed where numbers are compared with a text")
  func mistakes() async throws {
    let workshop = try workshop()
    for (arguments, words) in [
      (["delete", "t.sqlite", "t", "weight < '50'"], "compares numbers with text"),
      (["set", "t.sqlite", "t", "not weight > '50'", "name=x"], "compares numbers with text"),
      (["delete", "t.sqlite", "d", "at > 2025"], "compares a number with text"),
    ] {
      let outcome = try await workshop.runUnchanged(arguments + ["--yes"], database: "t.sqlite")
      #expect(outcome.status == 2 && outcome.messages.contains(words), "\(outcome.messages)")
    }
  }

  @Test("All rows are changed without a question only where that is said")
  func allRows() async throws {
    let workshop = try workshop()
    for arguments in [
      ["delete", "t.sqlite", "t", "true"], ["set", "t.sqlite", "t", "true", "weight=1"],
      ["delete", "t.sqlite", "t", "1 = 1"],
      ["delete", "t.sqlite", "t", "'x' < 'y' or not false"],
    ] {
      let refused = try await workshop.run(arguments + ["--yes"])
      #expect(refused.status == 2)
      #expect(refused.messages.contains("\n  add --all to --yes to confirm all rows\n"), "\(refused.messages)")
      #expect(try await workshop.run(["count", "t.sqlite", "t"]).output == "3\n")
      #expect(try await workshop.run(arguments + ["--dry-run", "--format", "csv"]).status == 0)
    }
    let narrow = try await workshop.run(["delete", "t.sqlite", "t", "id = 1", "--yes", "--all"])
    #expect(narrow.messages.hasPrefix("error: --all requires the condition true\n"))
    #expect(
      try await workshop.run(["delete", "t.sqlite", "t", "true", "--yes", "--all"]).messages
        == "deleted 3 rows of t\n")
  }

  @Test(
    "A file with a log is read without any other beside it, where nothing changes it", .enabled(if: Workshop.hasShell))
  func immutable() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.shell(
      """
      mkdir 'a?b#%41'; /usr/bin/sqlite3 'a?b#%41/w.sqlite' "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)" > /dev/null
      $repokit query 'a?b#%41/w.sqlite' t --immutable --format csv; ls 'a?b#%41'
      $repokit set 'a?b#%41/w.sqlite' t "a = 1" a=2 --yes --immutable
      """)
    #expect(outcome.output == "a\n1\nw.sqlite\n")
    #expect(outcome.messages.hasPrefix("error: unknown option --immutable\n"), "\(outcome.messages)")
  }

  @Test(
    "Files that are left out by --immutable are named", .enabled(if: Workshop.hasShell),
    arguments: [
      (
        "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint; UPDATE t SET a = 2",
        "-wal",
        "note: skipped c.sqlite-wal: changes in the log are missing from the result\n"
      ),
      (
        "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE u (a); PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = 2; "
          + "INSERT INTO u SELECT hex(randomblob(4000)) FROM sqlite_schema, sqlite_schema, sqlite_schema", "-journal",
        "note: skipped c.sqlite-journal: a program stopped during a change, so the file can contain half of that change\n"
      ),
    ])
  func leftOut(statements: String, suffix: String, note: String) async throws {
    let workshop = try Workshop()
    // As a crash would leave them.
    let made = try await workshop.shell(
      """
      /usr/bin/sqlite3 w.sqlite "\(statements)" ".system cp w.sqlite c.sqlite; cp w.sqlite\(suffix) c.sqlite\(suffix)" > made.txt && rm w.sqlite*
      """)
    #expect(made.status == 0, "\(made)")
    let before = try workshop.files()
    let outcome = try await workshop.run(["count", "c.sqlite", "t", "--immutable"])
    #expect(outcome == Outcome(status: 0, output: "1\n", messages: note))
    #expect(try workshop.files() == before)
    // It is no matter of files without such a change.
    #expect(try await workshop.run(["count", "c.sqlite", "t"]).messages == "")
    #expect(try await workshop.shell("rm -f c.sqlite-*; $repokit count c.sqlite t --immutable").messages == "")
  }

  private static let joined = "|| joins text only, so name || weight is null"
  private static let retype = "; repokit column retype converts the column to text\n"

  @Test(
    "Numbers and bytes where texts are joined or counted are told, and values that become null",
    arguments: [
      (
        ["query", "t.sqlite", "t", "--columns", "name || weight as x", "--limit=1"], "x\n\\N\n",
        "note: weight contains numbers such as 60, and \(joined)\(retype)"
      ),
      (
        ["group", "t.sqlite", "b", "--sum", "length(bytes)"], "sum(length(bytes))\n0\n",
        "note: bytes contains bytes, and length counts characters of text only, so length(bytes) is null; a view in the "
          + "database's own SQL can count bytes\n"
      ),
      (["query", "t.sqlite", "t", "length(name || code) = 4", "--columns=id"], "id\n1\n2\n3\n", ""),
      (
        ["set", "t.sqlite", "t", "id < 3", "name = name || weight", "--dry-run", "--format", "csv"],
        """
        id,weight,day,name,new name,code
        1,60,2021-01-01,ann,,A
        2,7,2010,Ann,,B

        """,
        "note: weight contains numbers such as 60, and \(joined)\(retype)"
          + "note: name = name || weight sets name to null in 2 rows with a value\nwould change 2 of 3 rows of t\n"
      ),
      (
        ["set", "t.sqlite", "t", "id = 3", "name = name || day", "--yes"], "",
        "note: day contains numbers such as 2010, and || joins text only, so name || day is null\(retype)"
          + "note: name = name || day sets name to null in 1 row with a value\nchanged 1 row of t\n"
      ),
      (["set", "t.sqlite", "t", "id = 1", "name = name || code", "--yes"], "", "changed 1 row of t\n"),
    ] as [([String], String, String)])
  func noTexts(arguments: [String], output: String, messages: String) async throws {
    let workshop = try workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE b (id INTEGER PRIMARY KEY, bytes BLOB)", "INSERT INTO b VALUES (1, x'0001')")
    #expect(try await workshop.run(arguments) == Outcome(status: 0, output: output, messages: messages))
  }
}
