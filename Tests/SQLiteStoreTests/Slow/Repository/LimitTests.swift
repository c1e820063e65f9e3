import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("No query is too big to be answered or refused", .tags(.slow))
struct LimitTests {
  private let specimens: Specimens

  init() throws {
    specimens = try Specimens()
  }

  /// What SQLite's parser needs most room for.
  static let leaves: [AnyQuery] = [
    .notEqual(key: "text", value: "a"), !.in(key: "real", values: (0..<20).map { Double($0) + 0.5 }),
    !.hasSuffix(key: "any", value: "b", ignoringCase: true), .notEqual(key: "text", otherKey: "any"),
    !.between(key: "whole", lower: .key("real"), upper: .value(5)),
  ]

  @Test("the deepest query that is allowed runs, however it leans", arguments: leaves)
  func deepest(leaf: AnyQuery) throws {
    for leansLeft in [true, false] {
      let deepest = (0..<ResolvedQuery.maximumDepth).reduce(leaf) { query, level in
        let (lhs, rhs) = leansLeft ? (query, leaf) : (leaf, query)
        return level.isMultiple(of: 2) ? lhs && rhs : lhs || rhs
      }
      for query in [deepest, !deepest] {
        #expect(
          try specimens.sqlite.blocking.findAll(FetchRequest(query))
            == specimens.memory.blocking.findAll(FetchRequest(query)))
      }
      let tooDeep = leansLeft ? (deepest || leaf) && leaf : leaf && (leaf || deepest)
      #expect(throws: RepositoryError.self) { try specimens.sqlite.blocking.count(tooDeep) }
      #expect(throws: RepositoryError.self) { try specimens.memory.blocking.count(tooDeep) }
    }
  }

  @Test("a full tree of alternating connectives runs")
  func bushy() throws {
    func tree(_ depth: Int, _ number: Int) -> AnyQuery {
      if depth == 0 { return .notEqual(key: "whole", value: number) }
      let (lhs, rhs) = (tree(depth - 1, number * 2), tree(depth - 1, number * 2 + 1))
      return depth.isMultiple(of: 2) ? lhs && rhs : lhs || rhs
    }
    let depth = Effort.isFull ? 12 : 10
    for query in [tree(depth, 0), !tree(depth, 0)] {
      #expect(
        try specimens.sqlite.blocking.findAll(FetchRequest(query))
          == specimens.memory.blocking.findAll(FetchRequest(query)))
    }
  }

  @Test("chains of ten thousand equalities and more run")
  func equalities() throws {
    let terms = (0..<Effort.rounds(100_000)).map { AnyQuery.equal(key: "whole", value: $0) }
    let anyTerm = AnyQuery.any(of: terms + [.isNull(key: "whole"), .contains(key: "text", value: "a")])
    let noTerm = AnyQuery.all(of: terms.map { !$0 })
    for query in [anyTerm, !anyTerm, noTerm, !noTerm, .all(of: []), .any(of: [])] {
      #expect(
        try specimens.sqlite.blocking.findAll(FetchRequest(query))
          == specimens.memory.blocking.findAll(FetchRequest(query)))
    }
    #expect(try specimens.memory.blocking.count(anyTerm) == 7)
  }

  @Test("queries of any size are compiled and run on a small stack, or refused alike", arguments: Giant.allCases)
  func giants(giant: Giant) async throws {
    let result = await SmallStack.check {
      let table = try TableSchema(
        "giant",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("a", .integer, isNullable: true),
          ColumnSchema("b", .text, isNullable: true),
        ], primaryKey: ["id"])
      let (sqlite, memory) = try (
        SQLiteStore.inMemory().sqlRepository(Schema(table)), MemoryRepository(schema: Schema(table))
      )
      let text = Value.text(String(repeating: "a", count: 100_000))
      let rows = [[1, 1, text], [2, 2, "a"], [3, .null, .null], [4, 2_000_000, ""]] as [[Value]]
      for record in rows.map({ Record(values: $0, in: table) }) {
        try sqlite.blocking.save([record])
        try memory.blocking.save([record])
      }
      var checks: [String: Bool] = [:]
      for (name, query) in [("query", giant.query()), ("opposite", !giant.query())] {
        let answers = [
          Result { () throws(RepositoryError) in try sqlite.blocking.findAll(FetchRequest(query)) },
          Result { () throws(RepositoryError) in try memory.blocking.findAll(FetchRequest(query)) },
        ]
        switch (answers[0], answers[1]) {
        case (.success(let lhs), .success(let rhs)): checks[name] = lhs == rhs && giant.isAnswered
        case (.failure(let lhs), .failure(let rhs)):
          checks[name] = lhs.code == .invalidQuery && "\(lhs)" == "\(rhs)" && !giant.isAnswered
        default: checks[name] = false
        }
      }
      return checks
    }
    #expect(result == [])
  }

  @Test("a sort of thousands of keys runs, also from a cursor")
  func longSort() async throws {
    let specimens = specimens
    let result = await SmallStack.check {
      let keys = ["any", "text", "whole"]
      let sort = AnySort(
        (0..<Giant.levels).map { SortTerm(key: keys[$0 % 3], direction: .descending, nulls: .first) })
      let whole = try specimens.memory.blocking.findAll(FetchRequest(sortedBy: sort))
      let place = try Cursor(at: whole[2].values, in: specimens.table, sortedBy: sort)
      let request = FetchRequest(sortedBy: sort, after: place)
      return [
        "order": try specimens.sqlite.blocking.findAll(FetchRequest(sortedBy: sort)) == whole,
        "memory": try specimens.memory.blocking.findAll(request) == Array(whole.dropFirst(3)),
        "SQLite": try specimens.sqlite.blocking.findAll(request) == Array(whole.dropFirst(3)),
      ]
    }
    #expect(result == [])
  }

  /// A sort by different expressions.
  private func sort(_ count: Int) -> AnySort {
    AnySort((0..<count).map { SortTerm(.whole(plus: $0), direction: .descending, nulls: .first) })
  }

  @Test("a sort by different expressions runs up to a number, also from a cursor, and is refused from there on")
  func differentSorts() throws {
    let longest = sort(AnySort.maximumExpressionCount)
    let whole = try specimens.memory.blocking.findAll(FetchRequest(sortedBy: longest))
    let place = try Cursor(at: whole[2].values, in: specimens.table, sortedBy: longest)
    for request in [FetchRequest(sortedBy: longest), FetchRequest(sortedBy: longest, after: place)] {
      #expect(try specimens.sqlite.blocking.findAll(request) == specimens.memory.blocking.findAll(request))
    }
    for count in [AnySort.maximumExpressionCount + 1, 2_000] {
      let request = FetchRequest(sortedBy: sort(count))
      let summary = "the sort has more than 64 expressions and paths"
      expectError(.invalidQuery, summary) { try specimens.memory.blocking.findAll(request) }
      expectError(.invalidQuery, summary) { try specimens.sqlite.blocking.findAll(request) }
    }
  }

  @Test("a projection of as many expressions as it may have is sorted, is distinct or is the first of many groups")
  func longProjections() throws {
    let columns = (0..<ProjectionRequest.maximumColumnCount).map { ProjectedColumn(.whole(plus: $0), as: "c\($0)") }
    let keys = columns.map(\.expression)
    let longest = sort(AnySort.maximumExpressionCount)
    for request in [
      ProjectionRequest(columns, of: FetchRequest(sortedBy: longest)), ProjectionRequest(columns, isDistinct: true),
      ProjectionRequest(columns, groupLimit: GroupLimit(1, of: keys, sortedBy: longest)),
    ] {
      #expect(try specimens.sqlite.blocking.findRows(request) == specimens.memory.blocking.findRows(request))
    }
    let tooMany = ProjectionRequest(
      columns, groupLimit: GroupLimit(1, of: keys + [.whole(plus: 500)], sortedBy: .primaryKey))
    expectError(.invalidQuery, "the request groups by more than 500 keys") {
      try specimens.sqlite.blocking.findRows(tooMany)
    }
  }

  @Test("in a table of 2,000 columns without a key, a sort by each of them runs, and one by an expression is refused")
  func widestTable() throws {
    let columns = (0..<2_000).map { ColumnSchema("c\($0)", .integer) }
    let schema = Schema(try TableSchema("wide", columns: columns, primaryKey: []))
    let (sqlite, memory) = (try SQLiteStore.inMemory().sqlRepository(schema), try MemoryRepository(schema: schema))
    let byColumn = FetchRequest(sortedBy: .descending(key: "c7"))
    #expect(try sqlite.blocking.findAll(byColumn).isEmpty && memory.blocking.findAll(byColumn).isEmpty)
    let byExpression = FetchRequest(sortedBy: .ascending(-.key("c7")))
    expectError(.invalidQuery, "the sort has more than 2000 keys") { try sqlite.blocking.findAll(byExpression) }
    expectError(.invalidQuery, "the sort has more than 2000 keys") { try memory.blocking.findAll(byExpression) }
  }

  @Test("chains of different conditions run up to a number, and are refused from there on")
  func differentConditions() throws {
    let terms = (0..<ResolvedQuery.maximumDistinctConditionCount).map { AnyQuery.lessThan(key: "whole", value: $0) }
    for query in [AnyQuery.any(of: terms), .all(of: terms), !.any(of: terms)] {
      #expect(
        try specimens.sqlite.blocking.findAll(FetchRequest(query))
          == specimens.memory.blocking.findAll(FetchRequest(query)))
      let tooMany = query && .isNull(key: "text")
      #expect(throws: RepositoryError.self) { try specimens.memory.blocking.count(tooMany) }
      #expect(throws: RepositoryError.self) { try specimens.sqlite.blocking.count(tooMany) }
    }
  }

  @Test("long lists, texts and patterns: 100,000 values, 100 kB, or a tenth of that")
  func longValues() throws {
    let count = Effort.rounds(100_000)
    let text = String(repeating: "日", count: count / 3)
    let queries: [AnyQuery] = [
      .in(key: "whole", values: 0..<count), .in(key: "real", values: (0..<count).map { Double($0) / 10 }),
      .in(key: "text", values: (0..<count).map { "a\($0)" } + ["a\0b"]), .contains(key: "text", value: text),
      .hasPrefix(key: "text", value: text), .like(key: "text", value: String(repeating: "%a_", count: count / 3)),
      .equal(key: "text", value: text, or: .contains(key: "text", value: "a")),
    ]
    for query in queries {
      #expect(
        try specimens.sqlite.blocking.findAll(FetchRequest(query))
          == specimens.memory.blocking.findAll(FetchRequest(query)))
    }
  }
}

extension AnyExpression {
  fileprivate static func whole(plus number: Int) -> AnyExpression {
    .key("whole") + .value(number)
  }
}

extension AnyQuery {
  fileprivate static func equal(key: String, value: String, or other: AnyQuery) -> AnyQuery {
    .equal(key: key, value: value) || other
  }
}
