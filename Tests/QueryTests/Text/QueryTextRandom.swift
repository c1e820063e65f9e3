import Query
import TestSupport

/// Makes random queries and texts; the same seed makes the same ones.
struct QueryTextRandom: RandomNumberGenerator {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func repeated<Element>(upTo bound: Int, _ make: (inout QueryTextRandom) -> Element) -> [Element] {
    var elements: [Element] = []
    for _ in 0...below(bound) { elements.append(make(&self)) }
    return elements
  }
}

extension QueryTextRandom {
  private static let pieces = [
    "a", "Z", "0", "_", " ", "'", "\"", "\\", "%", "(", ")", ",", "-", ".", "\n", "\t", "\r", "\0", "é", "e\u{301}",
    "\u{301}", "ß", "火", "フ", "🔥", "👩‍🚀", "\u{FE0F}", "\u{202E}", "\u{FEFF}", "\u{10FFFF}", "and", "or", "not", "null",
  ]

  mutating func text() -> String {
    below(8) == 0 ? "" : repeated(upTo: 6) { $0.pick(Self.pieces) }.joined()
  }

  mutating func key() -> String {
    below(3) == 0 ? text() : pick(["id", "name", "type", "base attack", "in", "case", "x", "重さ", "NOT", "first"])
  }

  mutating func value() -> Value {
    switch below(6) {
    case 0: return .null
    case 1: return .integer(pick([0, 1, -1, .max, .min, Int64(truncatingIfNeeded: next())]))
    case 2:
      // Any bit pattern, so that every exponent is met.
      let real = Double(bitPattern: next())
      return .real(real.isNaN ? pick([.infinity, -.infinity, -0.0]) : real)
    case 3: return .blob(repeated(upTo: 4) { UInt8(truncatingIfNeeded: $0.next()) })
    default: return .text(text())
    }
  }

  mutating func operand() -> Operand<String> { below(3) == 0 ? .key(key()) : .value(value()) }

  mutating func condition() -> AnyQuery {
    switch below(8) {
    case 0: return pick([.true, .false])
    case 1: return .between(key: key(), lower: operand(), upper: operand())
    case 2: return .in(key: key(), values: below(5) == 0 ? [] : repeated(upTo: 4) { $0.value() })
    case 3, 4: return .match(key: key(), pick(TextOperation.allCases), value: text(), ignoringCase: below(2) == 0)
    case 5: return .compare(key: key(), pick(Relation.allCases), otherKey: key())
    default: return .compare(key: key(), pick(Relation.allCases), value: value())
    }
  }

  mutating func query(depth: Int = 5) -> AnyQuery {
    switch depth == 0 ? 0 : below(5) {
    case 0: return condition()
    case 1: return !query(depth: depth - 1)
    case 2, 3: return query(depth: depth - 1) && query(depth: depth - 1)
    default: return query(depth: depth - 1) || query(depth: depth - 1)
    }
  }

  mutating func sort() -> AnySort {
    if below(10) == 0 { return .primaryKey }
    return AnySort(
      repeated(upTo: 4) { random in
        SortTerm(
          key: random.key(), direction: random.pick([.ascending, .descending]), nulls: random.pick([.first, .last]))
      })
  }
}

extension QueryTextRandom {
  private static let words = [
    "and", "or", "not", "(", ")", "a", "\"b c\"", "=", "!=", "<", ">=", "1", "-2.5", "'t'", "x'0f'", "null", "true",
    "between", "in", ",", "is", "contains", "starts with", "ends", "with", "like", "ignoring case", "desc",
    "nulls last",
    "-", "'", "\"", "&&", "%", "\u{301}", "“", "9e", "x'", ";", "\0", "火",
  ]

  /// Words of the grammar in an order that seldom makes sense.
  mutating func words() -> String {
    repeated(upTo: 12) { $0.pick(Self.words) }.joined(separator: pick([" ", " ", ""]))
  }

  /// Any scalars at all.
  mutating func garbage() -> String {
    var text = ""
    text.unicodeScalars += repeated(upTo: 20) { random in
      let bound = random.pick([0x80, 0x80, 0x300, 0x3000, 0x11_0000])
      return Unicode.Scalar(UInt32(random.below(bound))) ?? "\u{FFFD}"
    }
    return text
  }

  /// A text with some scalars removed, added or replaced, or cut short.
  mutating func mutation(of text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0...below(3) {
      let place = below(scalars.count + 1)
      switch below(4) {
      case 0 where place < scalars.count: scalars.remove(at: place)
      case 1 where place < scalars.count: scalars[place] = pick(Array("'\"() ,-=x1aé\u{301}\0".unicodeScalars))
      case 2: scalars.insert(contentsOf: Array(pick(Self.words).unicodeScalars), at: place)
      default: scalars.removeSubrange(place...)
      }
    }
    var mutation = ""
    mutation.unicodeScalars += scalars
    return mutation
  }
}
