extension Clause {
  /// From how many members on a join is looked through for members that say the same.
  private static let long = 64

  /// Makes a long join short where that leaves its meaning alone: a member that stands twice counts once, and
  /// `a = 1 or a = 2 or …` becomes `a in (1, 2, …)`, as `a != 1 and a != 2 and …` becomes `a not in (1, 2, …)`.
  ///
  /// Programs write such chains, and databases need time for them that grows with the square of their length.
  static func merged(_ members: [Clause], matchingAll: Bool) -> [Clause] {
    guard members.count > long else { return members }
    var merged: [Clause] = []
    var lists: [Int: (position: Int, memberCount: Int, values: [Value])] = [:]
    var seen: Set<Condition<Int>> = []
    var seenNegated: Set<Condition<Int>> = []
    for member in members {
      guard case .condition(let condition, let isNegated) = member else {
        merged.append(member)
        continue
      }
      // A disjunction of equalities is a list, and so is a conjunction of their opposites.
      if let list = condition.list(isNegated: isNegated != matchingAll) {
        if lists[list.key] == nil {
          lists[list.key] = (merged.count, 0, [])
          merged.append(member)
        }
        lists[list.key]?.memberCount += 1
        lists[list.key]?.values += list.values
      } else if isNegated ? seenNegated.insert(condition).inserted : seen.insert(condition).inserted {
        merged.append(member)
      }
    }
    // By members, not by values: an empty list and one value beside it are one value, not the empty list.
    for (key, list) in lists where list.memberCount > 1 {
      merged[list.position] = .condition(
        .membership(Membership(key: key, values: list.values)), isNegated: matchingAll)
    }
    return merged
  }

  /// How many conditions the clause has.
  var conditionCount: Int {
    switch self {
    case .condition: 1
    case .all(let clauses), .any(let clauses): clauses.reduce(0) { $0 + $1.conditionCount }
    }
  }
}

extension Condition where Key == Int {
  /// The values to one of which the key has to be equal, where that is what the condition, or its opposite, says.
  fileprivate func list(isNegated: Bool) -> (key: Int, values: [Value])? {
    switch self {
    case .membership(let membership) where !isNegated:
      (membership.key, membership.values)
    case .comparison(let comparison) where comparison.relation == (isNegated ? .notEqual : .equal):
      if case .value(let value) = comparison.operand { (comparison.key, [value]) } else { nil }
    default: nil
    }
  }
}
