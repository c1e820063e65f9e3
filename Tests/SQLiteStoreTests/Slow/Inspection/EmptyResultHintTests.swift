import Query
@testable import SQLInspection
@testable import SQLiteInspection
import Testing

@Suite("A hint for a query that finds nothing")
struct EmptyResultHintTests {
  private static let columns: [(ColumnSchema, [Value])] = [
    (ColumnSchema("id", .integer), [1, 2, 3]), (ColumnSchema("type", .text), ["fire", "water", "Grass"]),
    (ColumnSchema("code", .any, isNullable: true), [7, "8", .null]),
    (ColumnSchema("length", .integer, declaredType: "INT"), [7]),
    (ColumnSchema("place", .text), ["Cafe\u{301}"]), (ColumnSchema("many", .text), (0...1_000).map { .text("n\($0)") }),
  ]

  private func hints(_ text: String, isEmpty: Bool = false) throws -> [String] {
    let table = try TableSchema("t", columns: Self.columns.map(\.0), primaryKey: ["id"])
    let hints = EmptyResultHints(of: table) { column, body in
      for value in isEmpty ? [] : Self.columns[column].1 where !body(value) { return }
    }
    return hints.hints(for: try AnyQuery(parsing: text))
  }

  @Test(
    "names the value that was meant",
    arguments: [
      ("type = 'fier'", ["type has no 'fier'; did you mean 'fire'?"]),
      ("type = 'grass'", ["type has no 'grass'; did you mean 'Grass'?"]),
      ("type contains 'GRASS'", ["no type contains 'GRASS'; add `ignoring case` to ignore case"]),
      ("type = 'zzz'", ["type has no 'zzz'; the values are 'Grass', 'fire', 'water'"]),
      ("code = '7'", ["code has no '7'; did you mean the number 7, without quotes?"]),
      ("code = 8", ["code has no 8; did you mean the text '8'?"]),
      ("length > '5'", ["no length > '5'; did you mean the number 5, without quotes?"]),
      (
        "length between '5' and '8'", ["no length between '5' and '8'; did you mean the number 5, without quotes?"]
      ),
      ("length = '9'", ["length has no '9'; did you mean the number 9, without quotes?"]), ("length > 'a'", []),
      (
        "place = 'Café'",
        [
          "place has no 'Café'; the column has the other Unicode spelling: accented letters have two spellings, as one character or as two"
        ]
      ), ("type in ('fier', null)", ["type has no 'fier'; did you mean 'fire'?"]),
      ("type like 'wat_er'", []), ("code = 'zzz'", []), ("many = 'm1'", []),
      ("type = 'fire' and id > 5", []), ("not type = 'fier'", []), ("id = 9", []), ("gone = 'fier'", []),
    ])
  func hints(query: String, expected: [String]) throws {
    #expect(try hints(query) == expected)
  }

  @Test("tells of how many rows, where the table has more")
  func part() throws {
    let table = try TableSchema("t", columns: [ColumnSchema("type", .text)], primaryKey: ["type"])
    func hints(rowCount: Int) throws -> [String] {
      let hints = EmptyResultHints(of: table) { _, body in
        for _ in 0..<rowCount where !body("fire") { return }
      }
      return hints.hints(for: try AnyQuery(parsing: "type = 'fier'"))
    }
    #expect(try hints(rowCount: 100_000) == ["type has no 'fier'; did you mean 'fire'?"])
    #expect(
      try hints(rowCount: 100_001) == ["in the first 100000 rows, type has no 'fier'; did you mean 'fire'?"])
  }

  @Test("says that there are no rows")
  func empty() throws {
    #expect(try hints("type = 'fire'", isEmpty: true) == ["t has no rows"])
  }

  @Test("looks at the first rows of a table alone, as notes do", arguments: [Value.null, .integer(7), .real(0.5)])
  func bound(value: Value) throws {
    let columns = Self.columns.map(\.0) + [ColumnSchema("at", .text, isNullable: true)]
    let table = try TableSchema("t", columns: columns, primaryKey: ["id"])
    var longest = 0
    let source: EmptyResultHints.ColumnSource = { _, body in
      var count = 0
      while count < 1_000_000 {
        count += 1
        if !body(value) { break }
      }
      longest = max(longest, count)
    }
    let queries = [
      "type = 'fire'", "length > '5'", "at = '2024-01-01'", "at = '1.2.2024'", "code = '2024-01-01'",
      "type contains 'x'",
    ]
    for text in queries {
      let query = try AnyQuery(parsing: text)
      _ = EmptyResultHints(of: table, source).hints(for: query)
      _ = ComparisonNotes(of: table, source).notes(for: query, keys: ["type"])
      var reading = DateReading(of: table, forms: [("code", .unix)], source)
      _ = reading.read(query)
    }
    #expect(longest == ColumnValues.mostRows + 1)
  }
}
