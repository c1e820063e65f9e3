import TestSupport
import Testing

@Suite("Dates that are written to columns of numbers")
struct DateAssignmentTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.execute("t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, sent TIMESTAMP, data TEXT)")
    try workshop.execute("t.sqlite", "INSERT INTO t VALUES (1, 725846400, '{\"a\": 1}')")
    return workshop
  }

  @Test(
    "become numbers in the form of the column, or are refused",
    arguments: [
      ("sent=2024-01-02", "725846400"), ("sent = '2024-01-02T00:00:01Z'", "725846401"),
      ("sent = today", nil), ("sent=5", "5"), ("sent=null", "\\N"), ("sent=yesterday", nil),
      ("sent=31.12.2024", nil), ("sent = 'n/a'", nil),
    ] as [(String, String?)])
  func written(assignment: String, stored: String?) async throws {
    let workshop = try workshop()
    let outcome = try await workshop.run(
      ["set", "t.sqlite", "t", "id = 1", assignment, "--dates", "sent=core-data", "--yes"])
    let found = try await workshop.run(["query", "t.sqlite", "t", "--columns", "sent", "--format", "tsv"]).output
    let rows = found.split(separator: "\n").last.map(String.init)
    if let stored {
      #expect(rows == stored, "\(outcome)")
    } else if assignment.contains("today") {
      #expect(rows.flatMap { Int64($0) } ?? 0 > 725_846_400, "\(outcome)")
    } else {
      #expect(outcome.status == 2 && outcome.messages.contains("stores dates as numbers"), "\(outcome)")
      #expect(rows == "725846400")
    }
  }

  @Test("A date beside numbers is noted, before a change too")
  func noted() async throws {
    let workshop = try workshop()
    for command in ["count t.sqlite t", "delete t.sqlite t"] {
      let arguments = command.split(separator: " ").map(String.init) + ["sent < '2024-01-02'"]
      let outcome = try await workshop.run(arguments + (command.hasPrefix("delete") ? ["--dry-run"] : []))
      #expect(outcome.messages.contains("for dates, add --dates sent=unix"), "\(outcome)")
    }
  }

  @Test(
    "What a path leads to is not set, and the column is not suggested in its place",
    arguments: ["data.a=2", "data.a = 2"])
  func path(assignment: String) async throws {
    let outcome = try await workshop().run(["set", "t.sqlite", "t", "id = 1", assignment, "--yes"])
    #expect(outcome.status != 0 && outcome.messages.contains("sets a whole column"), "\(outcome)")
    #expect(!outcome.messages.contains("did you mean"))
  }
}
