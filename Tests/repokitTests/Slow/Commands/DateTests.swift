import Query
import SQLInspection
import TestSupport
import Testing

@Suite("Dates")
struct DateTests {
  private func workshop(isStrict: Bool = false) throws -> Workshop {
    let workshop = try Workshop()
    let columns = "id INTEGER PRIMARY KEY, at DATETIME, day DATE, seconds INTEGER, julian REAL, apple REAL"
    for statement in [
      isStrict
        ? "CREATE TABLE t (\(columns.replacing(/DATE(TIME)?/, with: "TEXT"))) STRICT" : "CREATE TABLE t (\(columns))",
      """
      INSERT INTO t VALUES (1, '2021-07-05 23:59:59', '2021-07-05', 1625529599, 2459401.49998843, 647222399), \
      (2, '2021-07-06 00:00:00', '2021-07-06', 1625529600, 2459401.5, 647222400), \
      (3, '2021-07-06 18:30:00', '2021-07-06', 1625596200, 2459402.2708333335, 647289000.5), \
      (4, '2021-07-07 00:00:00', '2021-07-07', 1625616000, 2459402.5, 647308800), (5, NULL, NULL, NULL, NULL, NULL)
      """,
    ] { try workshop.execute("t.sqlite", statement) }
    return workshop
  }

  @Test(
    "without a time mean a whole day where the column has times, and that is told",
    arguments: [
      ("at = '2021-07-06'", "2 3", "at >= '2021-07-06' and at < '2021-07-07'"),
      ("at != '2021-07-06'", "1 4 5", "not (at >= '2021-07-06' and at < '2021-07-07')"),
      ("at > '2021-07-06'", "4", "at >= '2021-07-07'"), ("at <= '2021-07-06'", "1 2 3", "at < '2021-07-07'"),
      ("at between '2021-07-05' and '2021-07-06'", "1 2 3", "at >= '2021-07-05' and at < '2021-07-07'"),
      ("not at = '2021-07-06'", "1 4 5", "at >= '2021-07-06' and at < '2021-07-07'"),
      (
        "at in ('2021-07-05', '2021-07-07')", "1 4",
        "at >= '2021-07-05' and at < '2021-07-06' or at >= '2021-07-07' and at < '2021-07-08'"
      ),
      ("at < '2021-07-06'", "1", nil), ("at >= '2021-07-06'", "2 3 4", nil), ("at = '2021-07-06 18:30:00'", "3", nil),
      ("day = '2021-07-06'", "2 3", nil), ("day <= '2021-07-06'", "1 2 3", nil),
      ("day between '2021-07-06' and '2021-07-07'", "2 3 4", nil), ("day in ('2021-07-05', '2021-07-07')", "1 4", nil),
    ] as [(String, String, String?)])
  func days(query: String, ids: String, read: String?) async throws {
    for engine in ["database", "memory"] {
      let outcome = try await workshop().run(["query", "t.sqlite", "t", query, "--columns=id", "--engine", engine])
      #expect(outcome.output.split(separator: "\n").dropFirst().joined(separator: " ") == ids)
      #expect(
        outcome.messages.hasPrefix(read == nil ? "" : "note: ")
          && outcome.messages.hasSuffix(read.map { " becomes \($0)\n" } ?? ""))
    }
  }

  @Test(
    "are whole days beside days without a time, and are asked with the letter between day and time that the column has",
    arguments: [
      ("mixed = '2024-01-02'", "1 2"), ("mixed <= '2024-01-02'", "1 2"), ("mixed > '2024-01-02'", "3"),
      ("iso > '2024-01-02 10:00'", "2 3"), ("iso between '2024-01-02' and '2024-01-02'", "1 2"),
      ("iso = '2024-01-02T09:05'", "1"), ("iso = '2024-01-02 09:05'", "1"),
      ("odd <= '2024-01-02'", "1 2"), ("plain < '2024-01-02T10:00:00Z'", "1"),
      ("plain = '2024-01-02T12:00:00+02:00'", "2"),
      ("whole >= '2024-01-02 10:00:00.5'", "3"), ("whole < '2024-01-02 10:00:00.5'", "1 2"),
      ("whole = '2024-01-02 10:00:00.5'", ""), ("zulu >= '2024-01-02 10:00:00'", "2 3"),
      ("zulu = '2024-01-02T11:00:00+01:00'", "2"),
    ])
  func mixed(query: String, ids: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, mixed TEXT, iso TEXT, plain TEXT, zulu TEXT, whole TEXT, odd TEXT)",
      """
      INSERT INTO t VALUES \
      (1, '2024-01-02', '2024-01-02T09:05', '2024-01-02 09:00:00', '2024-01-02T09:00:00.000Z', '2024-01-02T09:00:00Z', ''), \
      (2, '2024-01-02 14:30:00', '2024-01-02T11:00', '2024-01-02 10:00:00', '2024-01-02T10:00:00.000Z', '2024-01-02T10:00:00Z', '2024-01-02 10:00:00'), \
      (3, '2024-01-03', '2024-01-03T00:00', '2024-01-03 00:00:00', '2024-01-02T10:00:00.500Z', '2024-01-02T10:00:01Z', '2024-01-03 00:00:00')
      """)
    for engine in ["database", "memory"] {
      let outcome = try await workshop.run(["query", "t.sqlite", "t", query, "--columns=id", "--engine", engine])
      #expect(outcome.output.split(separator: "\n").dropFirst().joined(separator: " ") == ids, "\(outcome.messages)")
    }
  }

  @Test(
    "may be the last day that a text writes, which is a whole day, too",
    arguments: [
      ("at <= '9999-12-31'", "1 2"), ("at > '9999-12-31'", ""), ("at = '9999-12-31'", "2"),
      ("at between '2024-01-01' and '9999-12-31'", "1 2"), ("seconds <= '9999-12-31'", "1 2"),
      ("seconds > '9999-12-31'", ""),
    ])
  func lastDay(query: String, ids: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, seconds INTEGER)",
      "INSERT INTO t VALUES (1, '2024-01-01 00:00:00', 1704067200), (2, '9999-12-31 23:59:59', 253402300799)")
    for engine in ["database", "memory"] {
      let outcome = try await workshop.run([
        "query", "t.sqlite", "t", query, "--columns=id", "--dates", "seconds=unix", "--engine", engine,
      ])
      #expect(
        outcome.output.split(separator: "\n").dropFirst().joined(separator: " ") == ids && outcome.status == 0,
        "\(outcome)")
    }
    let deleted = try await workshop.run([
      "delete", "t.sqlite", "t", query, "--dates", "seconds=unix", "--dry-run", "--format", "csv",
    ])
    #expect(
      deleted.output.split(separator: "\n").dropFirst().map { String($0.prefix(1)) }.joined(separator: " ") == ids)
  }

  @Test("are the Julian days that SQLite makes of them", arguments: SplitMix64.seeds)
  func julianDays(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let workshop = try Workshop()
    let rows = (0..<2_000).map { number in
      "(\(number), datetime(\(Int.random(in: -62_167_219_200...253_402_300_799, using: &random)), 'unixepoch'))"
    }
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, day REAL)",
      "INSERT INTO t (id, at) VALUES \(rows.joined(separator: ", "))", "UPDATE t SET day = julianday(at)")
    let lines = try await workshop.lines("t", "at,day", in: "t.sqlite")
    #expect(lines.count == 2_000)
    let differing = lines.filter { line in
      let fields = line.split(separator: "\t").map(String.init)
      return fields.count < 2 || NumericDateForm.julian.number(of: fields[0]) != Double(fields[1]).map(Value.real)
        || NumericDateForm.julian.text(of: NumericDateForm.julian.number(of: fields[0]) ?? .null) != .text(fields[0])
    }
    #expect(differing == [])
  }

  @Test("are read so by commands that change rows, too")
  func changes() async throws {
    let workshop = try workshop()
    let outcome = try await workshop.run(["delete", "t.sqlite", "t", "at = '2021-07-06'", "--yes"])
    #expect(outcome.messages.hasSuffix("deleted 2 rows of t\n"))
  }

  @Test(
    "may be numbers in a column, as an option says",
    arguments: [
      ("seconds=unix", "seconds = '2021-07-06'", "2021-07-06 00:00:00 2021-07-06 18:30:00"),
      ("seconds=unix", "seconds > '2021-07-06 18:00'", "2021-07-06 18:30:00 2021-07-07 00:00:00"),
      ("julian=julian", "julian between '2021-07-06' and '2021-07-06'", "2021-07-06 00:00:00 2021-07-06 18:30:00"),
      ("apple=core-data", "apple >= '2021-07-06 18:30:00'", "2021-07-06 18:30:00.500 2021-07-07 00:00:00"),
      ("seconds=milliseconds", "id = 1", "1970-01-19 19:32:09.599"),
    ])
  func numbers(dates: String, query: String, shown: String) async throws {
    let column = String(dates.prefix { $0 != "=" })
    for isStrict in [false, true] {
      let outcome = try await workshop(isStrict: isStrict).run(
        ["query", "t.sqlite", "t", query, "--columns", column, "--sort", "id", "--dates", dates])
      #expect(outcome.output.split(separator: "\n").dropFirst().joined(separator: " ") == shown, "\(outcome.messages)")
    }
  }

  @Test("are numbers in a condition of any length and depth, too")
  func longConditions() async throws {
    let workshop = try workshop()
    let days = Array(repeating: "seconds = '2021-07-06'", count: 200).joined(separator: " or ")
    let nested = String(repeating: "not ", count: 20_000) + "seconds = '2021-07-06'"
    for query in [days, nested] {
      let outcome = try await workshop.run(["count", "t.sqlite", "t", query, "--dates", "seconds=unix"])
      #expect(outcome.status == 0 && outcome.output == "2\n", "\(outcome.messages.prefix(300))")
    }
  }

  static let calls: [(arguments: [String], output: String)] = [
    (
      ["group", "t.sqlite", "t", "seconds > '2021-07-06'", "--by", "seconds", "--max", "apple"],
      "seconds\tmax(apple)\n2021-07-07 00:00:00\t2021-07-07 00:00:00\n"
    ),
    (
      ["export", "t.sqlite", "t", "seconds = '2021-07-06'", "-", "--columns", "id,seconds"],
      "id\tseconds\n2\t2021-07-06 00:00:00\n3\t2021-07-06 18:30:00\n"
    ),
    (
      ["describe", "t.sqlite", "t", "seconds is not null", "--columns", "seconds", "--format", "csv"],
      "2021-07-05 23:59:59"
    ),
    (["set", "t.sqlite", "t", "seconds >= '2021-07-07'", "apple=2021-07-08", "--dry-run"], "\t2021-07-08 00:00:00"),
    (
      ["delete", "t.sqlite", "t", "seconds >= '2021-07-07'", "--dry-run"],
      "4\t2021-07-07 00:00:00\t2021-07-07\t2021-07-07"
    ),
  ]

  @Test("are numbers in a column for every command that asks for rows", arguments: calls)
  func commands(arguments: [String], output: String) async throws {
    for isStrict in [false, true] {
      let outcome = try await workshop(isStrict: isStrict).run(
        arguments + ["--dates", "seconds=unix,apple=core-data"])
      #expect(outcome.status == 0 && outcome.output.contains(output), "\(outcome)")
    }
  }

  @Test(
    "are read by functions, and compared, in every clause", .tags(.slow),
    arguments: [
      (
        ["group", "--by", "date(seconds)", "--count", "--sort=-date(seconds)"],
        "date(seconds)\tcount\n2021-07-07\t1\n2021-07-06\t2\n2021-07-05\t1\n\\N\t1\n"
      ),
      (
        ["group", "--by", "yearMonth(apple)", "--max", "hour(julian)"],
        "yearMonth(apple)\tmax(hour(julian))\n\\N\t\\N\n2021-07\t23\n"
      ),
      (
        ["group", "--by", "day(seconds)", "--having", "day(seconds) > 6 and count() = 1"], "day(seconds)\tcount\n7\t1\n"
      ),
      (
        ["group", "--by", "day", "--having", "min(seconds) >= '2021-07-06'"],
        "day\tcount\n2021-07-06\t2\n2021-07-07\t1\n"
      ),
      (["group", "--aggregate", "count(where seconds = '2021-07-06' and hour(seconds) > 0)"], "\n1\n"),
      (["query", "--columns", "id, year(seconds) + 1 as y", "--limit", "1"], "id\ty\n1\t2022\n"),
      (["query", "year(seconds) = 2021 and minute(apple) = 30", "--columns", "id"], "id\n3\n"),
      (["query", "--sort", "hour(seconds) desc, id", "--columns", "id", "--limit", "2"], "id\n1\n3\n"),
      (
        ["query", "--columns", "id, if(seconds >= '2021-07-07', 1, 0) as late", "--sort=-late", "--limit", "1"],
        "id\tlate\n4\t1\n"
      ),
      (["query", "if(seconds >= '2021-07-07', 1, 0) = 1", "--columns", "id"], "id\n4\n"),
      (["query", "1 = if(seconds >= '2021-07-07', 1, 0)", "--columns", "id"], "id\n4\n"),
      (["query", "id = if(seconds = '2021-07-06', 2, id + 1)", "--columns", "id"], "id\n2\n"),
      (["query", "if(year(seconds) = 2021 and day(seconds) = 7, 1, 0) = 1", "--columns", "id"], "id\n4\n"),
      (["query", "if(not (id > 1 and coalesce(apple, 0) > '2021-07-06'), 1, 0) = 0", "--columns", "id"], "id\n4\n"),
      (["query", "coalesce(seconds, 0) >= '2021-07-06 18:00'", "--columns", "id"], "id\n3\n4\n"),
      (["query", "coalesce(seconds, 0) = '1970-01-01'", "--columns", "id"], "id\n5\n"),
      (["query", "if(id < 4, seconds, null) = '2021-07-06'", "--columns", "id"], "id\n2\n3\n"),
      (["query", "seconds between '2021-07-06' and seconds + 1", "--columns", "id"], "id\n2\n3\n4\n"),
      (["query", "any notes (seconds = '2021-07-06')", "--columns", "id"], "id\n1\n"),
      (["query", "any t (seconds = '2021-07-06')", "--columns", "id"], "id\n1\n2\n"),
      (
        ["group", "--by", "id", "--having", "count(where seconds >= '2021-07-07') > 0 or max(seconds) = '2021-07-05'"],
        "id\tcount\n1\t1\n4\t1\n"
      ),
    ] as [([String], String)])
  func functions(words: [String], output: String) async throws {
    let dates = ["--dates", "seconds=unix,julian=julian,apple=core-data"]
    for engine in ["database", "memory"] {
      let workshop = try workshop()
      try workshop.refer()
      let outcome = try await workshop.run(
        [words[0], "t.sqlite", "t"] + words.dropFirst() + dates + ["--engine", engine])
      #expect(outcome.output.hasSuffix(output) && outcome.status == 0, "\(outcome)")
    }
  }

  @Test(
    "are told where numbers are not read as such",
    arguments: [
      (
        "year(coalesce(seconds, 0)) = 2021",
        "year reads them as dates only for the column seconds itself, not for coalesce(seconds, 0)"
      ),
      (
        "any t (year(seconds) = 2021)",
        "year reads them as dates only for the column seconds itself, not for related rows"
      ),
      ("if(year(julian) = 2021, 1, 0) = 1", "in julian; --dates julian=julian"),
      ("coalesce(seconds, apple) >= '2021-07-06'", "some values are not dates as unix"),
      ("seconds + 60 >= '2021-07-06'", "seconds + 60 is a number and does not compare with dates; use seconds itself"),
    ])
  func unread(query: String, note: String) async throws {
    let workshop = try workshop()
    try workshop.refer()
    let outcome = try await workshop.run([
      "count", "t.sqlite", "t", query, "--dates", "seconds=unix,apple=core-data",
    ])
    #expect(outcome.status == 0 && outcome.messages.contains(note), "\(outcome)")
  }

  @Test("are told where a function is given numbers, and nothing says how they are dates")
  func unsaid() async throws {
    let workshop = try workshop()
    for words in [
      ["group", "t.sqlite", "t", "--by", "year(seconds)"], ["count", "t.sqlite", "t", "year(seconds) = 2021"],
      ["query", "t.sqlite", "t", "--columns", "year(seconds) + 1 as next", "--sort", "-year(seconds)"],
    ] {
      let outcome = try await workshop.run(words)
      #expect(
        outcome.messages.contains(
          "note: year is null for numbers such as 1625529599 in seconds; --dates seconds=unix or seconds=core-data reads the numbers as dates\n"
        ),
        "\(outcome)")
    }
    let text = try await workshop.run(["group", "t.sqlite", "t", "--by", "year(at)"])
    #expect(text.messages == "")
  }

  @Test(
    "are not read by functions where rows are changed, and that is refused",
    arguments: [
      ["delete", "year(seconds) = 2021"], ["delete", "not (id = 1 or 2021 = year(seconds))"],
      ["delete", "if(year(seconds) = 2021, 1, 0) = 0"], ["delete", "id = if(id > 1, year(seconds) + 1, 0)"],
      ["delete", "year(coalesce(seconds, 0)) = 2021"], ["delete", "year(if(id > 1, seconds, 0)) = 2021"],
      ["delete", "no t (year(seconds) = 2021)"], ["delete", "count(t where year(seconds) = 2021) > 0"],
      ["delete", "year(parent.seconds) = 2021"], ["set", "id = 1", "julian = year(seconds)"],
      ["set", "id > 0", "julian = if(year(seconds) > 2020, 1, 0)"],
      ["set", "if(date(seconds) = '2021-07-06', 1, 0) = 1", "julian = 1"],
    ])
  func functionsOfChanges(words: [String]) async throws {
    let workshop = try workshop()
    try workshop.refer()
    let outcome = try await workshop.run(
      [words[0], "t.sqlite", "t"] + words.dropFirst() + ["--dates", "seconds=unix", "--yes"])
    #expect(outcome.status == 2 && outcome.messages.contains("seconds stores dates as numbers"), "\(outcome)")
    #expect(try await workshop.lines("t", "julian", in: "t.sqlite").contains("2459401.5"))
  }

  @Test("are compared within what is written, too")
  func conditionsOfChanges() async throws {
    let workshop = try workshop()
    let outcome = try await workshop.run([
      "set", "t.sqlite", "t", "if(seconds >= '2021-07-06', 1, 0) = 1", "apple = if(seconds >= '2021-07-07', 1, 0)",
      "--dates", "seconds=unix", "--yes",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await workshop.lines("t", "apple", in: "t.sqlite") == ["647222399.0", "0.0", "0.0", "1.0", "\\N"])
  }

  @Test("are set as numbers, too")
  func set() async throws {
    let workshop = try workshop()
    let set = ["set", "t.sqlite", "t", "id = 5", "seconds=2021-07-06 00:00:01", "--dates", "seconds=unix", "--yes"]
    #expect(try await workshop.run(set).status == 0)
    #expect(try await workshop.lines("t", "seconds", in: "t.sqlite").last == "1625529601")
  }

  @Test(
    "in another form are told",
    arguments: [
      ("at = '6.7.2021'", "2021-07-06"), ("at > '7/6/2021'", "2021-07-06"), ("at < '2021/07/06'", "2021-07-06"),
    ])
  func otherForms(query: String, meant: String) async throws {
    let outcome = try await workshop().run(["count", "t.sqlite", "t", query])
    #expect(outcome.messages.contains("did you mean '\(meant)'?\n"), "\(outcome.messages)")
  }

  @Test("are asked of columns that are there, in forms that are known")
  func mistakes() async throws {
    let workshop = try workshop()
    for (dates, message) in [
      ("second=unix", "--dates: no column second in t"), ("seconds=posix", "--dates: unknown form of dates \"posix\""),
      ("seconds", "--dates: \"seconds\" lacks the column or the form of dates"),
    ] {
      let outcome = try await workshop.run(["count", "t.sqlite", "t", "id = 1", "--dates", dates])
      #expect(outcome.status != 0 && outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    }
  }
}

extension Workshop {
  /// Has rows refer to rows: the second to the first, the third to the second, and a note of a date as a text to the first.
  fileprivate func refer() throws {
    try execute(
      "t.sqlite", "ALTER TABLE t ADD COLUMN parent INTEGER REFERENCES t",
      "UPDATE t SET parent = id - 1 WHERE id IN (2, 3)",
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t, seconds TEXT)",
      "INSERT INTO notes VALUES (1, 1, '2021-07-06')")
  }
}
