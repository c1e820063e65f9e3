import Query
import TestSupport

/// Makes queries and rows by chance, from few values, so that much matches and much does not.
struct QuerySampler {
  static let keys = ["a", "b", "c"]
  static let values: [Value] = [
    .null, .null, 0, 1, 1.0, 1.5, -1, .integer(.max), .real(0x1p63), "", "a", "A", "ab", "ß", "SS", "\u{E9}",
    "e\u{301}",
    .blob([]), .blob([0x61]),
  ]
  static let texts = ["", "a", "A", "b", "ss", "\u{301}", "%", "a%", "%b", "_", "__", "\\%"]

  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  static func table() throws -> TableSchema { try .anything("a", "b", "c") }

  mutating func row() -> [Value] { Self.keys.map { _ in value() } }

  mutating func value() -> Value { random.pick(Self.values) }

  mutating func key() -> String { random.pick(Self.keys) }

  mutating func operand() -> Operand<String> { Bool.random(using: &random) ? .value(value()) : .key(key()) }

  mutating func condition() -> AnyQuery {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return Bool.random(using: &random) ? .true : .false
    case 1, 2, 3: return .compare(key: key(), random.pick(Relation.allCases), value: value())
    case 4: return .compare(key: key(), random.pick(Relation.allCases), otherKey: key())
    case 5, 6: return .between(key: key(), lower: operand(), upper: operand())
    case 7:
      let count = Int.random(in: 0...3, using: &random)
      return .in(key: key(), values: (0..<count).map { _ in value() })
    default:
      return .match(
        key: key(), random.pick(TextOperation.allCases), value: random.pick(Self.texts),
        ignoringCase: Bool.random(using: &random))
    }
  }

  /// A query that is nested at most so deep.
  mutating func query(depth: Int) -> AnyQuery {
    guard depth > 0 else { return condition() }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return condition()
    case 1, 2: return !query(depth: depth - 1)
    case 3, 4, 5: return query(depth: depth - 1) && query(depth: depth - 1)
    default: return query(depth: depth - 1) || query(depth: depth - 1)
    }
  }
}
