import Query
import Testing

@Suite("Conditions on groups and aggregates have a text form")
struct GroupTextTests {
  static let conditions: [(text: String, query: AnyQuery)] = [
    ("count() > 3", .compare(.group(.count), .greaterThan, 3)),
    ("count(name) = 0", .compare(.group(.count(key: "name")), .equal, 0)),
    ("countDistinct(name) = 1", .compare(.group(.countDistinct(key: "name")), .equal, 1)),
    ("count(where weight > 50) >= 1", .compare(.group(.count.where(heavy)), .greaterThanOrEqual, 1)),
    ("count(\"where\") = 1", .compare(.group(.count(key: "where")), .equal, 1)),
    (
      "sum(a + b where weight > 50) > 1",
      .compare(.group(AnyAggregate(.sum, of: .key("a") + .key("b"), where: heavy)), .greaterThan, 1)
    ),
    (
      "type != 'fire' and max(id) > min(id)",
      .notEqual(key: "type", value: "fire") && .compare(.group(.max(key: "id")), .greaterThan, .group(.min(key: "id")))
    ),
    ("sum(total) / count() > 5", .compare(.group(.sum(key: "total")) / .group(.count), .greaterThan, 5)),
    // Rows that refer to a row may be what is aggregated, or what rows are grouped by.
    ("count(track by album) > 1", .compare(related, .greaterThan, 1)),
    ("sum(count(track by album)) > 1", .compare(.group(AnyAggregate(.sum, of: related)), .greaterThan, 1)),
    (
      "max(album.title) = 'a'",
      .compare(.group(AnyAggregate(.max, of: .path("album", "title"))), .equal, AnyExpression(.value("a")))
    ),
  ]
  private static let heavy = AnyQuery.greaterThan(key: "weight", value: 50)
  private static let related = AnyExpression(.aggregate(.count, nil, RelatedRows("track", by: ["album"])))

  @Test("which is read back as it is printed, also in JSON", arguments: conditions.indices)
  func roundTrip(_ index: Int) throws {
    let (text, query) = Self.conditions[index]
    #expect(try AnyQuery(parsingHaving: text) == query)
    #expect(query.description == text.replacing("count(\"where\")", with: "count(where)") || query.description == text)
    #expect(try AnyQuery(parsingHaving: query.description) == query)
    let request = AggregateRequest(
      [.count, .sum(key: "total").where(Self.heavy), AnyAggregate(.max, of: .key("a") * 2)], of: Self.heavy,
      groupedBy: [.key("type"), .key("a") % 2], having: query, sortedBy: .descending(.count), limit: 5)
    #expect(try AggregateRequest(json: request.json) == request)
  }

  /// Aggregates that are read back only if a condition is told from a key, whatever either begins with.
  private static let aggregates: [AnyAggregate] = {
    let keys: [AnyExpression?] = [
      nil, .key("name"), .key("where"), .key("Where"), .key("of"), .key("where") - .key("id"), .key("where") + 1,
      .path("where", "name"), -.key("where"), related,
    ]
    let conditions: [AnyQuery] = [
      .true, heavy, .compare(-.key("id"), .notEqual, 1), .compare(-.key("where"), .lessThan, 1),
      .compare(-.key("id"), .notEqual, 1) && heavy, !heavy, .equal(key: "where", value: 1),
      .compare(.key("where") - 1, .equal, 1), .compare(AnyExpression(.value(-1)), .lessThan, .key("id")),
      .isNull(.path("where", "name")), .equal(key: "of", value: 1), .false,
    ]
    return AnyAggregate.Function.allCases.flatMap { function in
      keys.filter { function == .count || $0 != nil }.flatMap { key in
        conditions.map { AnyAggregate(function, of: key, where: $0) }
      }
    }
  }()

  @Test("An aggregate is read back, whatever its key and its condition begin with")
  func readBack() throws {
    for aggregate in Self.aggregates {
      let text = AnyExpression.group(aggregate).description
      #expect((try? AnyAggregate(parsing: text)) == aggregate, "\(text)")
      let query = AnyQuery.compare(.group(aggregate), .greaterThan, 0)
      #expect((try? AnyQuery(parsingHaving: query.description)) == query, "\(query)")
    }
  }

  @Test("Invalid text is an error at its position")
  func mistakes() {
    let cases: [(String, String)] = [
      ("sum() > 1", "expected a value or a key"), ("count(name > 1", "of the `(`"),
      ("medain(a) > 1", "expected a function"),
      ("count(where) > 1 and", "expected a condition"),
    ]
    for (text, message) in cases {
      let error = #expect(throws: ParseError.self) { try AnyQuery(parsingHaving: text) }
      #expect(
        error.map { "\($0)".contains(message) || message == "of the `(`" } == true,
        "\(text): \(error.map { "\($0)" } ?? "")")
    }
    #expect(throws: ParseError.self) { try AnyAggregate(parsing: "weight") }
    #expect(throws: ParseError.self) { try AnyQuery(parsing: "count() > 3") }
  }

  @Test("Parameters are values there, too")
  func parameters() throws {
    #expect(
      try AnyQuery(parsingHaving: "count(where weight > :w) > :n", parameters: ["n": 3, "w": 50])
        == .compare(.group(.count.where(Self.heavy)), .greaterThan, 3))
  }

  @Test(
    "JSON that makes no sense is refused",
    arguments: [
      #"{"version": 1, "aggregates": [{"aggregate": "sum"}]}"#,
      #"{"version": 1, "aggregates": [{"aggregate": "med"}]}"#,
      #"{"version": 1, "aggregates": {"aggregate": "count"}}"#,
      #"{"version": 1, "aggregates": [], "sort": {"key": "a"}}"#,
    ])
  func wrongJSON(_ json: String) {
    #expect(throws: JSONCodingError.self) { try AggregateRequest(json: json) }
  }
}
