import Query
import TestSupport
import Testing

@Suite("A query is a value")
struct AnyQueryTests {
  static let a = AnyQuery.equal(key: "a", value: 1)
  static let b = AnyQuery.equal(key: "b", value: 2)

  /// Queries of which no two are built alike; a function, so that each call builds them anew.
  static func samples() -> [AnyQuery] {
    let (a, b) = (AnyQuery.equal(key: "a", value: 1), AnyQuery.equal(key: "b", value: 2))
    return [
      .true, .false, !.true, a, b, !a, !(!a), !(!(!a)), a && b, b && a, a || b, b || a, a && a, (a && b) && a,
      a && (b && a),
      !(a && b), !a && b, a && !b, (a || b) && a, a || (b && a),
      .notEqual(key: "a", value: 1), .lessThan(key: "a", value: 1), .lessThanOrEqual(key: "a", value: 1),
      .greaterThan(key: "a", value: 1), .greaterThanOrEqual(key: "a", value: 1), .equal(key: "A", value: 1),
      .equal(key: "a", value: 1.5), .equal(key: "a", value: "1"), .equal(key: "a", value: [UInt8]([1])),
      .isNull(key: "a"),
      .isNotNull(key: "a"), .equal(key: "a", otherKey: "b"), .equal(key: "b", otherKey: "a"),
      .equal(key: "a", value: "b"),
      .equal(key: "a", value: "\u{E9}"), .equal(key: "a", value: "e\u{301}"),
      .equal(key: "\u{E9}", value: 1), .equal(key: "e\u{301}", value: 1),
      .equal(key: "a", otherKey: "\u{E9}"), .equal(key: "a", otherKey: "e\u{301}"),
      .isNull(key: ""), .isNull(key: "a\0"),
      .between(key: "a", lhs: 1, rhs: 2), .between(key: "a", lhs: 2, rhs: 1),
      .between(key: "a", lower: .key("b"), upper: .value(2)), .between(key: "a", lower: .value(1), upper: .key("b")),
      .in(key: "a", values: [Int]()), .in(key: "a", values: [1]), .in(key: "a", values: [1, 2]),
      .in(key: "a", values: [2, 1]), .in(key: "a", values: [1, 1]), .in(key: "a", values: [1, nil]),
      .contains(key: "a", value: "x"), .hasPrefix(key: "a", value: "x"), .hasSuffix(key: "a", value: "x"),
      .like(key: "a", value: "x"), .like(key: "a", value: "X"), .like(key: "a", value: "x", ignoringCase: true),
      .contains(key: "a", value: "\u{E9}"), .contains(key: "a", value: "e\u{301}"),
      .contains(key: "\u{E9}", value: "x"), .contains(key: "e\u{301}", value: "x"),
      .equal(key: "a", value: Double.nan), .equal(key: "a", value: UInt.max),
    ]
  }

  @Test("Queries that are built alike are equal and hash alike, all others differ")
  func equality() {
    let (samples, twins) = (Self.samples(), Self.samples())
    for (index, lhs) in samples.enumerated() {
      for (otherIndex, rhs) in twins.enumerated() where (lhs == rhs) != (index == otherIndex) {
        Issue.record("samples \(index) and \(otherIndex): \(lhs) and \(rhs)")
      }
      #expect(lhs.hashValue == twins[index].hashValue, "\(lhs)")
    }
    #expect(Set(samples + twins).count == samples.count)
  }

  @Test("Values of one number make equal queries, which hash alike")
  func equalNumbers() {
    let pairs: [(AnyQuery, AnyQuery)] = [
      (.equal(key: "a", value: 1), .equal(key: "a", value: 1.0)),
      (.equal(key: "a", value: 1), .equal(key: "a", value: true)),
      (.in(key: "a", values: [0, 2]), .in(key: "a", values: [-0.0, 2.0])),
      (.between(key: "a", lhs: 1, rhs: 2), .between(key: "a", lower: .value(1.0), upper: .value(2))),
    ]
    for (lhs, rhs) in pairs {
      #expect(lhs == rhs)
      #expect(lhs.hashValue == rhs.hashValue)
    }
  }

  @Test("Random queries equal a copy that was built on its own, and hash like it", arguments: SplitMix64.seeds)
  func copies(seed: UInt64) {
    var (sampler, twin) = (QuerySampler(seed: seed), QuerySampler(seed: seed))
    var queries: [AnyQuery] = []
    for _ in 0..<300 {
      let (query, copy) = (sampler.query(depth: 6), twin.query(depth: 6))
      #expect(query == copy)
      #expect(query.hashValue == copy.hashValue)
      #expect(query != !copy)
      queries.append(query)
    }
    for lhs in queries {
      for rhs in queries where lhs == rhs && lhs.hashValue != rhs.hashValue { Issue.record("\(lhs) and \(rhs)") }
    }
  }

  @Test("All of nothing is true, any of nothing is false")
  func emptyJoins() {
    #expect(AnyQuery.all(of: []) == .true)
    #expect(AnyQuery.any(of: []) == .false)
    #expect(AnyQuery.all(of: [Self.a]) == Self.a)
    #expect(AnyQuery.any(of: [Self.a]) == Self.a)
  }

  @Test("More queries are joined from the left")
  func connectives() {
    let (a, b) = (Self.a, Self.b)
    #expect(AnyQuery.all(of: [a, b]) == (a && b))
    #expect(AnyQuery.any(of: [a, b]) == (a || b))
    #expect(AnyQuery.all(of: [a, b, !a]) == ((a && b) && !a))
    #expect(AnyQuery.any(of: [a, b, !a].lazy) == ((a || b) || !a))
  }

  @Test("! binds before &&, and && before ||, as in Swift")
  func precedence() {
    let (a, b) = (Self.a, Self.b)
    #expect((!a && b || a) == (((!a) && b) || a))
    #expect((a || b && !a) == (a || (b && (!a))))
  }

  @Test("The form of a query says how it was built")
  func forms() {
    guard case .and(let lhs, let rhs) = (Self.a && !Self.b).form, case .not(let inner) = rhs.form,
      case .condition(.comparison(let comparison)) = lhs.form
    else {
      Issue.record("\(Self.a && !Self.b) has another form")
      return
    }
    #expect(inner == Self.b)
    #expect(comparison.key == .key("a") && comparison.operator == .equal && comparison.operand == .value(1))
    #expect(AnyQuery(.or(Self.a, Self.b)) == (Self.a || Self.b))
  }

  @Test("A value that can't be stored makes a query, which says so only when it is asked")
  func unstorable() throws {
    let queries: [AnyQuery] = [
      .equal(key: "a", value: UInt64.max), .in(key: "a", values: [0, .max] as [UInt]),
      .between(key: "a", lhs: 0.0, rhs: Double.nan), .between(key: "a", lhs: Float.nan, rhs: 1),
      .compare(key: "a", .lessThan, value: Value.real(.nan)),
    ]
    for query in queries {
      expectError(.invalidValue, of: QueryError.self) { try query.resolved(in: .anything("a")) }
    }
  }

  @Test("Its conditions are visited from left to right, those of negations too, and replaced in their places")
  func conditions() throws {
    let query = try AnyQuery(parsing: "a = b and not (c between d and 2 or e in (3)) or f like 'g'")
    func keys(_ conditions: some Sequence<Condition<AnyExpression>>) -> String {
      var keys = ""
      for condition in conditions { condition.forEachKey { keys += $0.description } }
      return keys
    }
    #expect([keys(query.conditions), keys(query.affirmedConditions)] == ["abcdef", "abf"])
    let replaced = query.mapConditions { condition in
      AnyQuery(.condition(condition.mapKeys { .key("\($0)1") })) || .isNull(key: "n")
    }
    let text = "(a1 = b1 or n is null) and not (c1 between d1 and 2 or n is null or (e1 in (3) or n is null))"
    #expect(replaced.description == "\(text) or (f1 like 'g' or n is null)")
    expectError(.columnNotAllowed, of: QueryError.self, summary: "the column f is not allowed here") {
      try FetchRequest(query).restricted(to: ["a", "b", "c", "d", "e"])
    }
  }

  @Test("The operators leave those of Swift alone")
  func operators() {
    let (yes, no) = (true, false)
    #expect(yes && !no || no)
    #expect([1, 3, 2].sorted(by: >) == [3, 2, 1])
    #expect("a" + "b" > "a")
  }

  @Test("A request asks for everything, in the order of the primary key, unless it says otherwise")
  func requests() {
    #expect(FetchRequest() == FetchRequest(.true, sortedBy: .primaryKey, limit: nil, offset: 0))
    #expect(FetchRequest(Self.a) != FetchRequest(Self.b))
    #expect(FetchRequest(limit: 1) != FetchRequest())
    #expect(FetchRequest(offset: 1) != FetchRequest())
    #expect(FetchRequest(sortedBy: .ascending(key: "a")) != FetchRequest())
    #expect(Set([FetchRequest(Self.a), FetchRequest(Self.a), FetchRequest(Self.b)]).count == 2)
  }
}
