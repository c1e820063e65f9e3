import Query
import Testing

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

  @Test("A key between itself and itself is what is not null")
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
