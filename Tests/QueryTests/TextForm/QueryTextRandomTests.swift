import Query
import TestSupport
import Testing

@Suite struct QueryTextRandomTests {
  @Test("Any query is read back from its text")
  func roundTrip() {
    for seed in UInt64(0)..<UInt64(Effort.rounds(5_000)) {
      var random = QueryTextRandom(seed: seed)
      checkRoundTrip(of: random.query(), seed: seed)
    }
  }

  @Test("Any text is a query that is read back from its text, or an error that can be shown")
  func garbage() {
    for seed in UInt64(0)..<UInt64(Effort.rounds(20_000)) {
      var random = QueryTextRandom(seed: seed)
      let text =
        switch random.below(4) {
        case 0: random.garbage()
        case 1: random.words()
        default: random.mutation(of: random.query(depth: 2).description)
        }
      do {
        checkRoundTrip(of: try AnyQuery(parsing: text), seed: seed)
      } catch {
        check(error, text: text, seed: seed)
      }
    }
  }

  @Test("Any text is a sort that is read back from its text, or an error that can be shown")
  func sortGarbage() {
    for seed in UInt64(0)..<UInt64(Effort.rounds(10_000)) {
      var random = QueryTextRandom(seed: seed)
      let text =
        switch random.below(3) {
        case 0: random.garbage()
        case 1: random.words()
        default: random.mutation(of: random.sort().description)
        }
      do {
        let sort = try AnySort(parsing: text)
        let again = try AnySort(parsing: sort.description)
        #expect(again == sort, "seed \(seed)")
        #expect(again.description.utf8.elementsEqual(sort.description.utf8), "seed \(seed)")
      } catch {
        check(error, text: text, seed: seed)
      }
    }
  }

  private func checkRoundTrip(of query: AnyQuery, seed: UInt64) {
    let text = query.description
    do {
      let parsed = try AnyQuery(parsing: text)
      #expect(parsed == query, "seed \(seed)")
      // `==` takes 1 and 1.0 for the same, and a composed and a decomposed key; their texts differ.
      #expect(parsed.description.utf8.elementsEqual(text.utf8), "seed \(seed)")
    } catch {
      Issue.record("seed \(seed): \(error)\n\(text)")
    }
  }

  private func check(_ error: ParseError, text: String, seed: UInt64) {
    #expect(
      error.text.utf8.elementsEqual(text.utf8), "seed \(seed): \(error.text.debugDescription), \(text.debugDescription)"
    )
    #expect(0...text.unicodeScalars.count ~= error.position, "seed \(seed)")
    let lines = error.caret.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2, "seed \(seed)")
    #expect(lines.last?.allSatisfy { $0 == " " || $0 == "^" } == true, "seed \(seed)")
    #expect(error.caret.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "seed \(seed)")
    #expect(error.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "seed \(seed): \(error)")
  }
}

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

  mutating func operand() -> Operand<AnyExpression> { below(3) == 0 ? .key(key()) : .value(value()) }

  mutating func condition() -> AnyQuery {
    switch below(8) {
    case 0: return pick([.true, .false])
    case 1: return .between(key: key(), lower: operand(), upper: operand())
    case 2: return .in(key: key(), values: below(5) == 0 ? [] : repeated(upTo: 4) { $0.value() })
    case 3, 4: return .match(key: key(), pick(TextOperation.allCases), value: text(), ignoringCase: below(2) == 0)
    case 5: return .compare(key: key(), pick(ComparisonOperator.allCases), otherKey: key())
    default: return .compare(key: key(), pick(ComparisonOperator.allCases), value: value())
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

@Suite struct QueryTextDepthTests {
  private static let depth = Effort.rounds(100_000)

  private func checkRoundTrip(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let query = try AnyQuery(parsing: text)
    // Compared outside of the macro, which would show megabytes.
    let isPrintedAgain = query.description == text
    let isReadAgain = try AnyQuery(parsing: query.description) == query
    #expect(isPrintedAgain, sourceLocation: sourceLocation)
    #expect(isReadAgain, sourceLocation: sourceLocation)
  }

  @Test("Parentheses may be nested to any depth")
  func parentheses() throws {
    let text = String(repeating: "(", count: Self.depth) + "a = 1" + String(repeating: ")", count: Self.depth)
    #expect(try AnyQuery(parsing: text) == .equal(key: "a", value: 1))
  }

  @Test("Negations may be nested to any depth")
  func negations() throws {
    try checkRoundTrip(String(repeating: "not ", count: Self.depth) + "a = 1")
  }

  @Test("Negations in parentheses may be nested to any depth")
  func negatedParentheses() throws {
    try checkRoundTrip(
      String(repeating: "not (a = 1 and ", count: Self.depth) + "b = 2" + String(repeating: ")", count: Self.depth))
  }

  @Test("Connectives may be nested on the right to any depth")
  func nestedJoins() throws {
    try checkRoundTrip(
      String(repeating: "a = 1 or b = 2 and (", count: Self.depth) + "c = 3 or d = 4"
        + String(repeating: ")", count: Self.depth))
  }

  @Test("Connectives may be of any length", arguments: ["and", "or"])
  func chains(joint: String) throws {
    try checkRoundTrip((0..<Self.depth).map { "k\($0) = \($0)" }.joined(separator: " \(joint) "))
  }

  @Test("Connectives of both kinds may be of any length")
  func mixedChain() throws {
    try checkRoundTrip(
      Array(repeating: "a = 1 or b = 2 and not c = 3", count: Self.depth / 4).joined(separator: " or "))
  }

  @Test("A list may have any length, and so may a text, a key and a number")
  func longLiterals() throws {
    try checkRoundTrip("a in (" + (0..<Self.depth).map(String.init).joined(separator: ", ") + ")")
    try checkRoundTrip("a = '" + String(repeating: "火''", count: Self.depth) + "'")
    try checkRoundTrip("a = x'" + String(repeating: "0f", count: Self.depth) + "'")
    try checkRoundTrip(String(repeating: "k", count: Self.depth) + " = 1")
    #expect(
      try AnyQuery(parsing: "a = 0." + String(repeating: "1", count: Self.depth)) == .equal(key: "a", value: 1.0 / 9))
  }

  @Test("An error deep within a text is found and shown")
  func deepErrors() {
    let open = String(repeating: "(", count: Self.depth)
    let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: open + "a = 1") }
    #expect(error?.position == Self.depth + 5)
    #expect(error?.reason == "the `(` at character \(Self.depth) is not closed")
    #expect(error?.caret.split(separator: "\n").allSatisfy { $0.count <= 72 } == true)
    for text in [
      "a = '" + open, "\"" + open, "a = " + String(repeating: "9", count: Self.depth),
      "a = 1 " + String(repeating: "n", count: Self.depth), "a " + String(repeating: "火", count: Self.depth),
      "a = 1" + String(repeating: "z", count: Self.depth), "a = " + String(repeating: "\u{301}", count: Self.depth),
      "a like %" + open,
    ] {
      let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: text) }
      #expect((error?.description.utf8.count ?? .max) < 1_000)
      #expect((error?.caret.utf8.count ?? .max) < 1_000)
    }
  }
}
