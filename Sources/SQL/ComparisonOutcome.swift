public import Query

/// The comparison of a column with a value, as determined by a dialect.
public enum ComparisonOutcome: Hashable, Sendable {
  /// A comparison with a value of the column's own type.
  case bound(ComparisonOperator, Value)
  /// A constant result for every value that the column can hold, except for null.
  case constant(Bool)
}

// MARK: - Bounds of the column's own type

extension ColumnSchema {
  /// Returns the comparison that is equivalent to one of the column with a value: with a number as the column would hold it.
  ///
  /// A database then has nothing to convert, which could round and prevent the use of an index: SQLite does not find the
  /// smallest integer if it is bound as a real, and PostgreSQL compares an integer with a real as reals. If the column can't
  /// hold the number, it is compared with the nearest number that it can hold.
  ///
  /// - Parameter value: a value other than null.
  public func comparison(_ comparisonOperator: ComparisonOperator, _ value: Value) -> ComparisonOutcome {
    // The values of a column that does not guarantee its type are not known.
    guard declaredType == nil else { return .bound(comparisonOperator, value) }
    switch (type, value) {
    case (.integer, .real(let real)): return Self.integerComparison(comparisonOperator, real)
    case (.real, .integer(let integer)): return Self.realComparison(comparisonOperator, integer)
    default: return .bound(comparisonOperator, value)
    }
  }

  private static func integerComparison(_ comparisonOperator: ComparisonOperator, _ real: Double) -> ComparisonOutcome {
    if let integer = Int64(exactly: real) { return .bound(comparisonOperator, .integer(integer)) }
    // The real is beyond all integers, as infinity is. 2^63 is the first such number, while -2^63 is an integer.
    if real >= 0x1p63 {
      return .constant(
        comparisonOperator == .lessThan || comparisonOperator == .lessThanOrEqual || comparisonOperator == .notEqual)
    }
    if real < -0x1p63 {
      return .constant(
        comparisonOperator == .greaterThan || comparisonOperator == .greaterThanOrEqual
          || comparisonOperator == .notEqual)
    }
    switch comparisonOperator {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .greaterThanOrEqual: return .bound(comparisonOperator, .integer(Int64(real.rounded(.up))))
    case .lessThanOrEqual, .greaterThan: return .bound(comparisonOperator, .integer(Int64(real.rounded(.down))))
    }
  }

  private static func realComparison(_ comparisonOperator: ComparisonOperator, _ integer: Int64) -> ComparisonOutcome {
    if let real = Double(exactly: integer) { return .bound(comparisonOperator, .real(real)) }
    let nearest = Double(integer)
    // 2^63 is the only such real that is not an `Int64`, and it is above the integer.
    let isAbove = Int64(exactly: nearest).map { $0 > integer } ?? true
    switch comparisonOperator {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .greaterThanOrEqual: return .bound(comparisonOperator, .real(isAbove ? nearest : nearest.nextUp))
    case .lessThanOrEqual, .greaterThan: return .bound(comparisonOperator, .real(isAbove ? nearest.nextDown : nearest))
    }
  }
}

extension Dialect {
  /// Returns the values of a list that a column could equal, in the form in which it would hold them.
  ///
  /// Nulls are left out, since SQL's `IN` never finds them.
  func equatable(_ values: [Value], to column: ColumnSchema) -> [Value] {
    var equatable: [Value] = []
    equatable.reserveCapacity(values.count)
    for value in values where !value.isNull {
      if case .bound(_, let value) = comparison(column, .equal, value) { equatable.append(value) }
    }
    return equatable
  }
}
