import Query
import Testing

/// A text and the query that it means.
struct QueryTextCase: CustomTestStringConvertible, Sendable {
  let text: String
  let query: AnyQuery

  init(_ text: String, _ query: AnyQuery) {
    (self.text, self.query) = (text, query)
  }

  var testDescription: String { text }
}

@Suite struct QueryTextParsingTests {
  static let comparisons = [
    QueryTextCase("weight = 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight == 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight != 90", .notEqual(key: "weight", value: 90)),
    QueryTextCase("weight <> 90", .notEqual(key: "weight", value: 90)),
    QueryTextCase("weight < 90", .lessThan(key: "weight", value: 90)),
    QueryTextCase("weight <= 90", .lessThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight > 90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight >= 90", .greaterThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight>90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight<-90", .lessThan(key: "weight", value: -90)),
    QueryTextCase("attack > defense", .greaterThan(key: "attack", otherKey: "defense")),
    QueryTextCase("attack=\"base attack\"", .equal(key: "attack", otherKey: "base attack")),
    QueryTextCase("type = fire", .equal(key: "type", otherKey: "fire")),
    QueryTextCase("type = \"fire\"", .equal(key: "type", otherKey: "fire")),
    QueryTextCase("type = 'fire'", .equal(key: "type", value: "fire")),
    QueryTextCase("type = null", .isNull(key: "type")),
    QueryTextCase("type != null", .isNotNull(key: "type")),
    QueryTextCase("type is null", .isNull(key: "type")),
    QueryTextCase("type is not null", .isNotNull(key: "type")),
    QueryTextCase("type < null", .lessThan(key: "type", value: Value.null)),
    QueryTextCase("isLegendary = true", .equal(key: "isLegendary", value: 1)),
    QueryTextCase("isLegendary = false", .equal(key: "isLegendary", value: 0)),
    QueryTextCase("true", .true),
    QueryTextCase("false", .false),
    QueryTextCase(" \t\r\n weight \n=\r90\t", .equal(key: "weight", value: 90)),
  ]

  static let otherConditions = [
    QueryTextCase("id between 1 and 100", .between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase(
      "id between low and \"high\"", .between(key: "id", lower: .key("low"), upper: .key("high"))),
    QueryTextCase("id between null and 5.5", .between(key: "id", lhs: Value.null, rhs: 5.5)),
    QueryTextCase("id not between 1 and 100", !.between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase("type in ()", .in(key: "type", values: [Value]())),
    QueryTextCase("type in ( )", .in(key: "type", values: [Value]())),
    QueryTextCase("type in('fire','water')", .in(key: "type", values: ["fire", "water"])),
    QueryTextCase(
      "type in (1, -2.5, 'a', x'', null, true)",
      .in(key: "type", values: [1, -2.5, "a", .blob([]), .null, 1] as [Value])),
    QueryTextCase("type not in ('fire')", !.in(key: "type", values: ["fire"])),
    QueryTextCase("name contains 'saur'", .contains(key: "name", value: "saur")),
    QueryTextCase("name starts with 'Char'", .hasPrefix(key: "name", value: "Char")),
    QueryTextCase("name starts\nwith'Char'", .hasPrefix(key: "name", value: "Char")),
    QueryTextCase("name ends with 'eon'", .hasSuffix(key: "name", value: "eon")),
    QueryTextCase("name like '%a_'", .like(key: "name", value: "%a_")),
    QueryTextCase("name not contains ''", !.contains(key: "name", value: "")),
    QueryTextCase("name not starts with 'a'", !.hasPrefix(key: "name", value: "a")),
    QueryTextCase("name not ends with 'a'", !.hasSuffix(key: "name", value: "a")),
    QueryTextCase("name not like 'a'", !.like(key: "name", value: "a")),
    QueryTextCase(
      "name contains 'ß' ignoring case", .contains(key: "name", value: "ß", ignoringCase: true)),
    QueryTextCase(
      "name not like 'a%' ignoring case and true", !.like(key: "name", value: "a%", ignoringCase: true) && .true),
  ]

  @Test("A text means the query that it says", arguments: comparisons + otherConditions)
  func parsing(_ example: QueryTextCase) throws {
    let query = try AnyQuery(parsing: example.text)
    #expect(query == example.query)
    #expect(query.description == example.query.description)
  }

  @Test(
    "Keywords may be in any case",
    arguments: [
      ("NOT id = 1 AND id Between 1 AND 2 Or TRUE", "not id = 1 and id between 1 and 2 or true"),
      ("a IS NULL and b Is Not Null", "a is null and b is not null"),
      ("a NOT IN (NULL, True, FALSE, X'AF')", "a not in (null, 1, 0, x'af')"),
      ("a CONTAINS '' Ignoring CASE", "a contains '' ignoring case"),
      ("a STARTS With '' or a eNDS wITH '' or a LIKE ''", "a starts with '' or a ends with '' or a like ''"),
    ])
  func keywordCase(text: String, description: String) throws {
    #expect(try AnyQuery(parsing: text).description == description)
  }

  @Test("The example of the design reads as it does there")
  func example() throws {
    let query = AnyQuery.between(key: "id", lhs: 1, rhs: 100) && .notEqual(key: "type", value: "fire")
    #expect(query.description == "id between 1 and 100 and type != 'fire'")
    #expect(try AnyQuery(parsing: query.description) == query)
  }

  @Test("The example of the documentation is true")
  func documentedExample() throws {
    let query = try AnyQuery(parsing: "weight > 90 and not type in ('fire', 'water')")
    #expect(query == (.greaterThan(key: "weight", value: 90) && !.in(key: "type", values: ["fire", "water"])))
  }
}
