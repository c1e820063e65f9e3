import Query
import Testing
import TestSupport

@Suite("A long chain becomes short where that leaves its meaning alone")
struct ClauseMergingTests {
  /// More conditions than a join may have to be left as it is, none of which can be merged with another.
  static func filler(key: String = "c", count: Int = 70) -> [AnyQuery] {
    (0..<count).map { .greaterThan(key: key, value: $0) }
  }

  static func conditionCount(_ query: AnyQuery) throws -> Int {
    try query.resolved(in: QuerySampler.table()).clause.size
  }

  @Test("Equalities of one key, joined by or, are one list, and so are inequalities that are joined by and")
  func lists() throws {
    let equalities = (0..<100_000).map { AnyQuery.equal(key: "a", value: $0) }
    for query in [
      AnyQuery.any(of: equalities), .any(of: equalities + [.in(key: "a", values: [-1, -2])]), !.any(of: equalities),
      .all(of: equalities.map { !$0 }), .all(of: (0..<100_000).map { .notEqual(key: "a", value: $0) }),
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
