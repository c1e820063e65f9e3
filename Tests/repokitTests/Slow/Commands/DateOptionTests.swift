import Testing

@Suite("Dates that are numbers in a column")
struct DateOptionTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, at INTEGER)",
      """
      INSERT INTO t SELECT value ->> 0, unixepoch(value ->> 1) FROM json_each('[[1, "2023-12-31 23:59:59"], \
      [2, "2024-01-02 08:00:00"], [3, "2024-01-31 23:59:59"], [4, "2024-02-01"], [5, "2024-12-31"]]')
      """)
    return workshop
  }

  @Test(
    "are compared with days, months and instants anywhere",
    arguments: [
      ("at = '2024-01'", "2 3"), ("at != '2024-01'", "1 4 5"), ("at < '2024-01'", "1"), ("at <= '2024-01'", "1 2 3"),
      ("at > '2024-01'", "4 5"), ("at >= '2024-01'", "2 3 4 5"), ("at between '2024-01' and '2024-02'", "2 3 4"),
      ("at in ('2023-12', '2024-12')", "1 5"), ("at = '2024-01-02T10:00:00+02:00'", "2"),
      ("at = '2024-01-02 03:30:00 -0430'", "2"), ("at = '2024-01-02T09:00+01'", "2"),
      ("at = '2024-02-01T00:00:00Z'", "4"), ("at < '2024-01-01T00:59:59+01:00'", ""),
      ("at <= '2024-01-01T00:59:59.000+01:00'", "1"), ("at = :day", "2"), ("at = 'never'", ""),
    ])
  func literals(query: String, ids: String) async throws {
    for engine in ["database", "memory"] {
      let outcome = try await workshop().run(
        ["query", "t.sqlite", "t", query, "--columns", "id", "--dates", "at=unix", "--engine", engine]
          + (query.contains(":day") ? ["--param", "day=2024-01-02"] : []))
      #expect(
        outcome.output.split(separator: "\n").dropFirst().joined(separator: " ") == ids && outcome.status == 0,
        "\(outcome)")
    }
  }

  @Test(
    "are compared with no date in another form, which is refused",
    arguments: [
      ("at = '02.01.2024'", "02.01.2024", "did you mean '2024-01-02'?"), ("at > '2024/1/2'", "2024/1/2", nil),
      ("at in ('2024-01-02', '1/2/2024')", "1/2/2024", nil), ("at < '2024'", "2024", nil),
      ("not (id = 1 and at between '2024-01-02' and '2024-13')", "2024-13", nil),
      ("if(at > '2.1.2024', 1, 0) = 1", "2.1.2024", "did you mean '2024-01-02'?"),
      ("at = '2024-01-02T10:00:00+24:00'", "2024-01-02T10:00:00+24:00", nil), ("at = '10:00'", "10:00", nil),
      ("at = '2024-01-02T10:00:00Z+02:00'", "2024-01-02T10:00:00Z+02:00", nil),
      ("at = '2024-01-02T10:00:00+2:000'", "2024-01-02T10:00:00+2:000", nil),
    ] as [(String, String, String?)])
  func otherForms(query: String, text: String, advice: String?) async throws {
    let workshop = try workshop()
    let reason =
      "write a date as '2024-01-31', '2024-01-31 12:00:00', '2024-01-31T12:00:00+02:00', or '2024-01' for a month"
    for words in [
      ["count", "t.sqlite", "t", query], ["group", "t.sqlite", "t", "--by", "id,at", "--having", query],
      ["delete", "t.sqlite", "t", query, "--yes"], ["explain", "t.sqlite", "t", query],
    ] {
      let outcome = try await workshop.run(words + ["--dates", "at=unix"])
      #expect(
        outcome.status == 2
          && outcome.messages
            == "error: '\(text)', compared with at, is not a date\n  \(reason)\n"
            + (advice.map { "  \($0)\n" } ?? ""),
        "\(outcome)")
    }
    #expect(try await workshop.run(["count", "t.sqlite", "t"]).output == "5\n")
  }

  @Test(
    "are keys of groups that a condition on groups repeats",
    arguments: [
      ("yearMonth(at)", "yearMonth(at) = '2024-01'", "2024-01\t2\n"),
      ("at", "at = '2024-12'", "2024-12-31 00:00:00\t1\n"),
      ("if(at < '2024-02', 'old', 'new')", "if(at < '2024-02', 'old', 'new') = 'new'", "new\t2\n"),
      ("if(at < '2024-02', 1, 2)", "count() > 2 and if(at < '2024-02', 1, 2) < 2", "1\t3\n"),
    ])
  func groups(key: String, having: String, rows: String) async throws {
    let outcome = try await workshop().run([
      "group", "t.sqlite", "t", "--by", key, "--having", having, "--dates", "at=unix",
    ])
    #expect(outcome.output == "\(key)\tcount\n\(rows)" && outcome.status == 0, "\(outcome)")
  }

  @Test("are told of where an aggregate's condition makes nothing of them")
  func aggregates() async throws {
    for words in [
      ["--aggregate", "count(where year(at) = 2024)"], ["--having", "count(where year(at) = 2024) > 0", "--by", "id"],
    ] {
      let outcome = try await workshop().run(["group", "t.sqlite", "t"] + words)
      #expect(
        outcome.messages.contains(
          "in at; --dates at=unix or at=core-data reads the numbers as dates\n"),
        "\(outcome)")
    }
  }

  @Test("are read so by explain and watch")
  func otherCommands() async throws {
    let workshop = try workshop()
    let options = ["--dates", "at=unix", "--format", "csv"]
    let explained = try await workshop.run(
      ["explain", "t.sqlite", "t", "at = '2024-01' and year(at) > 2020"] + options)
    #expect(explained.status == 0 && explained.output.contains("at >= 1704067200 and at < 1706745600"), "\(explained)")
    #expect(explained.output.contains("repokit_year(repokit_dates("), "\(explained)")
    let watched = try await workshop.run(
      ["watch", "t.sqlite", "t", "yearMonth(at) = '2024-02'", "--columns", "at", "--times", "1"] + options)
    #expect(watched.output == "at\n2024-02-01 00:00:00\n" && watched.status == 0, "\(watched)")
  }

  @Test("may be numbers of phones and browsers, and a form that does not fit is told")
  func otherNumbers() async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, ios INTEGER, chrome INTEGER, firefox INTEGER)")
    try workshop.execute(
      "t.sqlite", "INSERT INTO t VALUES (1, 647222400000000000, 13270003200000000, 1625529600000000), (2, 1, 1, 1)")
    for dates in ["ios=core-data-nanoseconds", "chrome=webkit", "firefox=microseconds"] {
      let column = String(dates.prefix { $0 != "=" })
      let outcome = try await workshop.run(
        ["query", "t.sqlite", "t", "\(column) = '2021-07-06'", "--columns", column, "--dates", dates])
      #expect(outcome == Outcome(status: 0, output: "\(column)\n2021-07-06 00:00:00\n", messages: ""))
    }
    let wrong = try await workshop.run(["count", "t.sqlite", "t", "ios > '2021-07-06'", "--dates", "ios=core-data"])
    #expect(
      wrong.messages.contains(
        "note: 647222400000000000 in ios is not a date as core-data; core-data-nanoseconds reads the number as a date"
      ),
      "\(wrong)")
  }
}
