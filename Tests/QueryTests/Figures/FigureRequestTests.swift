import Testing

@testable import Query

@Suite("Questions for figures are values, and are checked before anything runs")
struct FigureRequestTests {
  private static func table() throws -> TableSchema {
    try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("type", .text), ColumnSchema("weight", .real, isNullable: true),
        ColumnSchema("picture", .blob, isNullable: true), ColumnSchema("extra", .any, isNullable: true),
        ColumnSchema("name", .text, loose: "TEXT"), ColumnSchema("code", .integer, loose: "INT"),
      ], primaryKey: ["id"])
  }

  struct Refusal: CustomTestStringConvertible {
    let request: FigureRequest
    let code: QueryError.Code
    let summary: String
    let suggestion: String?
    var testDescription: String { summary }
  }

  static let refusals: [Refusal] = [
    Refusal(
      request: FigureRequest([.sum(key: "wieght")]), code: .unknownKey, summary: "no column wieght in pokemon",
      suggestion: "did you mean weight?"),
    Refusal(
      request: FigureRequest([.count], groupedBy: ["typ"]), code: .unknownKey, summary: "no column typ in pokemon",
      suggestion: "did you mean type?"),
    Refusal(
      request: FigureRequest([.sum(key: "type")]), code: .kindMismatch, summary: "type holds texts and has no sum",
      suggestion: "count, min and max take columns of every kind"),
    Refusal(
      request: FigureRequest([.average(key: "picture")]), code: .kindMismatch,
      summary: "picture holds blobs and has no average", suggestion: "count, min and max take columns of every kind"),
    Refusal(
      request: FigureRequest([.sum(key: "name")]), code: .kindMismatch,
      summary: "name holds texts and blobs and has no sum",
      suggestion: "count, min and max take columns of every kind"),
    Refusal(
      request: FigureRequest([.count], sortedBy: .descending(.max(key: "weight"))), code: .invalidFigure,
      summary: "groups can't be sorted by max(weight)", suggestion: "ask for that figure too"),
    Refusal(
      request: FigureRequest([]), code: .invalidFigure, summary: "no figure is asked for",
      suggestion: "ask for count, for instance"),
    Refusal(
      request: FigureRequest([.count], groupedBy: ["type"], limit: -1), code: .negativeRange,
      summary: "the limit -1 is negative", suggestion: "leave the limit out for all groups"),
    Refusal(
      request: FigureRequest(Array(repeating: .count, count: 500), groupedBy: ["type"]), code: .tooComplex,
      summary: "more than 500 figures and keys are asked for at once", suggestion: nil),
    Refusal(
      request: FigureRequest([.count], of: .equal(key: "type", value: 1)), code: .kindMismatch,
      summary: "type holds texts and can't be compared with a number", suggestion: "put the number in quotes"),
  ]

  @Test("What can't be asked is refused, with what to do about it", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let table = try Self.table()
    let error = #expect(throws: QueryError.self) { try refusal.request.resolved(in: table) }
    #expect(error?.code == refusal.code)
    #expect(error?.summary == refusal.summary)
    #expect(error?.suggestion == refusal.suggestion)
  }

  @Test(
    "Numbers may be added wherever there may be some",
    arguments: [AnyFigure.sum(key: "extra"), .average(key: "code"), .sum(key: "id"), .min(key: "picture")])
  func accepted(_ figure: AnyFigure) throws {
    _ = try FigureRequest([figure]).resolved(in: Self.table())
  }

  @Test("Keys that differ in their bytes alone are different")
  func equality() {
    #expect(AnyFigure.sum(key: "é") != .sum(key: "e\u{301}"))
    #expect(AnyFigure.count != .count(key: ""))
    #expect(FigureRequest([.count], groupedBy: ["é"]) != FigureRequest([.count], groupedBy: ["e\u{301}"]))
    #expect(FigureRequest([.count], groupedBy: ["é"]) == FigureRequest([.count], groupedBy: ["é"]))
    #expect(Set([AnyFigure.count, .count, .count(key: "a"), .min(key: "a")]).count == 3)
  }

  @Test("A figure is told as a heading")
  func description() {
    #expect(
      "\(AnyFigure.count) \(AnyFigure.count(key: "a")) \(AnyFigure.average(key: "b"))" == "count count(a) average(b)")
  }
}
