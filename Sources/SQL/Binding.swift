public import Query

/// The content of a placeholder: the value or the list that is bound to it.
public enum Binding: Hashable, Sendable {
  /// One value.
  case value(Value)
  /// A list of values that is bound as one, such as PostgreSQL's arrays, with the type of its items.
  case list([Value], ValueType)
}

// MARK: - Slots

/// The source of a binding in a request, and how the binding is made from an operand of the request.
///
/// The writer records a slot for each value that it takes from a request, in the order of the placeholders. The plan of a
/// statement is its SQL and these slots; an operand is identified by its position among all operands of the request, from left
/// to right.
enum Slot: Sendable {
  /// A value that is bound unchanged.
  case value(operand: Int)
  /// A value that is bound in the form that the dialect determines. The plan holds for other values as long as the dialect
  /// determines the same operator for them.
  case comparison(operand: Int, column: Int, ComparisonOperator, outcome: ComparisonOperator)
  /// A value for which nothing is bound, because the dialect makes the comparison a constant. The plan holds for other values
  /// as long as the constant is the same.
  case constant(operand: Int, column: Int, ComparisonOperator, Bool)
  /// A text, and its bindings by the dialect.
  case text(operand: Int, [TextBinding])
  /// A list, and its bindings by the dialect for those of its values that the column could equal. Nothing is bound if there are
  /// no such values.
  case list(operand: Int, column: Int, isEmpty: Bool, [ListBinding])
  /// The limit or the offset.
  case range(RangeBound)
  /// A binding that is the same for every request of a plan.
  case fixed(Binding)
}

extension Slot {
  /// Returns the same slot for another position of the operand.
  func mapOperand(_ transform: (Int) -> Int) -> Slot {
    switch self {
    case .value(let operand):
      .value(operand: transform(operand))
    case .comparison(let operand, let column, let comparisonOperator, let outcome):
      .comparison(operand: transform(operand), column: column, comparisonOperator, outcome: outcome)
    case .constant(let operand, let column, let comparisonOperator, let constant):
      .constant(operand: transform(operand), column: column, comparisonOperator, constant)
    case .text(let operand, let makes):
      .text(operand: transform(operand), makes)
    case .list(let operand, let column, let isEmpty, let makes):
      .list(operand: transform(operand), column: column, isEmpty: isEmpty, makes)
    case .range, .fixed:
      self
    }
  }
}

/// The values of a statement while it is being built.
package struct BoundValues {
  package private(set) var values: [Value] = []
  private(set) var lists: [BoundList] = []

  package init() {}

  mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

  mutating func append(_ value: Value) { values.append(value) }

  package mutating func append(_ binding: Binding) {
    switch binding {
    case .value(let value): values.append(value)
    case .list(let items, let type):
      lists.append(BoundList(position: values.count, values: items, type: type))
      values.append(.null)
    }
  }

  /// Returns the bindings at some positions.
  func ordered(by positions: [Int]) -> BoundValues {
    var ordered = BoundValues()
    ordered.reserveCapacity(positions.count)
    for position in positions { ordered.append(self[position]) }
    return ordered
  }

  private subscript(position: Int) -> Binding {
    if let list = lists.first(where: { $0.position == position }) { return .list(list.values, list.type) }
    return .value(values[position])
  }
}

extension RangeBound {
  /// Returns the value to bind; -1 without a limit.
  func value(limit: Int?, offset: Int) -> Value { .integer(Int64(self == .limit ? limit ?? -1 : offset)) }
}
