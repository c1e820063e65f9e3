import Query

extension Clause {
  /// How the clause is built, every condition as the letter of its column: `all(a any(b !c))`.
  var outline: String {
    switch self {
    case .condition(let condition, let isNegated):
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

  /// Whether the clause is what its documentation promises: no join holds one of its own kind, or a single member, or a
  /// constant, and the whole is a constant only where it is empty.
  var isNormal: Bool {
    switch self {
    case .condition(.constant, _): return false
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
