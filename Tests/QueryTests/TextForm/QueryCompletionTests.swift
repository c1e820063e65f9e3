import Query
import Testing

@Suite("What a query may go on with")
struct QueryPlaceTests {
  static let places: [(text: String, expectation: QueryContinuation.Expectation, typed: String)] = [
    ("", .condition, ""), ("wei", .condition, "wei"), ("\"base att", .condition, "\"base att"),
    ("not ", .condition, ""),
    ("(", .condition, ""), ("weight ", .comparison(key: "weight", isNegated: false), ""),
    ("\"base attack\" ", .comparison(key: "base attack", isNegated: false), ""),
    ("weight not ", .comparison(key: "weight", isNegated: true), ""), ("weight >", .operand(key: "weight"), ""),
    ("weight > 9", .operand(key: "weight"), "9"), ("type = 'fi", .operand(key: "type"), "'fi"),
    ("type = 'it''s", .operand(key: "type"), "'it''s"), ("type = 'x' ", .connective(mayIgnoreCase: false), ""),
    ("a = b an", .connective(mayIgnoreCase: false), "an"), ("a = :n ", .connective(mayIgnoreCase: false), ""),
    ("a = b and ", .condition, ""), ("a = b or (c = d) ", .connective(mayIgnoreCase: false), ""), ("a is ", .null, ""),
    ("a is not ", .null, ""), ("a is not null ", .connective(mayIgnoreCase: false), ""), ("a in ", .list, ""),
    ("a in (", .element(key: "a"), ""), ("a in (1, 'x", .element(key: "a"), "'x"), ("a in (1 ", .separator, ""),
    ("a in () ", .connective(mayIgnoreCase: false), ""), ("a between ", .operand(key: "a"), ""),
    ("a between 1 ", .bound, ""), ("a between 1 and ", .operand(key: "a"), ""),
    ("a between 1 and 2 ", .connective(mayIgnoreCase: false), ""), ("a starts ", .with, ""),
    ("a ends with ", .text(key: "a"), ""), ("a like 'x' ", .connective(mayIgnoreCase: true), ""),
    ("a contains 'x' ignoring ", .ignoredCase, ""), ("true ", .connective(mayIgnoreCase: false), ""),
    ("= ", .nothing, ""),
    ("a b ", .nothing, ""), ("a = 1 2 ", .nothing, ""), ("a ; ", .nothing, ""),
  ]

  @Test("follows from what stands before", arguments: places)
  func place(text: String, expectation: QueryContinuation.Expectation, typed: String) {
    let place = QueryContinuation(after: text)
    #expect(place.expectation == expectation)
    #expect(place.typed == typed)
  }
}
