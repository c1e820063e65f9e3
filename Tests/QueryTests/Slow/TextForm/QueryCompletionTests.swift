import Query
import Testing

@Suite("The possible continuations of a query")
struct QueryPlaceTests {
  static let places: [(text: String, expectation: QueryContinuation.Expectation, typed: String)] = [
    ("", .condition, ""), ("wei", .condition, "wei"), ("\"base att", .condition, "\"base att"),
    ("not ", .condition, ""),
    ("(", .condition, ""), ("weight ", .comparison(key: "weight", isNegated: false), ""),
    ("\"base attack\" ", .comparison(key: "base attack", isNegated: false), ""),
    ("weight not ", .comparison(key: "weight", isNegated: true), ""), ("weight >", .operand(key: "weight"), ""),
    ("weight > 9", .operand(key: "weight"), "9"), ("type = 'fi", .operand(key: "type"), "'fi"),
    ("type = 'it''s", .operand(key: "type"), "'it''s"), ("type = 'x' ", .connective(mayIgnoreCase: true), ""),
    ("a = b an", .connective(mayIgnoreCase: false), "an"), ("a = :n ", .connective(mayIgnoreCase: false), ""),
    ("a = b and ", .condition, ""), ("a = b or (c = d) ", .connective(mayIgnoreCase: false), ""), ("a is ", .null, ""),
    ("a is not ", .null, ""), ("a is not null ", .connective(mayIgnoreCase: false), ""), ("a in ", .list, ""),
    ("a in (", .element(key: "a"), ""), ("a in (1, 'x", .element(key: "a"), "'x"), ("a in (1 ", .separator, ""),
    ("a in () ", .connective(mayIgnoreCase: false), ""), ("a between ", .operand(key: "a"), ""),
    ("a between 1 ", .bound, ""), ("a between 1 and ", .operand(key: "a"), ""),
    ("a between 1 and 2 ", .connective(mayIgnoreCase: false), ""), ("a starts ", .with, ""),
    ("a ends with ", .text(key: "a"), ""), ("a like 'x' ", .connective(mayIgnoreCase: true), ""),
    ("a contains 'x' ignoring ", .ignoredCase, ""), ("a = 'x' ignoring ", .ignoredCase, ""),
    ("a between 'a' and 'b' ", .connective(mayIgnoreCase: true), ""),
    ("a = 5 ", .connective(mayIgnoreCase: false), ""), ("true ", .connective(mayIgnoreCase: false), ""),
    ("= ", .nothing, ""),
    ("album.", .step(of: "album"), ""), ("album.artist.na", .step(of: .init(["album", "artist"])), "na"),
    ("album.title ", .comparison(key: .init(["album", "title"]), isNegated: false), ""),
    ("a = album.", .step(of: "album"), ""), ("a = album.title ", .connective(mayIgnoreCase: false), ""),
    ("a / ", .argument, ""), ("a / 2 ", .comparison(key: computed, isNegated: false), ""),
    ("a / 2 > ", .operand(key: computed), ""),
    ("(a + b", .argument, "b"), ("(a + b) ", .comparison(key: computed, isNegated: false), ""),
    ("(a + b) / ", .argument, ""),
    ("a -1 ", .comparison(key: computed, isNegated: false), ""), ("a between b + 1 ", .bound, ""),
    ("length(", .argument, ""), ("length(name ", .endOfArgument, ""), ("length(name) > 2 and ", .condition, ""),
    ("coalesce(a, ", .argument, ""), ("if(", .condition, ""), ("if(a > 1, ", .argument, ""),
    ("if(a > 1, 'x', b) ", .comparison(key: computed, isNegated: false), ""), ("any ", .related, ""),
    ("no tr", .related, "tr"),
    ("any = 1 ", .connective(mayIgnoreCase: false), ""),
    ("any track ", .rows(isTable: true, isValue: false, isNested: true), ""),
    ("any track by ", .reference(of: "track"), ""),
    ("any track by album ", .rows(isTable: false, isValue: false, isNested: true), ""),
    ("any track by (room, number) ", .rows(isTable: false, isValue: false, isNested: true), ""),
    ("any track and ", .condition, ""), ("any track by album (length > 1) ", .connective(mayIgnoreCase: false), ""),
    ("count(", .aggregated(mayCountRows: true), ""), ("sum(", .aggregated(mayCountRows: false), ""),
    ("count(track ", .rows(isTable: true, isValue: true, isNested: false), ""),
    ("sum(length / 2 ", .rows(isTable: false, isValue: true, isNested: false), ""), ("sum(length of ", .related, ""),
    ("sum(length of track by album ", .rows(isTable: false, isValue: false, isNested: false), ""),
    ("sum(length of track) ", .comparison(key: computed, isNegated: false), ""),
    ("count(track where length > 1) > 2 ", .connective(mayIgnoreCase: false), ""),
    ("a b ", .nothing, ""), ("a = 1 2 ", .nothing, ""), ("a ; ", .nothing, ""),
  ]

  private static let computed = QueryContinuation.Subject([])

  @Test(
    "belongs to the rows of a table",
    arguments: [
      ("any track (", ["track"]), ("any track by album (album.", ["track"]),
      ("no album (any track (le", ["album", "track"]),
      ("no album (any track (length > 1) and ", ["album"]), ("count(track where ", ["track"]),
      ("count(track where length > 1) ", []), ("a = 1 and any track (b = 2) and ", []),
    ])
  func tables(text: String, tables: [String]) {
    #expect(QueryContinuation(after: text).tables == tables)
  }

  @Test("follows from what stands before", arguments: places)
  func place(text: String, expectation: QueryContinuation.Expectation, typed: String) {
    let place = QueryContinuation(after: text)
    #expect(place.expectation == expectation)
    #expect(place.typed == typed)
  }
}
