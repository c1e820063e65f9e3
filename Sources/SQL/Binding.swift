public import Query

/// What is bound to a placeholder.
public enum Binding: Hashable, Sendable {
  /// One value.
  case value(Value)
  /// A list of values that goes to the database as one, such as PostgreSQL's arrays, and the type of its items.
  case list([Value], ValueType)
}

/// What remains of the comparison of a column with a value.
public enum ComparisonOutcome: Hashable, Sendable {
  /// A comparison with a value of the column's own type.
  case bound(Relation, Value)
  /// The same answer for every value that the column can hold, but for null.
  case constant(Bool)
}

// MARK: - Bounds of the column's own type

extension ColumnSchema {
  /// What a column has to be compared with to be in a relation to a value: a number as the column would hold it.
  ///
  /// The comparison means the same, and a database has nothing to convert, which could round and would cost an index:
  /// SQLite looks up the smallest integer in vain if it is given as a real, and PostgreSQL compares an integer with a real
  /// as reals. Where the column can't hold the number, its nearest neighbour stands in for it.
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

// MARK: - Slots

/// Where a binding comes from in a request, and how it is made of what stands there.
///
/// The writer leaves one for each value that it takes from a request, in the order of the placeholders. A plan of a statement
/// is its SQL and these; an operand is told by its position among all operands of the request, from left to right.
enum Slot: Sendable {
  /// A value that is bound as it stands.
  case value(operand: Int)
  /// A value that is bound as the dialect says, as long as it says the same relation.
  case comparison(operand: Int, column: Int, Relation, outcome: Relation)
  /// A value of which nothing is bound, as long as the dialect says that the comparison with it is the same constant.
  case constant(operand: Int, column: Int, Relation, Bool)
  /// A text and what the dialect makes of it.
  case text(operand: Int, [TextBinding])
  /// A list and what the dialect makes of those of its values that the column could equal. None is bound where there are no
  /// such values.
  case list(operand: Int, column: Int, isEmpty: Bool, [ListBinding])
  /// The limit or the offset.
  case range(RangeBound)
  /// A value that is no part of a request.
  case fixed(Value)
}

extension Slot {
  /// The same slot of an operand that is told by another position.
  func mapOperand(_ transform: (Int) -> Int) -> Slot {
    switch self {
    case .value(let operand):
      .value(operand: transform(operand))
    case .comparison(let operand, let column, let relation, let outcome):
      .comparison(operand: transform(operand), column: column, relation, outcome: outcome)
    case .constant(let operand, let column, let relation, let constant):
      .constant(operand: transform(operand), column: column, relation, constant)
    case .text(let operand, let makes):
      .text(operand: transform(operand), makes)
    case .list(let operand, let column, let isEmpty, let makes):
      .list(operand: transform(operand), column: column, isEmpty: isEmpty, makes)
    case .range, .fixed:
      self
    }
  }
}

/// The values of a statement while they are put together.
struct BoundValues {
  private(set) var values: [Value] = []
  private(set) var lists: [BoundList] = []

  mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

  mutating func append(_ value: Value) { values.append(value) }

  mutating func append(_ binding: Binding) {
    switch binding {
    case .value(let value): values.append(value)
    case .list(let items, let type):
      lists.append(BoundList(position: values.count, values: items, type: type))
      values.append(.null)
    }
  }
}

extension RangeBound {
  /// What is bound; -1 for a limit that there is not.
  func value(limit: Int?, offset: Int) -> Value { .integer(Int64(self == .limit ? limit ?? -1 : offset)) }
}
