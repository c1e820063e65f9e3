import Query
import Testing

@Suite("Expressions as text")
struct ExpressionTextTests {
  static let forms = [
    "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "-a * 2", "-(5)", "-(a + b)", "a - -b", "a % 2 / 3",
    "name || ' ' || \"base attack\"", "length(folded(name))", "coalesce(a, b, 0)", "if(a > 1 and not b = 2, a, -1)",
    "album.artist.name", "\"al.bum\".title", "count(track)", "count(track by album where length > 3)",
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
  }
}
