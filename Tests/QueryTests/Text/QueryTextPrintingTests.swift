import Query
import Testing

@Suite struct QueryTextPrintingTests {
  static let queries = [
    QueryTextCase("true", .true),
    QueryTextCase("not false", !.false),
    QueryTextCase("weight = 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight != 90.0", .notEqual(key: "weight", value: 90.0)),
    QueryTextCase("weight < 90", .lessThan(key: "weight", value: 90)),
    QueryTextCase("weight <= 90", .lessThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight > 90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight >= 90", .greaterThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("not weight = 90", !.equal(key: "weight", value: 90)),
    QueryTextCase("attack = defense", .equal(key: "attack", otherKey: "defense")),
    QueryTextCase("type is null", .isNull(key: "type")),
    QueryTextCase("type is not null", .isNotNull(key: "type")),
    QueryTextCase("not type is null", !.isNull(key: "type")),
    QueryTextCase("not type is not null", !.isNotNull(key: "type")),
    QueryTextCase("type >= null", .greaterThanOrEqual(key: "type", value: Value.null)),
    QueryTextCase("legendary = 1", .equal(key: "legendary", value: true)),
    QueryTextCase("id between 1 and 100", .between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase("id not between a and \"b c\"", !.between(key: "id", lower: .key("a"), upper: .key("b c"))),
    QueryTextCase("type in ('fire', 'water')", .in(key: "type", values: ["fire", "water"])),
    QueryTextCase("type not in ()", !.in(key: "type", values: [String]())),
    QueryTextCase("not type not in (null)", !(!.in(key: "type", values: [nil] as [Int?]))),
    QueryTextCase("name contains 'a'", .contains(key: "name", value: "a")),
    QueryTextCase("name starts with 'a' ignoring case", .hasPrefix(key: "name", value: "a", ignoringCase: true)),
    QueryTextCase("name not ends with ''''", !.hasSuffix(key: "name", value: "'")),
    QueryTextCase("name not like 'a%' ignoring case", !.like(key: "name", value: "a%", ignoringCase: true)),
    QueryTextCase(
      "a = 1 and b = 2 and c = 3",
      .all(of: [.equal(key: "a", value: 1), .equal(key: "b", value: 2), .equal(key: "c", value: 3)])),
    QueryTextCase(
      "weight > 90 or not \"base attack\" is null",
      .greaterThan(key: "weight", value: 90) || !.isNull(key: "base attack")),
  ]

  @Test("A query is printed as the text that is read back as the same query", arguments: queries)
  func printing(_ example: QueryTextCase) throws {
    #expect(example.query.description == example.text)
    let query = try AnyQuery(parsing: example.text)
    #expect(query == example.query)
    #expect(query.description == example.text)
  }

  @Test("A query that can't be asked says why, and is never read back")
  func invalid() {
    let query = AnyQuery.true && !.equal(key: "weight", value: Double.nan)
    #expect(query.description == "true and not <NaN is no value that can be stored or compared with>")
    #expect(throws: ParseError.self) { try AnyQuery(parsing: query.description) }
  }

  @Test("A query that is joined with itself again and again is not written out")
  func astronomical() {
    var query = AnyQuery.true
    for _ in 0..<200 { query = query && query }
    #expect(query.description == "<more than 1000000 conditions>")
    #expect(throws: ParseError.self) { try AnyQuery(parsing: query.description) }
  }
}
