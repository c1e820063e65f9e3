import Query
import TestSupport
import Testing

@Suite("A sort is a list of keys")
struct AnySortTests {
  @Test("Nulls are the least values, unless something else is said")
  func defaults() {
    #expect(AnySort.ascending(key: "a").terms == [SortTerm(key: "a", direction: .ascending, nulls: .first)])
    #expect(AnySort.descending(key: "a").terms == [SortTerm(key: "a", direction: .descending, nulls: .last)])
    #expect(
      AnySort.ascending(key: "a", nulls: .last).terms == [SortTerm(key: "a", direction: .ascending, nulls: .last)])
    #expect(
      AnySort.descending(key: "a", nulls: .first).terms == [SortTerm(key: "a", direction: .descending, nulls: .first)])
    #expect(SortTerm.Direction.ascending.defaultNulls == .first)
    #expect(SortTerm.Direction.descending.defaultNulls == .last)
  }

  @Test("The order of the primary key is a sort without keys")
  func primaryKey() {
    #expect(AnySort.primaryKey.terms.isEmpty)
    #expect(AnySort.primaryKey + .ascending(key: "a") == .ascending(key: "a"))
    #expect(AnySort.ascending(key: "a") + .primaryKey == .ascending(key: "a"))
  }

  @Test("+ and > both put the left keys before the right ones")
  func joins() {
    let (a, b, c) = (
      AnySort.ascending(key: "a"), AnySort.descending(key: "b"), AnySort.ascending(key: "c", nulls: .last)
    )
    #expect((a + b).terms.map(\.key) == [.key("a"), .key("b")])
    #expect((a > b).terms.map(\.key) == [.key("a"), .key("b")])
    #expect((b > a) == b + a)
    #expect((a + b + c).terms == a.terms + b.terms + c.terms)
    #expect((a + b > c) == a + (b + c))
    #expect((a + a).terms.count == 2)
    var sort = a
    sort += b + c
    #expect(sort == a + b + c)
  }

  @Test("Sorts are equal whose terms are, in their order, with keys of the same bytes")
  func equality() {
    let sorts: [AnySort] = [
      .primaryKey, .ascending(key: "a"), .descending(key: "a"), .ascending(key: "a", nulls: .last),
      .descending(key: "a", nulls: .first), .ascending(key: "A"), .ascending(key: "a") + .ascending(key: "b"),
      .ascending(key: "b") + .ascending(key: "a"), .ascending(key: "\u{E9}"), .ascending(key: "e\u{301}"),
    ]
    for (index, lhs) in sorts.enumerated() {
      for (otherIndex, rhs) in sorts.enumerated() {
        #expect((lhs == rhs) == (index == otherIndex), "\(lhs.terms) and \(rhs.terms)")
      }
      #expect(lhs.hashValue == AnySort(lhs.terms).hashValue)
    }
    #expect(Set(sorts + sorts).count == sorts.count)
  }
}

@Suite("A sort that was found in a table gives every result one order")
struct ResolvedSortTests {
  /// The terms that a sort comes to, each as the column's name, "desc", and where nulls stand.
  static func terms(of sort: AnySort, in table: TableSchema) throws -> [String] {
    try resolved(sort, in: table).terms.map { term in
      table.columns[term.column].name + (term.direction == .descending ? " desc" : "")
        + (term.nulls == .first ? " nulls first" : " nulls last")
    }
  }

  static func resolved(_ sort: AnySort, in table: TableSchema) throws -> ResolvedSort {
    try FetchRequest(sortedBy: sort).resolved(in: table).sort
  }

  /// Columns b, a, name and k, of which a and b are the key, in this order.
  static func table() throws -> TableSchema {
    try TableSchema(
      "t",
      columns: [
        ColumnSchema("b", .integer), ColumnSchema("a", .integer), ColumnSchema("name", .text, isNullable: true),
        ColumnSchema("k", .any, isNullable: true),
      ], primaryKey: ["a", "b"])
  }

  @Test(
    "What was asked for comes first, then what is left of the primary key, in its own order",
    arguments: [
      (.primaryKey, ["a nulls first", "b nulls first"]),
      (.ascending(key: "name"), ["name nulls first", "a nulls first", "b nulls first"]),
      (
        .descending(key: "k") + .ascending(key: "name", nulls: .last),
        ["k desc nulls last", "name nulls last", "a nulls first", "b nulls first"]
      ),
      // A part of the primary key stays where it was asked for.
      (.descending(key: "b"), ["b desc nulls last", "a nulls first"]),
      (.descending(key: "b") + .ascending(key: "name"), ["b desc nulls last", "name nulls first", "a nulls first"]),
      (.ascending(key: "a") + .ascending(key: "b"), ["a nulls first", "b nulls first"]),
      // Of a key that stands twice, the first place counts.
      (
        .ascending(key: "name", nulls: .last) + .descending(key: "name") + .ascending(key: "name"),
        ["name nulls last", "a nulls first", "b nulls first"]
      ),
    ] as [(AnySort, [String])])
  func terms(sort: AnySort, terms: [String]) throws {
    #expect(try Self.terms(of: sort, in: Self.table()) == terms)
  }

  @Test("A column whose values are all different decides, unless it may be null")
  func uniqueColumns() throws {
    let columns = [
      ColumnSchema("id", .integer), ColumnSchema("code", .text, isUnique: true),
      ColumnSchema("nick", .text, isNullable: true, isUnique: true),
    ]
    let table = try TableSchema("t", columns: columns, primaryKey: ["id"])
    let sort = AnySort.ascending(key: "nick") + .ascending(key: "code") + .ascending(key: "nick")
    #expect(try Self.terms(of: sort, in: table) == ["nick nulls first", "code nulls first"])
    #expect(try Self.terms(of: .ascending(key: "nick"), in: table) == ["nick nulls first", "id nulls first"])
  }

  @Test("A table without a key is sorted by all of its columns at last")
  func keylessTable() throws {
    let table = try TableSchema.anything("x", "y", "z")
    #expect(try Self.terms(of: .primaryKey, in: table) == ["x nulls first", "y nulls first", "z nulls first"])
    #expect(
      try Self.terms(of: .descending(key: "y"), in: table) == ["y desc nulls last", "x nulls first", "z nulls first"])
  }

  @Test("A key that the table does not have is refused")
  func unknownKey() throws {
    expectError(.unknownKey, of: QueryError.self, suggestion: "did you mean name?") {
      try Self.resolved(.ascending(key: "nmae"), in: Self.table())
    }
  }

  @Test(
    "The four placements of null",
    arguments: [
      (.ascending(key: "k", nulls: .first), [.null, -1, 2.5, "a", .blob([0])]),
      (.ascending(key: "k", nulls: .last), [-1, 2.5, "a", .blob([0]), .null]),
      (.descending(key: "k", nulls: .first), [.null, .blob([0]), "a", 2.5, -1]),
      (.descending(key: "k", nulls: .last), [.blob([0]), "a", 2.5, -1, .null]),
      (.ascending(key: "k"), [.null, -1, 2.5, "a", .blob([0])]),
      (.descending(key: "k"), [.blob([0]), "a", 2.5, -1, .null]),
    ] as [(AnySort, [Value])])
  func nullPlacement(sort: AnySort, expected: [Value]) throws {
    let resolved = try Self.resolved(sort, in: .anything("k"))
    let rows = [["a"], [.null], [2.5], [.blob([0])], [-1]] as [[Value]]
    #expect(rows.sorted(by: resolved.areInIncreasingOrder) == expected.map { [$0] })
  }

  @Test("Rows whose keys are null on both sides are ordered by what follows")
  func nullsOnBothSides() throws {
    let resolved = try Self.resolved(.descending(key: "name", nulls: .first), in: Self.table())
    let rows = [[1, 2, .null, .null], [2, 1, .null, .null], [0, 2, .null, .null], [0, 0, "x", .null]] as [[Value]]
    #expect(
      rows.sorted(by: resolved.areInIncreasingOrder)
        == [[2, 1, .null, .null], [0, 2, .null, .null], [1, 2, .null, .null], [0, 0, "x", .null]])
  }

  @Test("A row never stands before itself, and 1 stands where 1.0 does")
  func equalRows() throws {
    let resolved = try Self.resolved(.ascending(key: "x"), in: .anything("x", "y"))
    #expect(!resolved.areInIncreasingOrder([1, .null], [1, .null]))
    #expect(!resolved.areInIncreasingOrder([1, .null], [1.0, .null]))
    #expect(!resolved.areInIncreasingOrder([1.0, .null], [1, .null]))
    #expect(resolved.areInIncreasingOrder([1, 1], [1.0, 2]))
  }

  @Test("Any two rows with different keys have one order, however they are shuffled", arguments: SplitMix64.seeds)
  func totalOrder(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let names = ["name", "k", "a"]
    for _ in 0..<30 {
      let rows = (0..<60).map { number -> [Value] in
        [
          .integer(Int64(number)), .integer(Int64(number % 7)), sampler.random.pick(["x", "y", .null]),
          sampler.value(),
        ]
      }
      let sort = AnySort(
        (0..<Int.random(in: 0...3, using: &sampler.random)).map { _ in
          SortTerm(
            key: sampler.random.pick(names),
            direction: Bool.random(using: &sampler.random) ? .ascending : .descending,
            nulls: Bool.random(using: &sampler.random) ? .first : .last)
        })
      let resolved = try Self.resolved(sort, in: Self.table())
      let sorted = rows.sorted(by: resolved.areInIncreasingOrder)
      for (place, row) in sorted.enumerated() {
        for later in sorted[(place + 1)...] {
          guard resolved.areInIncreasingOrder(row, later), !resolved.areInIncreasingOrder(later, row) else {
            Issue.record("\(row.map(\.spelling)) and \(later.map(\.spelling)) have no order, or two")
            return
          }
        }
      }
      let shuffled = rows.shuffled(using: &sampler.random)
      #expect(shuffled.sorted(by: resolved.areInIncreasingOrder).map { $0[0] } == sorted.map { $0[0] })
    }
  }
}
