/// The least or the greatest of values in the total order, nulls left out.
package struct Extreme: Sendable {
  private let isGreatest: Bool
  /// Null where there is none.
  package private(set) var value: Value = .null

  /// Makes the extreme of nothing.
  package init(isGreatest: Bool) {
    self.isGreatest = isGreatest
  }

  /// Looks at one more value.
  ///
  /// Of an integer and a real that are equal, the integer is given, so that the order of rows makes no difference.
  package mutating func add(_ other: Value) {
    if other.isNull { return }
    let order = value.isNull ? 0 : Value.compare(other, value)
    if order == 0 {
      if value.isNull || other.isInteger { value = other }
    } else if isGreatest == (order > 0) {
      value = other
    }
  }
}

extension Value {
  /// Whether this is an ``integer(_:)``.
  var isInteger: Bool {
    if case .integer = self { true } else { false }
  }
}
