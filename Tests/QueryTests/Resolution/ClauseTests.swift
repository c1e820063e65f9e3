import Query
import Testing
import TestSupport

@Suite("A resolved query is flat, its negations stand at its conditions, and its constants are gone")
struct ClauseTests {
  static let a = AnyQuery.isNull(key: "a")
  static let b = AnyQuery.isNull(key: "b")
  static let c = AnyQuery.isNull(key: "c")
  static let d = AnyQuery.isNull(key: "d")

  static let cases: [(AnyQuery, String)] = [
    (a, "a"), (!a, "!a"), (!(!a), "a"), (!(!(!a)), "!a"),
    // Chains of one kind are one join.
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
    // What is left of a join may flow into the join around it.
    (a && (.false || (b && c)), "all(a b c)"), (a || (.true && (b || c)), "any(a b c)"),
    (a && !(.true && (!b || !c)), "all(a b c)"), (.true && (a || b), "any(a b)"),
    (.false || (.true && (.false || (.true && a))), "a"),
    (.all(of: []) && a, "a"), (.any(of: []) && a, "any()"),
    // Nothing else is rewritten: conditions stay as they are, and in their order.
    (a && a, "all(a a)"), (a || !a, "any(a !a)"), (b && a, "all(b a)"),
  ]

  @Test("Queries and their clauses", arguments: cases)
  func table(query: AnyQuery, outline: String) throws {
    #expect(try query.resolved(in: .anything("a", "b", "c", "d")).clause.outline == outline)
  }

  @Test("Random queries become clauses that are no deeper, flat and free of constants", arguments: SplitMix64.seeds)
  func random(seed: UInt64) throws {
    var sampler = QuerySampler(seed: seed)
    let table = try QuerySampler.table()
    for _ in 0..<2_000 {
      let query = sampler.query(depth: 6)
      let clause = try query.resolved(in: table).clause
      guard clause.isNormal, clause.depth <= 6 else {
        Issue.record("\(query) becomes \(clause.outline)")
        return
      }
    }
  }
}
