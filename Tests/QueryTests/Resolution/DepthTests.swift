import Query
import Testing

@Suite("Queries may be nested 64 levels deep")
struct DepthTests {
  /// The ways to nest one level further; each level joins the other way than the one within it.
  enum Nesting: CaseIterable {
    case plain, turned, negated, negatedTwice, mixed

    /// A query of so many levels, the innermost of which joins two conditions.
    func query(levels: Int) -> AnyQuery {
      let (a, b) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"))
      return (0..<levels).reduce(b) { query, level in
        let isAnd = level.isMultiple(of: 2)
        switch self {
        case .plain: return isAnd ? a && query : a || query
        case .turned: return isAnd ? query && a : query || a
        // Under a negation, `and` is `or`: all of these levels alternate.
        case .negated: return !(a && query)
        case .negatedTwice: return !(!(isAnd ? a && query : a || query))
        case .mixed:
          switch level % 4 {
          case 0: return a && !query
          case 1: return !query || a
          case 2: return !(!a || query)
          default: return !(!(query || !a))
          }
        }
      }
    }
  }

  @Test("64 levels are asked, and mean what they say", arguments: Nesting.allCases)
  func deepest(nesting: Nesting) throws {
    let table = try TableSchema.anything("a", "b")
    for levels in [1, 2, 63, 64] {
      let query = nesting.query(levels: levels)
      let resolved = try query.resolved(in: table)
      #expect(resolved.clause.depth <= ResolvedQuery.maximumDepth)
      for row in [[1, 1], [1, .null], [.null, 1], [.null, .null]] as [[Value]] {
        let isMatch = PlainEvaluator(keys: ["a", "b"], row: row).holds(query)
        #expect(resolved.matches(row) == isMatch)
        #expect(try (!query).matches(row, in: table) == !isMatch)
      }
    }
    #expect(ResolvedQuery.maximumDepth == 64)
  }

  @Test("These queries are as deep as they look", arguments: [Nesting.plain, .turned, .negated, .negatedTwice])
  func realDepth(nesting: Nesting) throws {
    for levels in [1, 2, 63, 64] {
      #expect(try nesting.query(levels: levels).resolved(in: .anything("a", "b")).clause.depth == levels)
    }
  }

  @Test("65 levels are refused", arguments: [Nesting.plain, .turned, .negated, .negatedTwice])
  func tooDeep(nesting: Nesting) throws {
    for levels in [65, 66, 1_000] {
      for query in [nesting.query(levels: levels), !nesting.query(levels: levels)] {
        let error = #expect(throws: QueryError.self) { try query.resolved(in: .anything("a", "b")) }
        #expect(error?.code == .tooComplex)
        #expect(error?.summary == "the query is nested deeper than 64 levels")
      }
    }
  }

  @Test("Negations and joins of one kind are no levels")
  func noLevels() throws {
    let (a, b) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"))
    // Under its negation each `or` is one more `and`.
    let flat = (0..<1_000).reduce(b) { query, level in level.isMultiple(of: 2) ? !(a || !query) : a && query }
    #expect(try flat.resolved(in: .anything("a", "b")).clause.depth == 1)
    let full = Nesting.plain.query(levels: 64)
    #expect(try (0..<1_001).reduce(full) { query, _ in !query }.resolved(in: .anything("a", "b")).clause.depth == 64)
    // The outermost level of `full` is an `or`.
    #expect(try (a || full || b).resolved(in: .anything("a", "b")).clause.depth == 64)
    #expect(throws: QueryError.self) { try (a && full).resolved(in: .anything("a", "b")) }
  }

  @Test("A sum of deep queries is as deep as the deepest of them")
  func wideAndDeep() throws {
    let deep = Nesting.plain.query(levels: 64)
    let query = AnyQuery.any(of: Array(repeating: deep, count: 150))
    #expect(try query.resolved(in: .anything("a", "b")).clause.depth == 64)
  }
}
