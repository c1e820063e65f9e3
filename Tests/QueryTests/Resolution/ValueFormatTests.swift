import Query
import TestSupport
import Testing

@Suite("A column of UUIDs or dates is compared with such texts alone")
struct ValueFormatTests {
  static let table = Result {
    try TableSchema(
      "event",
      columns: [
        ColumnSchema("id", .text, format: .uuid), ColumnSchema("created", .text, isNullable: true, format: .date),
        ColumnSchema("title", .text),
      ], primaryKey: ["id"])
  }
  static let id = "e621e1f8-c36c-495a-93fc-000c247a3e6e"
  static let instant = "2026-11-20T23:11:00.000000000Z"

  @Test(
    "What can be compared",
    arguments: [
      "id = '\(id)'", "id in ('\(id)')", "id != '\(id)'", "id is not null", "created = '\(instant)'", "created = null",
      "created in ('\(instant)', null)", "created between '\(instant)' and '\(instant)'", "created = title",
      // A text that dates begin with has its place in their order.
      "created >= '2026'", "created < '2026-11'", "created between '2026-11-20' and '2026-11-20T12'", "id > 'e6'",
      "created > ''", "created starts with '2026-11'", "id contains 'E6'", "title = 'E6'", "created like '2026-%'",
    ])
  func comparable(text: String) throws {
    _ = try AnyQuery(parsing: text).resolved(in: Self.table.get())
  }

  @Test(
    "What is refused, because it would be found nowhere or stand in the wrong place",
    arguments: [
      ("id = '\(id.uppercased())'", "can't compare id, which stores UUIDs, with a UUID in capital letters"),
      ("id != '\(id.uppercased())'", "can't compare id, which stores UUIDs, with a UUID in capital letters"),
      ("id in ('\(id)', '\(id.uppercased())')", "can't compare id, which stores UUIDs, with a UUID in capital letters"),
      (
        "id = '\(id.replacing("e", with: "g"))'", "can't compare id, which stores UUIDs, with this text"
      ),
      ("id = 'e621'", "can't compare id, which stores UUIDs, with this text"),
      ("id > 'E6'", "can't compare id, which stores UUIDs, with this text"),
      ("created = '2026-11-20'", "can't compare created, which stores dates, with a day without a time"),
      (
        "created > '2026-11-20T23:11:00Z'",
        "can't compare created, which stores dates, with a date with another number of fraction digits"
      ),
      (
        "created between '2026' and '2026-11-20 23:11:00.000'",
        "can't compare created, which stores dates, with a date without `T` or time zone"
      ),
      ("not created <= 'yesterday'", "can't compare created, which stores dates, with this text"),
    ])
  func refused(text: String, summary: String) throws {
    let error = #expect(throws: QueryError.self) { try AnyQuery(parsing: text).resolved(in: Self.table.get()) }
    #expect(error?.code == .kindMismatch)
    #expect(error?.summary == summary)
    #expect(error?.suggestion == "write a value such as \(text.hasPrefix("id") ? Self.id : Self.instant)")
  }

  @Test("No other text is assigned, is a key or a default")
  func writing() throws {
    let table = try Self.table.get()
    expectError(of: QueryError.self, summary: "created stores dates and can't store a day without a time") {
      try ResolvedAssignments([Assignment("created", "2026-11-20")], in: table)
    }
    _ = try ResolvedAssignments([Assignment("created", Self.instant)], in: table)
    _ = try ResolvedAssignments([Assignment("created", String?.none)], in: table)
    #expect(table.isKept(key: [.text(Self.id)]))
    #expect(!table.isKept(key: [.text(Self.id.uppercased())]))
    #expect(throws: QueryError.self) {
      try TableSchema(
        "event", columns: [ColumnSchema("id", .text, defaultValue: "2026", format: .date)], primaryKey: ["id"])
    }
  }
}
