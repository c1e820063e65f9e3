@testable import Query
import TestSupport
import Testing

@Suite("A cursor is a place in a sorted result")
struct CursorTests {
  private func table(_ name: String = "t", type: ValueType = .any) throws -> TableSchema {
    try TableSchema(
      name, columns: [ColumnSchema("id", .integer), ColumnSchema("a", type, isNullable: true)], primaryKey: ["id"])
  }

  @Test(
    "its text needs no escapes and reads back as the same cursor",
    arguments: [
      Value.null, 0, .integer(.min), .integer(.max), 0.5, -0.0, .real(.infinity), "", "a\0b", "日本", .blob([]),
      .blob(Array(0...255)), .text(String(repeating: "x", count: 1000)),
    ])
  func roundTrip(value: Value) throws {
    let cursor = try Cursor(at: [7, value], in: table(), sortedBy: .descending(key: "a"))
    let text = cursor.description
    #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    #expect(try Cursor(parsing: text) == cursor)
  }

  @Test("its text stays the same from release to release")
  func stability() throws {
    let cursor = try Cursor(at: [7, "é"], in: table(type: .text), sortedBy: .descending(key: "a"))
    #expect(cursor.description == "iZkVsDeuIsN0AAAAAAAAAALDqWkAAAAAAAAABw")
  }

  @Test("a damaged text is refused", arguments: ["", "!", "AAAA", "é", "iZkVsDeuIsN", "iZkVsDeuIsN0_____________w"])
  func damage(text: String) {
    expectError(.invalidCursor, of: QueryError.self) { try Cursor(parsing: text) }
  }

  @Test("any change of a text is refused or is another cursor of the same sort and table")
  func mutations() throws {
    let sort = AnySort.descending(key: "a")
    let cursor = try Cursor(at: [7, "abc"], in: table(), sortedBy: sort)
    let tables = try (own: table(), other: table("u"))
    let text = Array(cursor.description)
    var acceptedCount = 0
    for index in text.indices {
      for letter in ["A", "z", "-", "9"] as [Character] where text[index] != letter {
        var changed = text
        changed[index] = letter
        guard let other = try? Cursor(parsing: String(changed)) else { continue }
        #expect(other != cursor)
        let request = FetchRequest(sortedBy: sort, after: other)
        #expect(throws: QueryError.self) { try request.resolved(in: tables.other) }
        // What a cursor says of its table and its sort are its first eight bytes, which eleven letters hold.
        let isAccepted = (try? request.resolved(in: tables.own)) != nil
        #expect(!isAccepted || index >= 10)
        acceptedCount += isAccepted ? 1 : 0
      }
      #expect((try? Cursor(parsing: String(text[..<index]))) != cursor)
    }
    #expect(acceptedCount > 0)
  }

  @Test("it fits its own sort and table alone")
  func fingerprint() throws {
    let cursor = try Cursor(at: [7, "abc"], in: table(), sortedBy: .descending(key: "a"))
    _ = try FetchRequest(sortedBy: .descending(key: "a"), after: cursor).resolved(in: table())
    let others: [(AnySort, TableSchema)] = [
      (.ascending(key: "a"), try table()), (.descending(key: "a", nulls: .first), try table()),
      (.primaryKey, try table()), (.descending(key: "a") + .descending(key: "id"), try table()),
      (.descending(key: "a"), try table("u")),
    ]
    for (sort, table) in others {
      for request in [FetchRequest(sortedBy: sort, after: cursor), FetchRequest(sortedBy: sort, before: cursor)] {
        expectError(.invalidCursor, of: QueryError.self) { try request.resolved(in: table) }
      }
    }
  }

  @Test("a table without a key has no cursors")
  func keyless() throws {
    let table = try TableSchema("t", columns: [ColumnSchema("a", .text)], primaryKey: [])
    let cursor = try Cursor(at: ["x"], in: table, sortedBy: .primaryKey)
    expectError(.invalidCursor, of: QueryError.self) { try FetchRequest(after: cursor).resolved(in: table) }
  }
}
