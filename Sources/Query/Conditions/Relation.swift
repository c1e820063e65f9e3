/// How one value may stand to another.
public enum Relation: String, Hashable, Sendable, CaseIterable {
  /// The same place in the total order; null equals null.
  case equal = "="
  /// The exact negation of ``equal``; a null differs from every value but null.
  case notEqual = "!="
  /// Before, and neither side null.
  case lessThan = "<"
  /// Before or equal, and neither side null.
  case lessThanOrEqual = "<="
  /// After, and neither side null.
  case greaterThan = ">"
  /// After or equal, and neither side null.
  case greaterThanOrEqual = ">="

  /// Whether `lhs` stands in this relation to `rhs`.
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
}
