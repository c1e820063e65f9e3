import Query
import TestSupport
import Testing

@Suite("A resolved query is flat, its negations stand at its conditions, and its constants are gone")
struct ClauseTests {
  static let a = AnyQuery.isNull(key: "a")
  static let b = AnyQuery.isNull(key: "b")
  static let c = AnyQuery.isNull(key: "c")
  static let d = AnyQuery.isNull(key: "d")

  static let cases: [(AnyQuery, String)] = [
    (a, "a"), (!a, "!a"), (!(!a), "a"), (!(!(!a)), "!a"),
    // Chains of one kind are one connective.
    (a && b, "all(a b)"), (a || b, "any(a b)"), ((a && b) && c, "all(a b c)"), (a && (b && c), "all(a b c)"),
    ((a && b) && (c && d), "all(a b c d)"), ((a || b) || (c || d), "any(a b c d)"),
    ((a && b) || (c && d), "any(all(a b) all(c d))"), ((a || b) && (c || d), "all(any(a b) any(c d))"),
    (a && (b || (c && d)), "all(a any(b all(c d)))"),
    // Negations go inwards, and make or of and.
    (!(a && b), "any(!a !b)"), (!(a || b), "all(!a !b)"), (!(a && !b), "any(!a b)"), (!(!a && !b), "any(a b)"),
    (!(a && (b || c)), "any(!a all(!b !c))"), (a && !(b || c), "all(a !b !c)"), (a || !(b && !c), "any(a !b c)"),
    (!(!(a && b)) && c, "all(a b c)"), (!(!(a || b) || !c), "all(any(a b) c)"),
    (!(a && !(b && !(c && d))), "any(!a all(b any(!c !d)))"),
    // Constants decide, or do not matter.
    (.true, "all()"), (.false, "any()"), (!.true, "any()"), (!.false, "all()"), (!(!.true), "all()"),
    (.true && a, "a"), (a && .true, "a"), (.false && a, "any()"), (a && .false, "any()"), (.true || a, "all()"),
    (a || .true, "all()"), (.false || a, "a"), (a || .false, "a"), (.true && .true, "all()"),
    (.true && .false, "any()"),
    (.false || .false, "any()"), (.false || .true, "all()"), (!(.true && a), "!a"), (!.false && !a, "!a"),
    (a && !.true, "any()"), (a || !.true, "a"), ((.true && a) && (b || .false), "all(a b)"),
    (a && b && .true && c, "all(a b c)"), (a || b || .true || c, "all()"), (a && (b || .true), "a"),
    (a || (b && .false), "a"), (a && (b && .false || c), "all(a c)"), ((a || .true) && (b || .true), "all()"),
    ((a && .false) || (b && .false), "any()"),
    // What is left of a connective may flow into the connective around it.
    (a && (.false || (b && c)), "all(a b c)"), (a || (.true && (b || c)), "any(a b c)"),
    (a && !(.true && (!b || !c)), "all(a b c)"), (.true && (a || b), "any(a b)"),
    (.false || (.true && (.false || (.true && a))), "a"),
    (.all(of: []) && a, "a"), (.any(of: []) && a, "any()"),
    // Nothing else is rewritten: conditions stay as they are, and in their order.
    (a && a, "all(a a)"), (a || !a, "any(a !a)"), (b && a, "all(b a)"),
  ]

  @Test("Queries and their clauses", arguments: cases)
  func table(query: AnyQuery, outline: String) throws {
    #expect(try query.resolved(in: .anything("a", "b", "c", "d")).predicate.outline == outline)
  }

  @Test("Random queries become clauses that are no deeper, flat and free of constants", arguments: SplitMix64.seeds)
  func random(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    for _ in 0..<2_000 {
      let query = sampler.query(depth: 6)
      let clause = try query.resolved(in: table).predicate
      guard clause.isNormal, clause.depth <= 6 else {
        Issue.record("\(query) becomes \(clause.outline)")
        return
      }
    }
  }
}

@Suite("A long chain becomes short where that leaves its meaning alone")
struct ClauseMergingTests {
  /// More conditions than a connective may have to be left as it is, none of which can be merged with another.
  static func filler(key: String = "c", count: Int = 70) -> [AnyQuery] {
    (0..<count).map { .greaterThan(key: key, value: $0) }
  }

  static func conditionCount(_ query: AnyQuery) throws -> Int {
    try query.resolved(in: QuerySampler.table()).predicate.size
  }

  @Test("Equalities of one key, joined by or, are one list, and so are inequalities that are joined by and")
  func lists() throws {
    let equalities = (0..<Effort.rounds(100_000)).map { AnyQuery.equal(key: "a", value: $0) }
    for query in [
      AnyQuery.any(of: equalities), .any(of: equalities + [.in(key: "a", values: [-1, -2])]), !.any(of: equalities),
      .all(of: equalities.map { !$0 }), .all(of: (0..<Effort.rounds(100_000)).map { .notEqual(key: "a", value: $0) }),
    ] {
      #expect(try Self.conditionCount(query) == 1)
    }
    #expect(try Self.conditionCount(.any(of: equalities.prefix(1_000) + Self.filler())) == 71)
    #expect(try Self.conditionCount(.any(of: equalities.prefix(1_000) + [.isNull(key: "b")])) == 2)
  }

  @Test("Equalities that are joined by and, and inequalities that are joined by or, are no list")
  func noLists() throws {
    #expect(try Self.conditionCount(.all(of: (0..<100).map { .equal(key: "a", value: $0) })) == 100)
    #expect(try Self.conditionCount(.any(of: (0..<100).map { .notEqual(key: "a", value: $0) })) == 100)
    #expect(try Self.conditionCount(.any(of: (0..<100).map { _ in .equal(key: "a", otherKey: "b") })) == 1)
  }

  @Test("A condition that stands again and again counts once, its opposite is another one")
  func repetitions() throws {
    let condition = AnyQuery.contains(key: "a", value: "x")
    #expect(try Self.conditionCount(.all(of: Array(repeating: condition, count: 100))) == 1)
    #expect(try Self.conditionCount(.any(of: Array(repeating: !condition, count: 100))) == 1)
    #expect(try Self.conditionCount(.all(of: Array(repeating: condition, count: 100) + [!condition])) == 2)
  }

  @Test("A list that holds nothing takes nothing away from those beside it")
  func emptyLists() throws {
    let table = try QuerySampler.table()
    let (none, one) = (AnyQuery.in(key: "a", values: [Int]()), AnyQuery.equal(key: "a", value: 1))
    for lists in [[none, one], [one, none], [none, none, one], [none, one, none]] {
      let any = AnyQuery.any(of: lists + Self.filler())
      #expect(try any.matches([1, .null, .null], in: table))
      #expect(try !any.matches([2, .null, .null], in: table))
      let all = !any
      #expect(try !all.matches([1, .null, .null], in: table))
      #expect(try all.matches([2, .null, .null], in: table))
    }
    #expect(try !AnyQuery.any(of: [none] + Self.filler()).matches([1, .null, .null], in: table))
  }

  @Test("Long random chains mean what their parts mean", arguments: SplitMix64.seeds)
  func random(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    var matchCount = 0
    for _ in 0..<60 {
      let isAnd = Bool.random(using: &sampler.random)
      let parts = (0..<Int.random(in: 60...90, using: &sampler.random)).map { _ -> AnyQuery in
        // Few of the values stand in rows, since a chain of conditions that are often met is always true.
        let isCommon = Int.random(in: 0..<30, using: &sampler.random) == 0
        let value = isCommon ? sampler.value() : .integer(.random(in: 100...200, using: &sampler.random))
        let key = sampler.key()
        switch Int.random(in: 0..<6, using: &sampler.random) {
        case 0: return .in(key: key, values: [Value]())
        case 1: return .in(key: key, values: [value, 1_000])
        case 2: return .equal(key: key, value: value) && .equal(key: sampler.key(), value: sampler.value())
        case 3: return !.notEqual(key: key, value: value)
        default: return .equal(key: key, value: value)
        }
      }
      let query = isAnd ? AnyQuery.all(of: parts.map { !$0 }) : .any(of: parts)
      let resolved = try query.resolved(in: table)
      for _ in 0..<100 {
        let row = sampler.row()
        let isMatch = PlainEvaluator(keys: QuerySampler.keys, row: row).holds(query)
        matchCount += isMatch ? 1 : 0
        guard resolved.matches(row) == isMatch else {
          Issue.record("the row \(row.map(\.spelling)) is\(isMatch ? "" : " not") one that is meant by \(query)")
          return
        }
      }
    }
    #expect((600...5_400).contains(matchCount), "too few or too many rows match for this test to mean much")
  }

  @Test("10,000 different conditions are asked, and one more is refused")
  func differentConditions() throws {
    let table = try QuerySampler.table()
    let query = AnyQuery.any(of: Self.filler(count: ResolvedQuery.maximumDistinctConditionCount))
    #expect(try query.matches([.null, .null, 1], in: table))
    #expect(try (query || .greaterThan(key: "c", value: 0)).matches([.null, .null, 1], in: table))
    let error = #expect(throws: QueryError.self) { try (query || .isNull(key: "a")).resolved(in: table) }
    #expect(error?.code == .tooComplex)
    #expect(error?.suggestion != nil)
  }
}

extension NormalizedPredicate {
  /// How the clause is built, every condition as the letter of its column: `all(a any(b !c))`.
  var outline: String {
    switch self {
    case .condition(let condition, let isNegated, _):
      guard case .comparison(let comparison) = condition else { return "?" }
      return (isNegated ? "!" : "") + ["a", "b", "c", "d"][comparison.key]
    case .all(let clauses): return "all(\(clauses.map(\.outline).joined(separator: " ")))"
    case .any(let clauses): return "any(\(clauses.map(\.outline).joined(separator: " ")))"
    }
  }

  /// How many conditions the clause has.
  var size: Int {
    switch self {
    case .condition: 1
    case .all(let clauses), .any(let clauses): clauses.map(\.size).reduce(0, +)
    }
  }

  /// How deep the clause is nested.
  var depth: Int {
    switch self {
    case .condition: 0
    case .all(let clauses), .any(let clauses): (clauses.map(\.depth).max() ?? 0) + 1
    }
  }

  /// Whether the clause is what its documentation promises: no connective holds one of its own kind, or a single member, or a
  /// constant, and the whole is a constant only where it is empty.
  var isNormal: Bool {
    switch self {
    case .condition(.constant, _, _): return false
    case .condition: return true
    case .all(let clauses):
      return clauses.count != 1
        && clauses.allSatisfy { clause in
          if case .all = clause { return false }
          if case .any(let members) = clause, members.isEmpty { return false }
          return clause.isNormal
        }
    case .any(let clauses):
      return clauses.count != 1
        && clauses.allSatisfy { clause in
          if case .any = clause { return false }
          if case .all(let members) = clause, members.isEmpty { return false }
          return clause.isNormal
        }
    }
  }
}
