import Query
import TestSupport
import Testing

@Suite("Queries obey the laws of a Boolean algebra, nulls included")
struct QueryLawTests {
  /// Asserts that two queries mean the same rows.
  static func expectSame(
    _ law: String, seed: UInt64, _ sides: (inout QuerySampler) -> (AnyQuery, AnyQuery)
  ) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    for _ in 0..<200 {
      let (lhs, rhs) = sides(&sampler)
      let (left, right) = try (lhs.resolved(in: table), rhs.resolved(in: table))
      for _ in 0..<20 {
        let row = sampler.row()
        guard left.matches(row) == right.matches(row) else {
          Issue.record("\(law) does not hold for the row \(row.map(\.spelling)) and the query \(lhs)")
          return
        }
      }
    }
  }

  @Test("A query means what its parts mean", arguments: SplitMix64.seeds)
  func meaning(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    var matchCount = 0
    for _ in 0..<1_000 {
      let query = sampler.query(depth: 5)
      let resolved = try query.resolved(in: table)
      for _ in 0..<20 {
        let row = sampler.row()
        let isMatch = PlainEvaluator(keys: QuerySampler.keys, row: row).holds(query)
        matchCount += isMatch ? 1 : 0
        guard resolved.matches(row) == isMatch else {
          Issue.record("the row \(row.map(\.spelling)) is\(isMatch ? "" : " not") one that is meant by \(query)")
          return
        }
      }
    }
    #expect((5_000...15_000).contains(matchCount), "too few or too many rows match for this test to mean much")
  }

  @Test("Of any rows, a query and its negation match all, and none twice", arguments: SplitMix64.seeds)
  func negation(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    for _ in 0..<500 {
      let query = sampler.query(depth: 4)
      let rows = (0..<30).map { _ in sampler.row() }
      let (resolved, negated) = try (query.resolved(in: table), (!query).resolved(in: table))
      guard rows.allSatisfy({ resolved.matches($0) != negated.matches($0) }) else {
        Issue.record("not \(query) is not the opposite")
        return
      }
    }
  }

  @Test("not not q is q", arguments: SplitMix64.seeds)
  func doubleNegation(seed: UInt64) throws {
    try Self.expectSame("not not q = q", seed: seed) { sampler in
      let query = sampler.query(depth: 3)
      return (!(!query), query)
    }
  }

  @Test("De Morgan's laws", arguments: SplitMix64.seeds)
  func deMorgan(seed: UInt64) throws {
    try Self.expectSame("not (p and q) = not p or not q", seed: seed) { sampler in
      let (p, q) = (sampler.query(depth: 3), sampler.query(depth: 3))
      return (!(p && q), !p || !q)
    }
    try Self.expectSame("not (p or q) = not p and not q", seed: seed) { sampler in
      let (p, q) = (sampler.query(depth: 3), sampler.query(depth: 3))
      return (!(p || q), !p && !q)
    }
  }

  @Test("and and or can be turned round, regrouped and spread over each other", arguments: SplitMix64.seeds)
  func algebra(seed: UInt64) throws {
    try Self.expectSame("p and q = q and p", seed: seed) { sampler in
      let (p, q) = (sampler.query(depth: 2), sampler.query(depth: 2))
      return (p && q, q && p)
    }
    try Self.expectSame("p or (q or r) = (p or q) or r", seed: seed) { sampler in
      let (p, q, r) = (sampler.query(depth: 2), sampler.query(depth: 2), sampler.query(depth: 2))
      return (p || (q || r), (p || q) || r)
    }
    try Self.expectSame("p and (q or r) = (p and q) or (p and r)", seed: seed) { sampler in
      let (p, q, r) = (sampler.query(depth: 2), sampler.query(depth: 2), sampler.query(depth: 2))
      return (p && (q || r), (p && q) || (p && r))
    }
    try Self.expectSame("p or (p and q) = p", seed: seed) { sampler in
      let (p, q) = (sampler.query(depth: 2), sampler.query(depth: 2))
      return (p || (p && q), p)
    }
  }

  @Test("true and false are neutral or decide", arguments: SplitMix64.seeds)
  func constants(seed: UInt64) throws {
    try Self.expectSame("p and true = p", seed: seed) { sampler in
      let p = sampler.query(depth: 3)
      return (p && .true, p)
    }
    try Self.expectSame("false or p = p", seed: seed) { sampler in
      let p = sampler.query(depth: 3)
      return (.false || p, p)
    }
    try Self.expectSame("p and false = false", seed: seed) { sampler in (sampler.query(depth: 3) && .false, .false) }
    try Self.expectSame("p or not p = true", seed: seed) { sampler in
      let p = sampler.query(depth: 3)
      return (p || !p, .true)
    }
  }

  @Test("Between is two comparisons", arguments: SplitMix64.seeds)
  func between(seed: UInt64) throws {
    try Self.expectSame("k between v and w = k >= v and k <= w", seed: seed) { sampler in
      let (key, lower, upper) = (sampler.key(), sampler.value(), sampler.value())
      return (
        .between(key: key, lhs: lower, rhs: upper),
        .greaterThanOrEqual(key: key, value: lower) && .lessThanOrEqual(key: key, value: upper)
      )
    }
    try Self.expectSame("k between l and m = k >= l and k <= m", seed: seed) { sampler in
      let (key, lower, upper) = (sampler.key(), sampler.key(), sampler.key())
      return (
        .between(key: key, lower: .key(lower), upper: .key(upper)),
        .greaterThanOrEqual(key: key, otherKey: lower) && .lessThanOrEqual(key: key, otherKey: upper)
      )
    }
  }

  @Test("In is equal to any", arguments: SplitMix64.seeds)
  func membership(seed: UInt64) throws {
    try Self.expectSame("k in (v, ...) = k = v or ...", seed: seed) { sampler in
      let key = sampler.key()
      let values = (0..<Int.random(in: 0...4, using: &sampler.random)).map { _ in sampler.value() }
      return (.in(key: key, values: values), .any(of: values.map { .equal(key: key, value: $0) }))
    }
  }

  @Test("A comparison turned round, and its opposite where nothing is null", arguments: SplitMix64.seeds)
  func comparisons(seed: UInt64) throws {
    try Self.expectSame("a < b = b > a", seed: seed) { sampler in
      let (key, other) = (sampler.key(), sampler.key())
      return (.lessThan(key: key, otherKey: other), .greaterThan(key: other, otherKey: key))
    }
    try Self.expectSame("not (k < v) = k >= v or k is null or v is null", seed: seed) { sampler in
      let (key, value) = (sampler.key(), sampler.value())
      return (
        !.lessThan(key: key, value: value),
        .greaterThanOrEqual(key: key, value: value) || .isNull(key: key) || (value.isNull ? .true : .false)
      )
    }
    try Self.expectSame("k != v = not (k = v)", seed: seed) { sampler in
      let (key, value) = (sampler.key(), sampler.value())
      return (.notEqual(key: key, value: value), !.equal(key: key, value: value))
    }
  }
}

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

  mutating func operand() -> Operand<AnyExpression> { Bool.random(using: &random) ? .value(value()) : .key(key()) }

  mutating func condition() -> AnyQuery {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return Bool.random(using: &random) ? .true : .false
    case 1, 2, 3: return .compare(key: key(), random.pick(ComparisonOperator.allCases), value: value())
    case 4: return .compare(key: key(), random.pick(ComparisonOperator.allCases), otherKey: key())
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

/// What a query means, said again as plainly as can be: no resolution, no preparation, no rewriting.
struct PlainEvaluator {
  let keys: [String]
  let row: [Value]

  func holds(_ query: AnyQuery) -> Bool {
    switch query.form {
    case .condition(let condition): holds(condition)
    case .not(let query): !holds(query)
    case .and(let lhs, let rhs): holds(lhs) && holds(rhs)
    case .or(let lhs, let rhs): holds(lhs) || holds(rhs)
    }
  }

  private func holds(_ condition: Condition<AnyExpression>) -> Bool {
    switch condition {
    case .constant(let constant):
      return constant
    case .comparison(let comparison):
      let (lhs, rhs) = (value(.key(comparison.key)), value(comparison.operand))
      let isOrdered = !lhs.isNull && !rhs.isNull
      switch comparison.operator {
      case .equal: return lhs == rhs
      case .notEqual: return lhs != rhs
      case .lessThan: return isOrdered && lhs < rhs
      case .lessThanOrEqual: return isOrdered && lhs <= rhs
      case .greaterThan: return isOrdered && lhs > rhs
      case .greaterThanOrEqual: return isOrdered && lhs >= rhs
      }
    case .between(let between):
      let (value, lower, upper) = (value(.key(between.key)), value(between.lower), value(between.upper))
      return !value.isNull && !lower.isNull && !upper.isNull && lower <= value && value <= upper
    case .membership(let membership):
      return membership.values.contains { $0 == value(.key(membership.key)) }
    case .text(let match):
      guard case .text(let text) = value(.key(match.key)) else { return false }
      return match.isIgnoringCase
        ? holds(match.operation, CaseFolding.fold(text), CaseFolding.fold(match.text))
        : holds(match.operation, text, match.text)
    case .holds, .invalid:
      return false
    }
  }

  private func holds(_ operation: TextOperation, _ text: String, _ sought: String) -> Bool {
    if operation == .like {
      return LikePatternTests.matches(Array(sought.unicodeScalars)[...], Array(text.unicodeScalars)[...])
    }
    let (text, sought) = (Array(text.utf8), Array(sought.utf8))
    guard sought.count <= text.count else { return false }
    return (0...(text.count - sought.count)).contains { start in
      if operation == .hasPrefix, start > 0 { return false }
      if operation == .hasSuffix, start < text.count - sought.count { return false }
      return Array(text[start..<(start + sought.count)]) == sought
    }
  }

  private func value(_ operand: Operand<AnyExpression>) -> Value {
    switch operand {
    case .value(let value): value
    case .key(let key): keys.firstIndex(of: key.plainKey ?? "").map { row[$0] } ?? .null
    }
  }
}
