public import Query

/// The comparison of a column with a value, as a dialect has it made.
public enum ComparisonOutcome: Hashable, Sendable {
  /// A comparison with a value of the column's own type.
  case bound(Relation, Value)
  /// The same answer for every value that the column can hold, but for null.
  case constant(Bool)
}

// MARK: - Bounds of the column's own type

extension ColumnSchema {
  /// The comparison that tells whether the column is in a relation to a value: with a number as the column would hold it.
  ///
  /// The comparison means the same, and a database has nothing to convert, which could round and would cost an index:
  /// SQLite looks up the smallest integer in vain if it is given as a real, and PostgreSQL compares an integer with a real
  /// as reals. Where the column can't hold the number, it is compared with the nearest number that it can hold.
  ///
  /// - Parameter value: not null.
  public func comparison(_ relation: Relation, _ value: Value) -> ComparisonOutcome {
    // What a column holds that does not guarantee its type is not known.
    guard declaredType == nil else { return .bound(relation, value) }
    switch (type, value) {
    case (.integer, .real(let real)): return Self.integerComparison(relation, real)
    case (.real, .integer(let integer)): return Self.realComparison(relation, integer)
    default: return .bound(relation, value)
    }
  }

  private static func integerComparison(_ relation: Relation, _ real: Double) -> ComparisonOutcome {
    if let integer = Int64(exactly: real) { return .bound(relation, .integer(integer)) }
    // Beyond all integers, which is also where infinity is. 2^63 is the first one there, -2^63 is an integer.
    if real >= 0x1p63 {
      return .constant(relation == .lessThan || relation == .lessThanOrEqual || relation == .notEqual)
    }
    if real < -0x1p63 {
      return .constant(relation == .greaterThan || relation == .greaterThanOrEqual || relation == .notEqual)
    }
    switch relation {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .greaterThanOrEqual: return .bound(relation, .integer(Int64(real.rounded(.up))))
    case .lessThanOrEqual, .greaterThan: return .bound(relation, .integer(Int64(real.rounded(.down))))
    }
  }

  private static func realComparison(_ relation: Relation, _ integer: Int64) -> ComparisonOutcome {
    if let real = Double(exactly: integer) { return .bound(relation, .real(real)) }
    let nearest = Double(integer)
    let isAbove = Int64(exactly: nearest).map { $0 > integer } ?? true  // 2^63 is the only one that is no integer.
    switch relation {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .greaterThanOrEqual: return .bound(relation, .real(isAbove ? nearest : nearest.nextUp))
    case .lessThanOrEqual, .greaterThan: return .bound(relation, .real(isAbove ? nearest.nextDown : nearest))
    }
  }
}

extension Dialect {
  /// The values of a list that a column could equal, in the form in which it would hold them.
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
