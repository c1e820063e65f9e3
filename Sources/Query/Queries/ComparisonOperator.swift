/// An operator that compares two values: equal, less than, and their opposites.
public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  /// Equality in the total order; null equals null.
  case equal = "="
  /// The exact negation of ``equal``; a null differs from every value but null.
  case notEqual = "!="
  /// Order before, with neither side null.
  case lessThan = "<"
  /// Order before or equality, with neither side null.
  case lessThanOrEqual = "<="
  /// Order after, with neither side null.
  case greaterThan = ">"
  /// Order after or equality, with neither side null.
  case greaterThanOrEqual = ">="

  /// Whether the operator is independent of the order.
  package var isEquality: Bool { self == .equal || self == .notEqual }

  /// Returns whether the comparison of `lhs` with `rhs` holds.
  public func holds(_ lhs: Value, _ rhs: Value) -> Bool {
    switch self {
    case .equal: return lhs == rhs
    case .notEqual: return lhs != rhs
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
    }
    if lhs.isNull || rhs.isNull { return false }
    let order = Value.compare(lhs, rhs)
    return switch self {
    case .lessThan: order < 0
    case .lessThanOrEqual: order <= 0
    case .greaterThan: order > 0
    default: order >= 0
    }
  }

  /// The operator of the same comparison with its sides exchanged.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .lessThan: .greaterThan
    case .lessThanOrEqual: .greaterThanOrEqual
    case .greaterThan: .lessThan
    case .greaterThanOrEqual: .lessThanOrEqual
    }
  }
}
