import Foundation
import Query
import Testing

@Suite("Expressions as text")
struct ExpressionTextTests {
  static let forms = [
    "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "-a * 2", "-(5)", "-(a + b)", "a - -b", "-(-a)",
    "a - -(-b)", "a % 2 / 3",
    "name || ' ' || \"base attack\"", "length(folded(name))", "coalesce(a, b, 0)", "if(a > 1 and not b = 2, a, -1)",
    "data.tags[0].name", "data[1][20]", "data.\"007\"", "data.\"a b\"[3]", "album.artist.name", "\"al.bum\".title",
    "count(track)", "count(track by album where length > 3)",
    "sum(length / 2 of track by (room, number) where name = 'x')", "year(born) + 1", "a + 9e999", "a - 1.5",
  ]

  @Test("are read back from their text, also within queries and sorts", arguments: forms)
  func roundTrip(text: String) throws {
    let expression = try AnyExpression(parsing: text)
    #expect(expression.description == text)
    let query = AnyQuery.compare(expression, .greaterThan, .key("z") + 1)
    #expect(try AnyQuery(parsing: query.description) == query)
    #expect(try AnyQuery(json: query.json) == query)
    for sort in [AnySort.ascending(expression), .descending(expression, nulls: .first)] {
      #expect(try AnySort(parsing: sort.description) == sort, "\(sort)")
      #expect(try AnySort(json: sort.json) == sort, "\(sort)")
    }
  }

  @Test(
    "may begin with a value or a sign, also in sorts",
    arguments: [
      AnyExpression(.value(2)) * .key("a"), -.key("a"), -.key("a") * 2, AnyExpression(.value("x")) + .key("a"),
    ])
  func beginnings(expression: AnyExpression) throws {
    for sort in [AnySort.ascending(expression), .descending(expression)] {
      #expect(try AnySort(parsing: sort.description) == sort, "\(sort)")
    }
  }

  @Test("mean the same in several spellings")
  func spellings() throws {
    for (text, same) in [
      ("a -1", "a - 1"), ("a-1", "a - 1"), ("a -0", "a - 0"), ("((a))", "a"), ("5 < a", "5 < a"),
      ("(a + b) > 1", "a + b > 1"),
      ("((a > 1) and (b) = 2)", "a > 1 and b = 2"), ("LENGTH(a) = 1", "length(a) = 1"),
    ] {
      if text.contains(where: { "<>=".contains($0) }) {
        #expect(try AnyQuery(parsing: text).description == same)
      } else {
        #expect(try AnyExpression(parsing: text).description == same)
      }
    }
  }

  @Test("hold the time at which they are read")
  func now() throws {
    let start = Date()
    let query = try AnyQuery(parsing: "born < now and date(born) != TODAY and born in (today) and \"now\" < now")
    let end = Date()
    let constants = query.description.matches(of: /'([^']*)'/).map { String($0.1) }
    #expect(constants.count == 4 && constants[0] == constants[3] && constants[1] == constants[2])
    let read = try Date(value: .text(constants[0]))
    #expect(start.addingTimeInterval(-0.001) <= read && read <= end.addingTimeInterval(0.001))
    #expect(constants[1] == constants[0].prefix(10))
    #expect(query.description.hasSuffix("and \"now\" < '\(constants[0])'"))
    #expect(throws: ParseError.self) { try AnySort(parsing: "now") }
  }

  @Test("are refused with what may help")
  func refused() throws {
    for (text, position, found, suggestion) in [
      ("a = 1 -- the first", 6, "`--`", "remove the comment, or put a space between the signs"),
      ("a = 1--2", 5, "`--`", "remove the comment, or put a space between the signs"),
      ("--a = 1", 0, "`--`", "remove the comment, or put a space between the signs"),
      ("a between.5 and 1", 9, "`.5`", "write `0.5`"),
      ("lenght(a) > 1", 0, "`lenght`", "did you mean length?"),
      ("now() > a", 0, "`now`", "write now, without parentheses"),
    ] {
      let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: text) }
      #expect(error?.position == position && error?.found == found, "\(text)")
      #expect(error?.suggestion == suggestion, "\(text)")
    }
  }

  @Test("are refused where they are too deep or too long, without taking the stack")
  func limits() throws {
    for text in [
      String(repeating: "(", count: 20_000), String(repeating: "-", count: 20_000) + "a",
      String(repeating: "abs(", count: 100) + "a" + String(repeating: ")", count: 100),
      "a" + String(repeating: " + a", count: 600), Array(repeating: "a", count: 12).joined(separator: "."),
    ] {
      #expect(throws: ParseError.self) { try AnyExpression(parsing: text) }
    }
    let table = try TableSchema("t", columns: [ColumnSchema("a", .integer)], primaryKey: ["a"])
    let deep = try AnyQuery(
      parsing: String(repeating: "abs(", count: 14) + "a" + String(repeating: ")", count: 14) + " = 1")
    #expect(throws: QueryError.self) { try deep.resolved(in: table) }
    // What is sorted by leaves room for the conditions of a cursor.
    for (depth, isRefused) in [(8, false), (9, false), (10, true)] {
      let key = String(repeating: "abs(", count: depth) + "a" + String(repeating: ")", count: depth)
      let sort = try AnySort(parsing: "\(key) nulls last")
      let request = FetchRequest(sortedBy: sort)
      if isRefused {
        #expect(throws: QueryError.self) { try request.resolved(in: table) }
        continue
      }
      let cursor = try Cursor(at: [1], in: table, sortedBy: sort)
      #expect(throws: Never.self) { try FetchRequest(sortedBy: sort, after: cursor).resolved(in: table) }
    }
  }
}
