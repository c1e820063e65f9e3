import TestSupport
import Testing

@testable import repokit

/// Dates in the forms of other programs: with offsets from UTC, names of months, eight digits, or several forms in one column.
@Suite("Forms of dates")
struct DateFormTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.execute(
      "t.sqlite",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, utc TEXT, mixed TEXT, month TEXT, digits TEXT, time TEXT, odd TEXT, \
      ordered DATETIME, shipped DATETIME)
      """,
      """
      INSERT INTO t VALUES
      (1, '2024-03-05T10:00:00+00:00', '2024-03-05T10:00:00+02:00', 'Jan 1 2000', '20040514', '10:00:00', '2024-03-05', '2016-07-04', '2016-07-16'),
      (2, '2024-03-06T00:30:00+00:00', '2024-03-06 00:30:00', 'Feb 2 2006', '20240515', '10:00:00.000000', 'spring', '2016-07-05', '2016-07-10'),
      (3, '2024-04-01T00:00:00+00:00', '2024-04-01T01:00:00+02:00', 'Mar 3 2010', '20240516', '11:00', '2024-04-01', NULL, NULL)
      """)
    return workshop
  }

  @Test(
    "are found as the instants that they mean",
    arguments: [
      ("month(utc) = 3", [1, 2]), ("month(mixed) = 3", [1, 2, 3]), ("hour(mixed) = 8", [1]), ("hour(mixed) = 23", [3]),
      ("date(mixed) = '2024-03-31'", [3]), ("utc = '2024-03-05'", [1]), ("utc > '2024-03-05'", [2, 3]),
      ("utc >= '2024-03-06 00:30'", [2, 3]), ("utc = '2024-03-06 00:30'", [2]),
      ("utc = '2024-03-06T02:30:00+02:00'", [2]),
      ("utc > '2024-03-06 00:30:00.5'", [3]), ("ordered > '2016-07-04'", [2]), ("year(ordered) = 2016", [1, 2]),
    ] as [(String, [Int])])
  func found(_ query: String, _ ids: [Int]) async throws {
    for engine in ["database", "memory"] {
      let outcome = try await workshop().run(["query", "t.sqlite", "t", query, "--columns=id", "--engine", engine])
      #expect(outcome.output == (["id"] + ids.map(String.init)).map { $0 + "\n" }.joined(), "\(outcome.messages)")
    }
  }

  @Test(
    "that compare as text, or are no dates for a function, are noted",
    arguments: [
      (
        "month > '2005-01-01'",
        "month contains dates such as 'Jan 1 2000', which compare as text; import --date-order converts the dates to a form "
          + "that sorts by time"
      ),
      (
        "digits > '2005-01-01'",
        "digits contains dates such as '20040514', which compare as text; import --date-order converts the dates to a form "
          + "that sorts by time"
      ),
      (
        "time = '10:00:00'",
        "time contains dates such as '10:00:00' and '10:00:00.000000', which compare as text: the same time "
          + "is another text in another form"
      ),
      (
        "month(odd) = 3",
        "month is null for 1 of 3 values of odd, such as 'spring', which is not a date in the form '2024-01-31' or "
          + "'2024-01-31 12:00:00'"
      ),
      (
        "shipped - ordered is null",
        "shipped contains text such as '2016-07-16', and arithmetic needs numbers, so shipped - ordered is null"
      ),
    ])
  func notes(_ query: String, _ note: String) async throws {
    let outcome = try await workshop().run(["count", "t.sqlite", "t", query])
    #expect(outcome.status == 0 && outcome.messages.contains("note: \(note)\n"), "\(outcome.messages)")
  }

  @Test("A number is refused beside a column of texts, and the message says the form that works")
  func numbers() async throws {
    let workshop = try workshop()
    for command in ["count", "query", "explain"] {
      let outcome = try await workshop.run([command, "t.sqlite", "t", "ordered >= 2016"])
      let message =
        "error: ordered >= 2016 compares a number with text such as '2016-07-04', which sorts after all numbers; write "
        + "'2016' in quotes, or compare a part of the date, such as year(ordered)\n"
      #expect(outcome == Outcome(status: 2, output: "", messages: message))
    }
    for condition in [
      "2016 < ordered", "ordered between 1 and 2", "ordered in (2016)", "coalesce(ordered, 5) > 3",
      "if(ordered > 5, 1, 0) = 1", "not ordered < 5 and id = 1",
    ] {
      let outcome = try await workshop.run(["count", "t.sqlite", "t", condition])
      #expect(
        outcome.status == 2 && outcome.messages.contains("which sorts after all numbers"), "\(condition): \(outcome)")
    }
    let aggregate = try await workshop.run(["group", "t.sqlite", "t", "--aggregate", "count(where ordered > 5)"])
    #expect(aggregate.status == 2 && aggregate.messages.contains("which sorts after all numbers"), "\(aggregate)")
    try workshop.execute("t.sqlite", "UPDATE t SET ordered = 2016 WHERE id = 3")
    let mixed = try await workshop.run(["count", "t.sqlite", "t", "ordered = 2016"])
    #expect(mixed.output == "1\n" && mixed.messages.isEmpty, "\(mixed.messages)")
  }

  @Test("schema says text where the values of a column declared DATETIME are texts")
  func schema() async throws {
    let outcome = try await workshop().run(["schema", "t.sqlite", "t"])
    #expect(outcome.output.contains("  ordered  text     may be null, declared DATETIME\n"), "\(outcome.output)")
  }

  @Test(
    "with names of months, or of eight digits, are imported in the order that --date-order says",
    arguments: [
      (
        "dmy", ["14 May 2024", "2 Feb 2006", "31-DEC-24", "1 sept 1999"],
        ["2024-05-14", "2006-02-02", "2024-12-31", "1999-09-01"]
      ),
      (
        "mdy", ["May 14, 2024", "Jan 1 2000", "December 31, 1999 10:30"],
        ["2024-05-14", "2000-01-01", "1999-12-31 10:30"]
      ),
      ("ymd", ["20240514", "20051231", "2005-Feb-28"], ["2024-05-14", "2005-12-31", "2005-02-28"]),
      ("dmy", ["14052024", "31122005"], ["2024-05-14", "2005-12-31"]),
      ("mdy", ["05142024", "14MAY2024"], ["2024-05-14", "2024-05-14"]),
      ("ymd", ["20240514", "20241399"], ["20240514", "20241399"]),
      ("dmy", ["31 Feb 2024", "x"], ["31 Feb 2024", "x"]),
      ("dmy", ["may 5", "1 Marble 2024"], ["may 5", "1 Marble 2024"]),
    ])
  func imported(_ order: String, _ texts: [String], _ dates: [String]) async throws {
    let workshop = try Workshop()
    try workshop.write((["d"] + texts.map { "\"\($0)\"" }).map { $0 + "\n" }.joined(), to: "d.csv")
    let outcome = try await workshop.run(["import", "d.sqlite", "d", "d.csv", "--date-order", order])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let read = try await workshop.run(["query", "d.sqlite", "d", "--columns", "d", "--format", "csv"])
    #expect(read.output.split(separator: "\n").dropFirst().map(String.init) == dates, "\(outcome.messages)")
  }
}
