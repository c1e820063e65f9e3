public import Query

/// A range of values that a property may lie in: every range of Swift's with a bound.
public protocol PropertyRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound: ValueConvertible

  /// The query for the keys that lie in the range.
  func query(key: String) -> AnyQuery
}

extension ClosedRange: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound to the upper one, both included.
  public func query(key: String) -> AnyQuery {
    .between(key: key, lhs: lowerBound, rhs: upperBound)
  }
}

extension Range: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound on and below the upper one.
  public func query(key: String) -> AnyQuery {
    .greaterThanOrEqual(key: key, value: lowerBound) && .lessThan(key: key, value: upperBound)
  }
}

extension PartialRangeFrom: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound on.
  public func query(key: String) -> AnyQuery {
    .greaterThanOrEqual(key: key, value: lowerBound)
  }
}

extension PartialRangeThrough: PropertyRange where Bound: ValueConvertible {
  /// Matches up to the upper bound, which is included.
  public func query(key: String) -> AnyQuery {
    .lessThanOrEqual(key: key, value: upperBound)
  }
}

extension PartialRangeUpTo: PropertyRange where Bound: ValueConvertible {
  /// Matches below the upper bound.
  public func query(key: String) -> AnyQuery {
    .lessThan(key: key, value: upperBound)
  }
}
