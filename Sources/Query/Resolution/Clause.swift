/// A query whose negations stand at its conditions alone, and whose joins are flat: the "negation normal form" that
/// evaluation and the compiler start from. It is never nested deeper than ``ResolvedQuery/maximumDepth``, so walking
/// through it may recurse.
package indirect enum Clause: Sendable {
  /// A condition or its exact opposite; never a constant.
  case condition(Condition<Int>, isNegated: Bool)
  /// All of the clauses; true if there is none. No member is itself an `all`.
  case all([Clause])
  /// Any of the clauses; false if there is none. No member is itself an `any`.
  case any([Clause])
}

extension Clause {
  /// True or false for every row.
  static func constant(_ constant: Bool) -> Clause { constant ? .all([]) : .any([]) }

  /// Joins clauses, leaving out what does not matter.
  static func join(_ clauses: ArraySlice<Clause>, matchingAll: Bool) -> Clause {
    var joined: [Clause] = []
    joined.reserveCapacity(clauses.count)
    for clause in clauses {
      switch clause {
      case .all(let members) where matchingAll: joined += members
      case .any(let members) where !matchingAll: joined += members
      // `false` decides a conjunction, `true` a disjunction.
      case .any(let members) where members.isEmpty: return .any([])
      case .all(let members) where members.isEmpty: return .all([])
      default: joined.append(clause)
      }
    }
    joined = merged(joined, matchingAll: matchingAll)
    if joined.count == 1 { return joined[0] }
    return matchingAll ? .all(joined) : .any(joined)
  }

  /// Prepares the clause once for many rows.
  package func makePredicate() -> RowPredicate {
    switch self {
    case .condition(let condition, let isNegated): condition.makePredicate(isNegated: isNegated)
    case .all(let clauses): PredicateJoin.all(clauses.map { $0.makePredicate() }[...])
    case .any(let clauses): PredicateJoin.any(clauses.map { $0.makePredicate() }[...])
    }
  }

  /// Prepares the clause once for tables of rows: filters of which each takes what the one before it has left.
  package func makeFilters() -> [RowFilter] {
    switch self {
    case .condition(let condition, let isNegated): [condition.makeTest(isNegated: isNegated).makeFilter()]
    case .all(let clauses): clauses.flatMap { $0.makeFilters() }
    case .any: [RowTest.predicate(makePredicate()).makeFilter()]
    }
  }
}
