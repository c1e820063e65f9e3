import Query

extension Relation {
  var sql: String { self == .notEqual ? "<>" : rawValue }

  /// The relation that holds between two values, neither of them null, exactly where this one does not.
  var opposite: Relation {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .lessThan: .greaterThanOrEqual
    case .lessThanOrEqual: .greaterThan
    case .greaterThan: .lessThanOrEqual
    case .greaterThanOrEqual: .lessThan
    }
  }

  var isEquality: Bool { self == .equal || self == .notEqual }
}
