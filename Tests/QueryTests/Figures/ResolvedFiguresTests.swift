import Testing

@testable import Query

@Suite("Figures are worked out of rows")
struct ResolvedFiguresTests {
  private let table: TableSchema

  init() throws {
    table = try TableSchema(
      "t",
      columns: [
        ColumnSchema("group", .any, isNullable: true), ColumnSchema("integer", .integer, isNullable: true),
        ColumnSchema("real", .real, isNullable: true),
      ], primaryKey: [])
  }

  /// What a request gives, each group as its keys and its figures, so that 1 and 1.0 are told apart.
  private func answer(_ request: FigureRequest, _ rows: [[Value]]) throws -> [String] {
    try request.resolved(in: table).rows(of: rows).map { row in
      (row.keys + row.figures).map(\.description).joined(separator: " ")
    }
  }

  @Test("Of nothing, counts and sums are 0 and the rest is null; groups there are none")
  func nothing() throws {
    let figures: [AnyFigure] = [
      .count, .count(key: "real"), .sum(key: "integer"), .sum(key: "real"), .sum(key: "group"), .average(key: "real"),
      .min(key: "real"), .max(key: "group"),
    ]
    #expect(try answer(FigureRequest(figures), []) == ["0 0 0 0.0 0 null null null"])
    #expect(try answer(FigureRequest(figures), [[.null, .null, .null]]) == ["1 0 0 0.0 0 null null null"])
    #expect(try answer(FigureRequest(figures, groupedBy: ["group"]), []) == [])
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
        try answer(FigureRequest([.count], groupedBy: ["group"]), rows) == [
          "null 2", "0.0 1", "1 2", "2.0 2", "9007199254740992.0 1", "9007199254740993 1", "'A' 1", "'a' 1",
          "'e\u{301}' 1", "'é' 1", "x'61' 1",
        ])
      #expect(
        try answer(FigureRequest([.count], groupedBy: ["group"], sortedBy: .descending(.count), limit: 4), rows) == [
          "null 2", "1 2", "2.0 2", "0.0 1",
        ])
      #expect(
        try answer(FigureRequest([.min(key: "group"), .max(key: "group")]), rows) == ["0.0 x'61'"])
    }
  }

  @Test("Only the total of integers decides whether it overflows")
  func overflow() throws {
    let rows: [[Value]] = [Int64.max, .max, .min, 1].map { [.null, .integer($0), .null] }
    #expect(try answer(FigureRequest([.sum(key: "integer")]), rows) == ["\(Int64.max)"])
    #expect(try answer(FigureRequest([.average(key: "integer")]), rows) == ["2.305843009213694e+18"])
    let error = #expect(throws: FigureError.self) {
      try answer(FigureRequest([.count, .sum(key: "integer")]), rows + [rows[3]])
    }
    #expect(error?.code == .overflow)
    #expect(error?.summary == "sum(integer) overflows")
    let infinite = [[.null, .null, .real(.infinity)], [.null, .null, .real(-.infinity)]] as [[Value]]
    #expect(try answer(FigureRequest([.sum(key: "real")]), [infinite[0]]) == ["9e999"])
    let undefined = #expect(throws: FigureError.self) { try answer(FigureRequest([.average(key: "real")]), infinite) }
    #expect(undefined?.code == .notANumber)
  }

  @Test("A fault in any group is an error, also where the group would be left out")
  func faultsBeyondLimit() throws {
    let rows: [[Value]] = [[1, 1, .null], [2, .integer(.max), .null], [2, 1, .null]]
    let error = #expect(throws: FigureError.self) {
      try answer(FigureRequest([.sum(key: "integer")], groupedBy: ["group"], limit: 1), rows)
    }
    #expect(error?.code == .overflow)
  }

  @Test("Of a column of any kind, numbers alone are added; with a real among them the sum is a real")
  func mixed() throws {
    let rows: [[Value]] = ["1", .blob([1]), .integer(.max), .integer(.max), .null].map { [$0, .null, .null] }
    #expect(throws: FigureError.self) { try answer(FigureRequest([.sum(key: "group")]), rows) }
    #expect(try answer(FigureRequest([.average(key: "group")]), rows) == ["9.223372036854776e+18"])
    let request = FigureRequest([.sum(key: "group"), .count(key: "group")])
    #expect(try answer(request, rows + [[0.5, .null, .null]]) == ["1.8446744073709552e+19 5"])
  }
}
