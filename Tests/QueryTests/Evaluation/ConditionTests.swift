import Query
import Testing

@Suite("Comparisons of a key with a value, or another key")
struct RelationTests {
  /// Two values, and which operators hold between them.
  static let cases: [(lhs: Value, rhs: Value, operators: Set<ComparisonOperator>)] = [
    // Null equals null, differs from everything else, and stands in no order.
    (.null, .null, same(inOrder: false)),
    (.null, 0, [.notEqual]), (0, .null, [.notEqual]),
    (.null, .real(-.infinity), [.notEqual]), (.real(.infinity), .null, [.notEqual]),
    (.null, "", [.notEqual]), ("", .null, [.notEqual]),
    (.null, .blob([]), [.notEqual]), (.blob([]), .null, [.notEqual]),
    (1, 1, same()), (1, 2, less), (2, 1, greater), (-1, 1, less),
    (1, 1.0, same()), (1.0, 1, same()), (0, -0.0, same()), (1, 1.5, less), (1.5, 1, greater),
    (9_007_199_254_740_993, 9_007_199_254_740_992.0, greater), (9_007_199_254_740_992, 9_007_199_254_740_993, less),
    (.integer(.max), .real(0x1p63), less), (.integer(.min), .real(-0x1p63), same()),
    (.integer(.max), .real(.infinity), less), (.integer(.min), .real(-.infinity), greater),
    (.real(.infinity), .real(.infinity), same()),
    ("a", "a", same()), ("a", "b", less), ("b", "a", greater), ("a", "A", greater), ("", "a", less), ("a", "a\0", less),
    ("\u{E9}", "\u{E9}", same()), ("\u{E9}", "e\u{301}", greater), ("e\u{301}", "\u{E9}", less),
    ("\u{FFFF}", "\u{10000}", less), ("10", "9", less),
    (.blob([1]), .blob([1]), same()), (.blob([1]), .blob([1, 0]), less), (.blob([2]), .blob([1, 0]), greater),
    // Kinds stand in the order numbers, texts, blobs.
    (1, "1", less), ("1", 1, greater), (.real(.infinity), "", less), ("a", .blob([0x61]), less),
    (.blob([]), "z", greater), (.blob([]), 1, greater),
  ]

  private static func same(inOrder: Bool = true) -> Set<ComparisonOperator> {
    inOrder ? [.equal, .lessThanOrEqual, .greaterThanOrEqual] : [.equal]
  }
  private static let less: Set<ComparisonOperator> = [.notEqual, .lessThan, .lessThanOrEqual]
  private static let greater: Set<ComparisonOperator> = [.notEqual, .greaterThan, .greaterThanOrEqual]

  @Test("The truth table, with a value on the right", arguments: cases)
  func againstValue(lhs: Value, rhs: Value, operators: Set<ComparisonOperator>) throws {
    let table = try TableSchema.anything("a")
    for comparisonOperator in ComparisonOperator.allCases {
      let question = Comment(rawValue: "\(lhs.spelling) \(comparisonOperator.rawValue) \(rhs.spelling)")
      let query = AnyQuery.compare(key: "a", comparisonOperator, value: rhs)
      #expect(try query.matches([lhs], in: table) == operators.contains(comparisonOperator), question)
      #expect(try (!query).matches([lhs], in: table) == !operators.contains(comparisonOperator), question)
      #expect(comparisonOperator.holds(lhs, rhs) == operators.contains(comparisonOperator), question)
    }
  }

  @Test("The same truth table, with another key on the right", arguments: cases)
  func againstKey(lhs: Value, rhs: Value, operators: Set<ComparisonOperator>) throws {
    let table = try TableSchema.anything("id", "b", "a")
    for comparisonOperator in ComparisonOperator.allCases {
      let question = Comment(rawValue: "\(lhs.spelling) \(comparisonOperator.rawValue) \(rhs.spelling)")
      let query = AnyQuery.compare(key: "a", comparisonOperator, otherKey: "b")
      #expect(try query.matches([7, rhs, lhs], in: table) == operators.contains(comparisonOperator), question)
      #expect(try (!query).matches([7, rhs, lhs], in: table) == !operators.contains(comparisonOperator), question)
    }
  }

  @Test("A key against itself: equal even where it is null, and not less or greater")
  func againstItself() throws {
    let table = try TableSchema.anything("a")
    for value in [.null, 1, "a"] as [Value] {
      for comparisonOperator in ComparisonOperator.allCases {
        let holds =
          comparisonOperator == .equal
          || (!value.isNull && [.lessThanOrEqual, .greaterThanOrEqual].contains(comparisonOperator))
        let query = AnyQuery.compare(key: "a", comparisonOperator, otherKey: "a")
        #expect(try query.matches([value], in: table) == holds, "\(value.spelling) \(comparisonOperator)")
      }
    }
  }

  @Test("Numbers that hardly differ, and those at the ends, compare by each operator as their order says")
  func numbers() throws {
    let table = try TableSchema.anything("a")
    let powers: [Double] = [0, 1, 0.5, 1.5, 0x1p52, 0x1p53, 0x1p54, 0x1p62, 0x1p63, 0x1p64, .infinity]
    let wholes: [Int64] = [0, 1, 1 << 52, 1 << 53, 1 << 54, 1 << 62, .max, .min]
    var values: [Value] = [.null, "a", .blob([])]
    for power in powers {
      for real in [power, power.nextUp, power.nextDown] { values += [.real(real), .real(-real)] }
    }
    for whole in wholes {
      for integer in [whole, whole &+ 1, whole &- 1] { values += [.integer(integer), .integer(0 &- integer)] }
    }
    for bound in values where bound.kind == .number {
      for comparisonOperator in ComparisonOperator.allCases {
        let query = try AnyQuery.compare(key: "a", comparisonOperator, value: bound).resolved(in: table)
        let opposite = try (!AnyQuery.compare(key: "a", comparisonOperator, value: bound)).resolved(in: table)
        for value in values {
          let holds = comparisonOperator.holds(value, bound)
          guard query.matches([value]) == holds, opposite.matches([value]) == !holds else {
            Issue.record("\(value.spelling) \(comparisonOperator.rawValue) \(bound.spelling)")
            continue
          }
        }
      }
    }
  }

  @Test("Each operator has a name of its own, which means its comparison")
  func names() {
    #expect(AnyQuery.equal(key: "a", value: 1) == .compare(key: "a", .equal, value: 1))
    #expect(AnyQuery.notEqual(key: "a", value: 1) == .compare(key: "a", .notEqual, value: 1))
    #expect(AnyQuery.lessThan(key: "a", value: 1) == .compare(key: "a", .lessThan, value: 1))
    #expect(AnyQuery.lessThanOrEqual(key: "a", value: 1) == .compare(key: "a", .lessThanOrEqual, value: 1))
    #expect(AnyQuery.greaterThan(key: "a", value: 1) == .compare(key: "a", .greaterThan, value: 1))
    #expect(AnyQuery.greaterThanOrEqual(key: "a", value: 1) == .compare(key: "a", .greaterThanOrEqual, value: 1))
    #expect(AnyQuery.equal(key: "a", otherKey: "b") == .compare(key: "a", .equal, otherKey: "b"))
    #expect(AnyQuery.notEqual(key: "a", otherKey: "b") == .compare(key: "a", .notEqual, otherKey: "b"))
    #expect(AnyQuery.lessThan(key: "a", otherKey: "b") == .compare(key: "a", .lessThan, otherKey: "b"))
    #expect(AnyQuery.lessThanOrEqual(key: "a", otherKey: "b") == .compare(key: "a", .lessThanOrEqual, otherKey: "b"))
    #expect(AnyQuery.greaterThan(key: "a", otherKey: "b") == .compare(key: "a", .greaterThan, otherKey: "b"))
    #expect(
      AnyQuery.greaterThanOrEqual(key: "a", otherKey: "b") == .compare(key: "a", .greaterThanOrEqual, otherKey: "b"))
    #expect(AnyQuery.isNull(key: "a") == .equal(key: "a", value: Int?.none))
    #expect(AnyQuery.isNotNull(key: "a") == .notEqual(key: "a", value: String?.none))
  }

  @Test("Optionals and enums compare by the value that they store")
  func convertedValues() throws {
    let table = try TableSchema.anything("a")
    #expect(try AnyQuery.equal(key: "a", value: Int?.some(1)).matches([1], in: table))
    #expect(try AnyQuery.equal(key: "a", value: true).matches([1], in: table))
    #expect(try AnyQuery.equal(key: "a", value: Character("x")).matches(["x"], in: table))
    #expect(try AnyQuery.equal(key: "a", value: [UInt8]([1])).matches([.blob([1])], in: table))
  }
}

@Suite("A key between two bounds")
struct BetweenTests {
  /// A value, two bounds, and whether it lies between them.
  static let cases: [(value: Value, lower: Value, upper: Value, isBetween: Bool)] = [
    (1, 1, 3, true), (2, 1, 3, true), (3, 1, 3, true), (0, 1, 3, false), (4, 1, 3, false), (2, 2, 2, true),
    (1.5, 1, 2, true), (1, 0.5, 1.5, true), (2.000001, 1, 2, false), (0, -0.0, 0.0, true),
    // A lower bound after the upper one: nothing.
    (2, 3, 1, false), (3, 3, 1, false), (1, 3, 1, false), ("b", "c", "a", false),
    // A null value or bound: nothing.
    (.null, 1, 3, false), (2, .null, 3, false), (2, 1, .null, false), (2, .null, .null, false),
    (.null, .null, .null, false),
    (.null, .null, 3, false),
    ("b", "a", "c", true), ("a", "a", "c", true), ("c", "a", "c", true), ("c\0", "a", "c", false),
    ("B", "a", "c", false),
    ("\u{FFFF}", "\u{E000}", "\u{10000}", true),
    (.blob([1]), .blob([0]), .blob([2]), true), (.blob([2, 0]), .blob([0]), .blob([2]), false),
    // Across kinds, by the total order.
    (.real(.infinity), 0, "", true), ("x", 0, .blob([]), true), (.blob([]), 0, "z", false), (-1, 0, "z", false),
    (.integer(.max), .integer(.min), .real(0x1p63), true),
  ]

  @Test("The truth table, with values and with other keys as bounds", arguments: cases)
  func truthTable(value: Value, lower: Value, upper: Value, isBetween: Bool) throws {
    let row = [lower, value, upper]
    let table = try TableSchema.anything("lower", "value", "upper")
    let queries: [AnyQuery] = [
      .between(key: "value", lhs: lower, rhs: upper),
      .between(key: "value", lower: .value(lower), upper: .value(upper)),
      .between(key: "value", lower: .key("lower"), upper: .value(upper)),
      .between(key: "value", lower: .value(lower), upper: .key("upper")),
      .between(key: "value", lower: .key("lower"), upper: .key("upper")),
    ]
    for query in queries {
      #expect(try query.matches(row, in: table) == isBetween)
      #expect(try (!query).matches(row, in: table) == !isBetween)
    }
  }

  @Test("A key between itself and itself matches values that are not null")
  func betweenItself() throws {
    let table = try TableSchema.anything("a")
    let query = AnyQuery.between(key: "a", lower: .key("a"), upper: .key("a"))
    #expect(try query.matches([1], in: table))
    #expect(try !query.matches([.null], in: table))
  }

  @Test("Bounds may be of different Swift types")
  func mixedTypes() throws {
    let query = AnyQuery.between(key: "weight", lhs: 1, rhs: 2.5)
    #expect(try query.matches([1, .null, 2.25, .null, .null, .null, .null], in: .pokemon()))
  }
}

@Suite("A key among several values")
struct MembershipTests {
  /// A value, a list, and whether the list holds it.
  static let cases: [(value: Value, list: [Value], isMember: Bool)] = [
    (1, [1, 2], true), (2, [1, 2], true), (3, [1, 2], false), (1, [1], true), (1, [1, 1], true),
    (7, [1, 2, 3, 4, 5, 6, 7], true), (8, [1, 2, 3, 4, 5, 6, 7], false), (.null, [1, 2, 3, 4, 5, 6, 7], false),
    // An empty list holds nothing, not even null.
    (1, [], false), (.null, [], false),
    // A null in the list matches null, and nothing else.
    (.null, [.null], true), (.null, [1, .null], true), (.null, [1, 2], false), (1, [.null], false),
    (1, [.null, 1], true),
    (2, [.null, 1], false),
    (1, [1.0], true), (1.0, [1], true), (-0.0, [0], true), (9_007_199_254_740_993, [9_007_199_254_740_992.0], false),
    (.integer(.min), [.real(-0x1p63)], true), (.integer(.max), [.real(0x1p63)], false), (1, ["1"], false),
    ("a", ["b", "a"], true), ("a", ["A"], false), ("", [""], true), ("a\0", ["a"], false),
    ("\u{E9}", ["e\u{301}"], false), ("\u{E9}", ["\u{E9}"], true),
    (.blob([1]), [.blob([1])], true), (.blob([0x61]), ["a"], false), (.blob([]), [.null, ""], false),
  ]

  @Test("The truth table", arguments: cases)
  func truthTable(value: Value, list: [Value], isMember: Bool) throws {
    let table = try TableSchema.anything("a")
    let query = AnyQuery.in(key: "a", values: list)
    #expect(try query.matches([value], in: table) == isMember)
    #expect(try (!query).matches([value], in: table) == !isMember)
  }

  @Test("The list may be any sequence of any values that can be stored")
  func sequences() throws {
    let table = try TableSchema.anything("a")
    #expect(try AnyQuery.in(key: "a", values: 1...3).matches([2], in: table))
    #expect(try AnyQuery.in(key: "a", values: Set(["x", "y"])).matches(["y"], in: table))
    #expect(try AnyQuery.in(key: "a", values: [1, nil]).matches([.null], in: table))
    #expect(try AnyQuery.in(key: "a", values: "xyz").matches(["y"], in: table))
    #expect(try AnyQuery.in(key: "a", values: [1, 2].lazy.map { $0 * 2 }).matches([4], in: table))
  }

  @Test("100,000 values are one question")
  func manyValues() throws {
    let query = AnyQuery.in(key: "a", values: (0..<100_000).map { $0 * 2 })
    let resolved = try query.resolved(in: .anything("a"))
    let count = (0..<2_000).count { resolved.matches([.integer(Int64($0 * 100 + 1))]) }
    #expect(count == 0)
    #expect((0..<2_000).allSatisfy { resolved.matches([.integer(Int64($0 * 100))]) })
    #expect(!resolved.matches([200_000]))
  }
}
