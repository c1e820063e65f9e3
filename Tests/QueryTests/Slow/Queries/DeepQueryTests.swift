import Query
import Synchronization
import TestSupport
import Testing

@Suite("Queries may be nested deeper than any stack")
struct DeepQueryTests {
  enum Shape: CaseIterable {
    case nots, alternating, leftAnds, leftOrs, rightAnds, mixed

    var levels: Int { Effort.rounds(self == .nots ? 1_000_000 : 100_000) }

    /// Builds the query anew, around a condition that stands in its depths.
    func query(around core: AnyQuery = .equal(key: "a", value: 1)) -> AnyQuery {
      let leaf = AnyQuery.equal(key: "a", value: 2)
      return (0..<levels).reduce(core) { query, level in
        switch self {
        case .nots: !query
        case .alternating: level.isMultiple(of: 2) ? leaf && query : leaf || query
        case .leftAnds: query && leaf
        case .leftOrs: query || leaf
        case .rightAnds: leaf && query
        case .mixed: level.isMultiple(of: 3) ? !query : level % 3 == 1 ? query && leaf : leaf || query
        }
      }
    }
  }

  @Test("A hundred thousand negations and more cancel out, and one more does not")
  func nots() throws {
    let query = Shape.nots.query()
    #expect(try query.matches([1], in: .anything("a")))
    #expect(try !query.matches([2], in: .anything("a")))
    #expect(try !(!query).matches([1], in: .anything("a")))
    #expect(try (!query).matches([2], in: .anything("a")))
  }

  @Test("Chains of one kind count as one level", arguments: [Shape.leftAnds, .leftOrs, .rightAnds])
  func chains(shape: Shape) throws {
    let query = shape.query()
    let resolved = try query.resolved(in: .anything("a"))
    #expect(resolved.matches([1]) == (shape == .leftOrs))
    #expect(resolved.matches([2]) == (shape == .leftOrs))
    #expect(!resolved.matches([3]))
    // Their negation as well, by De Morgan.
    #expect(try (!query).matches([3], in: .anything("a")))
  }

  @Test("A query that is too deep to evaluate is refused", arguments: [Shape.alternating, .mixed])
  func tooDeep(shape: Shape) throws {
    let error = #expect(throws: QueryError.self) { try shape.query().resolved(in: .anything("a")) }
    #expect(error?.code == .tooComplex)
    #expect(error?.suggestion != nil)
  }

  /// A query that holds few nodes and means 2^80 conditions.
  static func joinedWithItself(_ core: AnyQuery, times: Int = 80) -> AnyQuery {
    (0..<times).reduce(core) { query, level in level.isMultiple(of: 2) ? query && query : query || query }
  }

  @Test("A query that is joined with itself again and again is compared, hashed, refused and freed at once")
  func joinedWithItself() throws {
    let query = Self.joinedWithItself(.isNull(key: "a"))
    let twin = Self.joinedWithItself(.isNull(key: "a"))
    let other = Self.joinedWithItself(.isNull(key: "b"))
    #expect((query == twin) as Bool)
    #expect((query != other) as Bool)
    #expect((query.hashValue == twin.hashValue) as Bool)
    #expect(query.conditionCount == .max)
    for tooLarge in [query, !query, query && query] {
      expectError(.tooComplex, of: QueryError.self) { try tooLarge.resolved(in: .anything("a")) }
    }
  }

  @Test("A chain of negations that is joined with itself again and again is refused at once")
  func negationsJoinedWithThemselves() throws {
    let query = Self.joinedWithItself(Shape.nots.query(), times: 18)
    expectError(.tooComplex, of: QueryError.self) { try query.resolved(in: .anything("a")) }
    #expect(query.description.hasPrefix("<"))
  }

  @Test("A million conditions are asked, and one more is refused")
  func conditionCount() throws {
    let table = try TableSchema.anything("a")
    let leaf = AnyQuery.equal(key: "a", value: 1)
    let thousand = AnyQuery.all(of: Array(repeating: leaf, count: 1_000))
    let million = AnyQuery.all(of: Array(repeating: thousand, count: 1_000))
    #expect(million.conditionCount == ResolvedQuery.maximumConditionCount)
    // To ask a million takes ten seconds in a debug build.
    #expect(try (Effort.isFull ? million : thousand).matches([1], in: table))
    expectError(.tooComplex, of: QueryError.self) { try (million && leaf).resolved(in: table) }
  }

  /// Holds a query until it is told to let go.
  final class Holder: Sendable {
    private let query: Mutex<AnyQuery?>
    init(_ query: AnyQuery) { self.query = Mutex(query) }
    func free() { query.withLock { $0 = nil } }
  }

  @Test("Two tasks free a query that they share")
  func sharedByTasks() async {
    for _ in 0..<20 {
      let holders = Self.chainHolders(levels: 10_000)
      await Self.free(holders)
    }
  }

  @Test("Two tasks free queries that share every level")
  func sharedLevels() async {
    for _ in 0..<3 {
      let holders = Self.ladderHolders(levels: 100_000)
      await Self.free(holders)
    }
  }

  private static func free(_ holders: [Holder]) async {
    await withTaskGroup { group in
      for holder in holders { group.addTask { @concurrent in holder.free() } }
    }
  }

  /// Two that hold one and the same chain.
  private static func chainHolders(levels: Int) -> [Holder] {
    let leaf = AnyQuery.isNull(key: "a")
    let chain = (0..<levels).reduce(leaf) { query, _ in query && leaf }
    return [Holder(!chain), Holder(!chain)]
  }

  /// Two whose every level holds both of the level below, so that each level is freed by the one that comes last.
  private static func ladderHolders(levels: Int) -> [Holder] {
    var (left, right) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"))
    for _ in 0..<levels { (left, right) = (left && right, left || right) }
    return [Holder(left), Holder(right)]
  }
}

@Suite("Queries may be nested 64 levels deep")
struct DepthTests {
  /// The ways to nest one level further; each level has the other connective than the one within it.
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

  @Test("64 levels are allowed, and have the right answer", arguments: Nesting.allCases)
  func deepest(nesting: Nesting) throws {
    let table = try TableSchema.anything("a", "b")
    for levels in [1, 2, 63, 64] {
      let query = nesting.query(levels: levels)
      let resolved = try query.resolved(in: table)
      #expect(resolved.predicate.depth <= ResolvedQuery.maximumDepth)
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
      #expect(try nesting.query(levels: levels).resolved(in: .anything("a", "b")).predicate.depth == levels)
    }
  }

  @Test("65 levels are refused", arguments: [Nesting.plain, .turned, .negated, .negatedTwice])
  func tooDeep(nesting: Nesting) throws {
    for levels in [65, 66, 1_000] {
      for query in [nesting.query(levels: levels), !nesting.query(levels: levels)] {
        expectError(.tooComplex, of: QueryError.self, summary: "the query is nested deeper than 64 levels") {
          try query.resolved(in: .anything("a", "b"))
        }
      }
    }
  }

  @Test("Negations and connectives of one kind are no levels")
  func noLevels() throws {
    let (a, b) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"))
    // Under its negation each `or` is one more `and`.
    let flat = (0..<1_000).reduce(b) { query, level in level.isMultiple(of: 2) ? !(a || !query) : a && query }
    #expect(try flat.resolved(in: .anything("a", "b")).predicate.depth == 1)
    let full = Nesting.plain.query(levels: 64)
    #expect(try (0..<1_001).reduce(full) { query, _ in !query }.resolved(in: .anything("a", "b")).predicate.depth == 64)
    // The outermost level of `full` is an `or`.
    #expect(try (a || full || b).resolved(in: .anything("a", "b")).predicate.depth == 64)
    #expect(throws: QueryError.self) { try (a && full).resolved(in: .anything("a", "b")) }
  }

  @Test("A sum of deep queries is as deep as the deepest of them")
  func wideAndDeep() throws {
    let deep = Nesting.plain.query(levels: 64)
    let query = AnyQuery.any(of: Array(repeating: deep, count: 150))
    #expect(try query.resolved(in: .anything("a", "b")).predicate.depth == 64)
  }
}
