import Query
import Testing

@Suite("A key among several values")
struct MembershipTests {
  /// A value, a list, and whether the list holds it.
  static let cases: [(value: Value, list: [Value], isMember: Bool)] = [
    (1, [1, 2], true), (2, [1, 2], true), (3, [1, 2], false), (1, [1], true), (1, [1, 1], true),
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
