import Query
@_spi(RequestCompilation) import SQL
import Testing

@Suite("Requests of a shape that was seen before")
struct RequestCompilerTests {
  /// Two requests that differ in values alone, or nearly so.
  struct Pair: CustomTestStringConvertible {
    let name: String
    let requests: [FetchRequest]
    var testDescription: String { name }

    init(_ name: String, _ requests: FetchRequest...) {
      self.name = name
      self.requests = requests
    }

    init(_ name: String, _ requests: [FetchRequest]) {
      self.name = name
      self.requests = requests
    }

    init(_ name: String, _ queries: [AnyQuery]) {
      self.name = name
      requests = queries.map { FetchRequest($0) }
    }
  }

  private static let name = "name"
  private static let weight = "weight"

  static let pairs = [
    Pair(
      "comparisons",
      (1...3).map {
        .greaterThan(key: weight, value: Value.real(Double($0) / 2)) && .equal(key: "id", value: Value.integer($0))
      }),
    Pair(
      "the same condition twice",
      [
        .equal(key: "id", value: Value.integer(1)) && .equal(key: "id", value: Value.integer(1)),
        .equal(key: "id", value: Value.integer(1)) && .equal(key: "id", value: Value.integer(2)),
        .equal(key: "id", value: Value.integer(3)) && .equal(key: "id", value: Value.integer(2)),
      ]),
    Pair(
      "numbers of several cases",
      [
        .equal(key: weight, value: Value.integer(1)), .equal(key: weight, value: Value.real(1)),
        .equal(key: weight, value: Value.integer(.max)), .equal(key: weight, value: Value.real(0.5)),
        .equal(key: "id", value: Value.real(2)), .equal(key: "id", value: Value.real(2.5)),
        .equal(key: "id", value: Value.integer(.max)), .equal(key: "id", value: Value.real(1e300)),
      ]),
    Pair(
      "nulls",
      [
        .equal(key: weight, value: Value.null), .equal(key: weight, value: Value.real(3.5)),
        .lessThan(key: weight, value: Value.null), .notEqual(key: weight, value: Value.null),
        !(.lessThan(key: weight, value: Value.null)), !(.lessThan(key: weight, value: Value.real(1.5))),
      ]),
    Pair(
      "bounds",
      [
        .between(key: weight, lhs: 1.5, rhs: 2.5), .between(key: weight, lhs: 3.5, rhs: 0.5),
        .between(key: weight, lhs: Value.null, rhs: Value.real(2.5)),
        .between(key: weight, lhs: Value.real(2.5), rhs: Value.null), !(.between(key: weight, lhs: 1.5, rhs: 2.5)),
      ]),
    Pair(
      "lists",
      [
        .in(key: "id", values: [Value.integer(1), .integer(2), .integer(3)]),
        .in(key: "id", values: [Value.integer(4), .integer(4), .integer(5)]),
        .in(key: "id", values: [Value.integer(4), .real(2.5), .integer(5)]),
        .in(key: "id", values: [Value.integer(4), .real(2), .integer(5)]),
        .in(key: weight, values: [Value.null, .real(2), .integer(5)]), .in(key: weight, values: [Value.null]),
        .in(key: weight, values: [Value]()), !(.in(key: weight, values: [Value.null, .real(2.5)])),
        .in(key: "id", values: (0..<20).map { Value.integer($0) }),
        .in(key: "id", values: (20..<40).map { Value.integer($0) }),
      ]),
    Pair(
      "texts",
      ["a", "b", "", "é", "\u{10FFFF}", "a\0b", "%"].flatMap { text in
        [
          AnyQuery.hasPrefix(key: name, value: text), .hasSuffix(key: name, value: text),
          .contains(key: name, value: text),
          .like(key: name, value: text), !(.hasPrefix(key: name, value: text)),
          .contains(key: name, value: text, ignoringCase: true), .hasPrefix(key: name, value: text, ignoringCase: true),
        ]
      }),
    Pair(
      "connectives whose members change places",
      (1...3).map { number in
        .equal(key: "id", value: Value.integer(number))
          && (.equal(key: "id", value: Value.integer(number + 1))
            || (.equal(key: "id", value: Value.integer(number))
              && (.equal(key: "id", value: Value.integer(7)) || .equal(key: name, value: Value.text("x")))))
      }),
    Pair(
      "connectives that decide or merge",
      [
        .true && .equal(key: "id", value: Value.integer(1)), .false && .equal(key: "id", value: Value.integer(1)),
        .any(of: (0..<100).map { .equal(key: "id", value: Value.integer($0)) }),
        .any(of: (0..<100).map { .equal(key: "id", value: Value.integer($0 / 2)) }),
      ]),
    Pair("numbers that a column can't hold", unholdableNumbers()),
    Pair("texts that a column can't hold", unholdableTexts()),
    Pair(
      "ranges", FetchRequest(limit: 3), FetchRequest(limit: 4), FetchRequest(limit: 0), FetchRequest(offset: 2),
      FetchRequest(limit: 3, offset: 2), FetchRequest(limit: 5, offset: 1)),
    Pair(
      "sorts", FetchRequest(sortedBy: .ascending(key: weight)), FetchRequest(sortedBy: .descending(key: weight)),
      FetchRequest(sortedBy: .ascending(key: weight, nulls: .last)),
      FetchRequest(sortedBy: .ascending(key: name) + .ascending(key: weight))),
  ]

  /// Requests with expressions: their values are bound like others, or are a part of what a plan is known by.
  static let computed = [
    Pair(
      "values beside expressions",
      texts(
        "weight + 1 > 3.5", "weight + 1 > 4.5", "weight + 2 > 4.5", "weight + 1.0 > 4.5", "id + 1 > 3.5", "id + 1 > 3",
        "3 < id + 1", "id < 5 and id + 1 > 3", "id < 6 and id + 1 > 4", "id + 1 > 3 and id < 5")),
    Pair(
      "what is the same for every row",
      texts(
        "id > 2 and 1 + 1 = 2 and weight > 3.5", "id > 3 and 1 + 1 = 2 and weight > 4.5",
        "id > 2 and id / 0 > 1 and weight > 3.5", "id > 3 and id / 0 > 2 and weight > 4.5",
        "id > 2 and id / 2 > 1 and weight > 3.5", "id > 3 and id / 3 > 2 and weight > 4.5",
        "id > 1 + 1 and weight > 3.5", "id > 2 + 2 and weight > 4.5", "1 + 2 + id > 4", "2 + 3 + id > 4",
        "if(id > 1, null, null) = 3 and weight > 3.5", "id between 1 + 1 and 7 and weight > 3.5",
        "id between 2 + 1 and 8 and weight > 4.5")),
    Pair(
      "texts and lists",
      texts(
        "name || 'x' starts with 'a'", "name || 'x' starts with 'b'", "name || 'y' starts with 'b'",
        "length(name) in (1, 2, 3)", "length(name) in (4, 5, 6)", "length(name) in (4, 5, null)",
        "name || 'x' contains 'a' ignoring case", "name || 'x' contains 'é' ignoring case")),
    Pair(
      "conditions within expressions",
      texts(
        "if(id > 1 and name in ('a', 'b'), 1, 2) = 1 and id < 7",
        "if(id > 1 and name in ('a', 'b'), 1, 2) = 2 and id < 8",
        "if(id > 2 and name in ('a', 'b'), 1, 2) = 2 and id < 8", "if(id > 2 and name in ('a', 'c'), 1, 2) = 2",
        "if(name starts with 'a', weight, height) between 1.5 and 2.5",
        "if(name starts with 'b', weight, height) between 1.5 and 3.5",
        "if(name starts with 'a', weight, height) between 2.5 and 3.5", "coalesce(weight, height, 1.5) > 2.5",
        "coalesce(weight, height, 1.5) > 3.5", "-(id + 7) = 3 and id in (1, 2)", "-(id + 7) = 4 and id in (1, 3)")),
    Pair(
      "sorts",
      ["weight + 1", "-weight - 1", "length(name)", "-length(name)", "weight + 2"].flatMap { sort in
        [1, 2].map { id in (AnyQuery.greaterThan(key: "id", value: id), sort) }
      }.map { query, sort in
        FetchRequest(query, sortedBy: (try? AnySort(parsing: sort)) ?? AnySort([]), limit: 3)
      }),
  ]

  private static func texts(_ queries: String...) -> [AnyQuery] {
    queries.map { (try? AnyQuery(parsing: $0)) ?? .false }
  }

  private static func unholdableNumbers() -> [AnyQuery] {
    var queries: [AnyQuery] = []
    for real in [2.5, 1e300, -1e300, 3.5, .infinity] as [Double] {
      for comparisonOperator in ComparisonOperator.allCases {
        queries.append(.compare(key: "id", comparisonOperator, value: real))
      }
      queries.append(.between(key: "id", lhs: real, rhs: 7.5))
      queries.append(.between(key: "id", lhs: -7.5, rhs: real))
      queries.append(.in(key: "id", values: [real]))
      queries.append(!.in(key: "id", values: [real, 1.0]))
    }
    for integer in [9_007_199_254_740_993, .max, .min + 1, 5] as [Int64] {
      for comparisonOperator in ComparisonOperator.allCases {
        queries.append(.compare(key: weight, comparisonOperator, value: integer))
      }
      queries.append(.between(key: "height", lhs: integer, rhs: 7 as Int64))
      queries.append(!.between(key: "height", lhs: 7 as Int64, rhs: integer))
    }
    return queries
  }

  private static func unholdableTexts() -> [AnyQuery] {
    var queries: [AnyQuery] = []
    for text in ["a", "b!c", "d", "!"] {
      for comparisonOperator in ComparisonOperator.allCases {
        queries.append(.compare(key: name, comparisonOperator, value: text))
      }
      queries.append(.between(key: name, lhs: text, rhs: "x"))
      queries.append(!.between(key: name, lhs: "x", rhs: text))
      queries.append(.in(key: name, values: [text]))
      queries.append(!.in(key: "habitat", values: [text, nil]))
    }
    return queries
  }

  @Test("become what the compiler makes of each", arguments: pairs + computed)
  func same(_ pair: Pair) throws {
    for dialect: any Dialect in [SQLiteDialect(), PostgresDialect(), NonsenseDialect()] { try check(pair, in: dialect) }
  }

  private func check(_ pair: Pair, in dialect: any Dialect) throws {
    let table = try pokemonTable()
    let requests = RequestCompiler(for: dialect, table: table)
    let compiler = Compiler(for: dialect)
    // Backwards too, so that each is the first of its shape once and not the first once.
    for request in pair.requests + pair.requests.reversed() {
      let expected = compiler.select(try request.resolved(in: table))
      let found = try requests.select(request).statement
      #expect(found.sql == expected.sql)
      #expect(found.bindings.map { "\($0)" } == expected.bindings.map { "\($0)" })
      #expect(found.lists == expected.lists)
      let count = compiler.count(try request.query.resolved(in: table))
      #expect(try requests.count(request.query) == count)
    }
  }

  @Test("are refused as the first of their shape would be")
  func refused() throws {
    let requests = RequestCompiler(for: SQLiteDialect(), table: try pokemonTable())
    _ = try requests.select(FetchRequest(.equal(key: "weight", value: Value.real(1.5)), limit: 1))
    for request in [
      FetchRequest(.equal(key: "weight", value: Value.real(.nan)), limit: 1),
      FetchRequest(.equal(key: "weight", value: Value.text("a")), limit: 1),
      FetchRequest(.equal(key: "weight", value: Value.real(1.5)), limit: -1),
      FetchRequest(.equal(key: "width", value: Value.real(1.5)), limit: 1),
    ] {
      #expect(throws: QueryError.self) { try requests.select(request) }
    }
  }

  @Test("with a cursor begin where they are told, forwards and backwards")
  func cursors() throws {
    let table = try pokemonTable()
    let requests = RequestCompiler(for: SQLiteDialect(), table: table)
    let compiler = Compiler(for: SQLiteDialect())
    let sort = AnySort.descending(key: "height")
    let query = AnyQuery.notEqual(key: "name", value: Value.text("x"))
    for height in [Value.real(1.5), .real(2.5), .null, .real(1.5)] {
      let row = table.columns.map { $0.name == "height" ? height : $0.name == "id" ? .integer(3) : .null }
      let cursor = try Cursor(at: row, in: table, sortedBy: sort)
      for request in [
        FetchRequest(query, sortedBy: sort, limit: 20, after: cursor),
        FetchRequest(query, sortedBy: sort, limit: 20, before: cursor),
        FetchRequest(sortedBy: sort, after: cursor, before: cursor),
      ] {
        let expected = compiler.select(try request.resolved(in: table))
        let (found, isReversed) = try requests.select(request)
        #expect(found.sql == expected.sql)
        #expect(found.bindings.map { "\($0)" } == expected.bindings.map { "\($0)" })
        #expect(isReversed == (try request.resolved(in: table).isReversed))
      }
    }
  }
}
