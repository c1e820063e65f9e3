/// A query whose negations apply only to conditions, and whose connectives are flat: the "negation normal form" from which
/// evaluation and the compiler start. It is never nested deeper than ``ResolvedQuery/maximumDepth``, so walking through it
/// may recurse.
package indirect enum NormalizedPredicate: Sendable {
  /// A condition or its exact opposite; never a constant. `operand` is the position of its first operand among those of the
  /// whole request, from left to right.
  case condition(Condition<Int>, isNegated: Bool, operand: Int)
  /// The conjunction of the members; true if there are none. No member is itself an `all`.
  case all([NormalizedPredicate])
  /// The disjunction of the members; false if there are none. No member is itself an `any`.
  case any([NormalizedPredicate])
}

extension NormalizedPredicate {
  /// Returns a constant, for every row.
  static func constant(_ constant: Bool) -> NormalizedPredicate { constant ? .all([]) : .any([]) }

  /// Combines predicates, leaving out those that make no difference.
  static func combined(_ clauses: ArraySlice<NormalizedPredicate>, matchingAll: Bool) -> NormalizedPredicate {
    var combined: [NormalizedPredicate] = []
    combined.reserveCapacity(clauses.count)
    for clause in clauses {
      switch clause {
      case .all(let members) where matchingAll: combined += members
      case .any(let members) where !matchingAll: combined += members
      // `false` decides a conjunction, `true` a disjunction.
      case .any(let members) where members.isEmpty: return .any([])
      case .all(let members) where members.isEmpty: return .all([])
      default: combined.append(clause)
      }
    }
    combined = merged(combined, matchingAll: matchingAll)
    if combined.count == 1 { return combined[0] }
    return matchingAll ? .all(combined) : .any(combined)
  }
}

extension NormalizedPredicate {
  /// The number of members above which a connective is searched for duplicates.
  private static let long = 64

  /// Shortens a long connective to an equivalent one: a repeated member counts once, and `a = 1 or a = 2 or …` becomes `a in
  /// (1, 2, …)`, as `a != 1 and a != 2 and …` becomes `a not in (1, 2, …)`.
  ///
  /// Programs generate such chains, and databases need time for them that grows with the square of their length.
  static func merged(_ members: [NormalizedPredicate], matchingAll: Bool) -> [NormalizedPredicate] {
    guard members.count > long else { return members }
    var merged: [NormalizedPredicate] = []
    var lists: [Int: (position: Int, operand: Int, memberCount: Int, values: [Value])] = [:]
    var seen: Set<Condition<Int>> = []
    var seenNegated: Set<Condition<Int>> = []
    for member in members {
      guard case .condition(let condition, let isNegated, let operand) = member else {
        merged.append(member)
        continue
      }
      // A disjunction of equalities is a list, and so is a conjunction of their opposites.
      if let list = condition.equalityList(isNegated: isNegated != matchingAll) {
        if lists[list.key] == nil {
          lists[list.key] = (merged.count, operand, 0, [])
          merged.append(member)
        }
        lists[list.key]?.memberCount += 1
        lists[list.key]?.values += list.values
      } else if isNegated ? seenNegated.insert(condition).inserted : seen.insert(condition).inserted {
        merged.append(member)
      }
    }
    // Members are counted, not values: `a in ()` and `a = 1` are two members with one value, which replaces the empty list.
    for (key, list) in lists where list.memberCount > 1 {
      merged[list.position] = .condition(
        .membership(Membership(key: key, values: list.values)), isNegated: matchingAll, operand: list.operand)
    }
    return merged
  }

  /// The number of conditions of the predicate.
  var conditionCount: Int {
    switch self {
    case .condition: 1
    case .all(let clauses), .any(let clauses): clauses.reduce(0) { $0 + $1.conditionCount }
    }
  }
}
