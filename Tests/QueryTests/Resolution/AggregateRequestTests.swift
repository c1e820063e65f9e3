@testable import Query
import TestSupport
import Testing

@Suite("Questions for aggregates are values, and are checked before anything runs")
struct AggregateRequestTests {
  private static func table() throws -> TableSchema {
    try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("type", .text), ColumnSchema("weight", .real, isNullable: true),
        ColumnSchema("picture", .blob, isNullable: true), ColumnSchema("extra", .any, isNullable: true),
        ColumnSchema("name", .text, declaredType: "TEXT"), ColumnSchema("code", .integer, declaredType: "INT"),
      ], primaryKey: ["id"])
  }

  struct Refusal: CustomTestStringConvertible {
    let request: AggregateRequest
    let code: QueryError.Code
    let summary: String
    let suggestion: String?
    var testDescription: String { summary }
  }

  static let refusals: [Refusal] = [
    Refusal(
      request: AggregateRequest([.sum(key: "wieght")]), code: .unknownKey, summary: "no column wieght in pokemon",
      suggestion: "did you mean weight?"),
    Refusal(
      request: AggregateRequest([.count], groupedBy: ["typ"]), code: .unknownKey, summary: "no column typ in pokemon",
      suggestion: "did you mean type?"),
    Refusal(
      request: AggregateRequest([.sum(key: "type")]), code: .kindMismatch, summary: "type stores text and has no sum",
      suggestion: "count, min and max accept columns of every kind"),
    Refusal(
      request: AggregateRequest([.average(key: "picture")]), code: .kindMismatch,
      summary: "picture stores blobs and has no average", suggestion: "count, min and max accept columns of every kind"),
    Refusal(
      request: AggregateRequest([.sum(key: "name")]), code: .kindMismatch,
      summary: "name stores text and has no sum",
      suggestion: "count, min and max accept columns of every kind"),
    Refusal(
      request: AggregateRequest([.count], sortedBy: .descending(.max(key: "weight"))), code: .invalidAggregate,
      summary: "can't sort groups by max(weight), which is not an aggregate of the request",
      suggestion: "add max(weight) to the aggregates"),
    Refusal(
      request: AggregateRequest([]), code: .invalidAggregate, summary: "the request has no aggregate",
      suggestion: "add an aggregate such as count"),
    Refusal(
      request: AggregateRequest([.count], groupedBy: ["type"], limit: -1), code: .negativeRange,
      summary: "the limit -1 is negative", suggestion: "omit the limit for all groups"),
    Refusal(
      request: AggregateRequest(Array(repeating: .count, count: 500), groupedBy: ["type"]), code: .tooComplex,
      summary: "the request has more than 500 aggregates and keys", suggestion: nil),
    Refusal(
      request: AggregateRequest([.count], of: .equal(key: "type", value: 1)), code: .kindMismatch,
      summary: "can't compare type, which stores text, with a number", suggestion: "put the number in quotes"),
  ]

  @Test("Invalid requests are refused, with advice", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let table = try Self.table()
    expectError(refusal.code, of: QueryError.self, summary: refusal.summary, suggestion: refusal.suggestion) {
      try refusal.request.resolved(in: table)
    }
  }

  @Test(
    "Numbers may be added wherever there may be some",
    arguments: [AnyAggregate.sum(key: "extra"), .average(key: "code"), .sum(key: "id"), .min(key: "picture")])
  func accepted(_ aggregate: AnyAggregate) throws {
    _ = try AggregateRequest([aggregate]).resolved(in: Self.table())
  }

  @Test("Keys that differ in their bytes alone are different")
  func equality() {
    #expect(AnyAggregate.sum(key: "é") != .sum(key: "e\u{301}"))
    #expect(AnyAggregate.count != .count(key: ""))
    #expect(AggregateRequest([.count], groupedBy: ["é"]) != AggregateRequest([.count], groupedBy: ["e\u{301}"]))
    #expect(AggregateRequest([.count], groupedBy: ["é"]) == AggregateRequest([.count], groupedBy: ["é"]))
    #expect(Set([AnyAggregate.count, .count, .count(key: "a"), .min(key: "a")]).count == 3)
  }

  @Test("An aggregate is told as a heading")
  func description() {
    #expect(
      "\(AnyAggregate.count) \(AnyAggregate.count(key: "a")) \(AnyAggregate.average(key: "b"))"
        == "count count(a) average(b)")
  }
}

@Suite("Aggregates are worked out of rows")
struct ResolvedAggregatesTests {
  private let table: TableSchema

  init() throws {
    table = try TableSchema(
      "t",
      columns: [
        ColumnSchema("group", .any, isNullable: true), ColumnSchema("integer", .integer, isNullable: true),
        ColumnSchema("real", .real, isNullable: true),
      ], primaryKey: [])
  }

  /// What a request gives, each group as its keys and its aggregates, so that 1 and 1.0 are told apart.
  private func answer(_ request: AggregateRequest, _ rows: [[Value]]) throws -> [String] {
    try request.resolved(in: table).rows(of: rows).map { row in
      (row.keys + row.aggregates).map(\.description).joined(separator: " ")
    }
  }

  @Test("Of nothing, counts and sums are 0 and the rest is null; groups there are none")
  func nothing() throws {
    let aggregates: [AnyAggregate] = [
      .count, .count(key: "real"), .sum(key: "integer"), .sum(key: "real"), .sum(key: "group"), .average(key: "real"),
      .min(key: "real"), .max(key: "group"),
    ]
    #expect(try answer(AggregateRequest(aggregates), []) == ["0 0 0 0.0 0 null null null"])
    #expect(try answer(AggregateRequest(aggregates), [[.null, .null, .null]]) == ["1 0 0 0.0 0 null null null"])
    #expect(try answer(AggregateRequest(aggregates, groupedBy: ["group"]), []) == [])
  }

  @Test("Groups have one order and one spelling, whatever the order of the rows")
  func groups() throws {
    let keys: [Value] = [
      "a", 1.0, .null, 1, "A", .blob([97]), 2.0, -0.0, .null, "e\u{301}", "é", 2.0, 9_007_199_254_740_993,
      9_007_199_254_740_992.0,
    ]
    for keys in [keys, keys.reversed()] {
      let rows = keys.map { [$0, 1, .null] }
      #expect(
        try answer(AggregateRequest([.count], groupedBy: ["group"]), rows) == [
          "null 2", "0.0 1", "1 2", "2.0 2", "9007199254740992.0 1", "9007199254740993 1", "'A' 1", "'a' 1",
          "'e\u{301}' 1", "'é' 1", "x'61' 1",
        ])
      #expect(
        try answer(AggregateRequest([.count], groupedBy: ["group"], sortedBy: .descending(.count), limit: 4), rows) == [
          "null 2", "1 2", "2.0 2", "0.0 1",
        ])
      #expect(
        try answer(AggregateRequest([.min(key: "group"), .max(key: "group")]), rows) == ["0.0 x'61'"])
    }
  }

  @Test("Different values are counted as they compare, and null is none")
  func differentValues() throws {
    let rows: [[Value]] = [[1, 1, .null], [1.0, 2, .null], [.null, 1, .null], ["1", .null, .null]]
    #expect(
      try answer(
        AggregateRequest([.countDistinct(key: "group"), .countDistinct(key: "integer"), .countDistinct(key: "real")]),
        rows)
        == ["2 2 0"])
  }

  @Test("Only the total of integers decides whether it overflows")
  func overflow() throws {
    let rows: [[Value]] = [Int64.max, .max, .min, 1].map { [.null, .integer($0), .null] }
    #expect(try answer(AggregateRequest([.sum(key: "integer")]), rows) == ["\(Int64.max)"])
    #expect(try answer(AggregateRequest([.average(key: "integer")]), rows) == ["2.305843009213694e+18"])
    let error = #expect(throws: AggregateError.self) {
      try answer(AggregateRequest([.count, .sum(key: "integer")]), rows + [rows[3]])
    }
    #expect(error?.code == .overflow)
    #expect(error?.summary == "sum(integer) overflows")
    let infinite = [[.null, .null, .real(.infinity)], [.null, .null, .real(-.infinity)]] as [[Value]]
    #expect(try answer(AggregateRequest([.sum(key: "real")]), [infinite[0]]) == ["9e999"])
    let undefined = #expect(throws: AggregateError.self) {
      try answer(AggregateRequest([.average(key: "real")]), infinite)
    }
    #expect(undefined?.code == .notANumber)
  }

  @Test("A fault in any group is an error, also where the group would be left out")
  func faultsBeyondLimit() throws {
    let rows: [[Value]] = [[1, 1, .null], [2, .integer(.max), .null], [2, 1, .null]]
    let error = #expect(throws: AggregateError.self) {
      try answer(AggregateRequest([.sum(key: "integer")], groupedBy: ["group"], limit: 1), rows)
    }
    #expect(error?.code == .overflow)
  }

  @Test("Of a column of any kind, numbers alone are added; with a real among them the sum is a real")
  func mixed() throws {
    let rows: [[Value]] = ["1", .blob([1]), .integer(.max), .integer(.max), .null].map { [$0, .null, .null] }
    #expect(throws: AggregateError.self) { try answer(AggregateRequest([.sum(key: "group")]), rows) }
    #expect(try answer(AggregateRequest([.average(key: "group")]), rows) == ["9.223372036854776e+18"])
    let request = AggregateRequest([.sum(key: "group"), .count(key: "group")])
    #expect(try answer(request, rows + [[0.5, .null, .null]]) == ["1.8446744073709552e+19 5"])
  }
}
