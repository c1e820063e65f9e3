/// A condition that was prepared once for many rows, in the form that costs a row least.
enum RowTest: Sendable {
  /// Whether a column's value is in a range of numbers.
  case number(NumberRange, column: Int, isNegated: Bool)
  /// Whether a column's value is a text.
  case text(TextEquality, column: Int, isNegated: Bool)
  /// Anything else.
  case predicate(RowPredicate)

  /// The test of one row.
  func makePredicate() -> RowPredicate {
    switch self {
    case .number(let range, let column, let isNegated): return { row in range.holds(row[column]) != isNegated }
    case .text(let equality, let column, let isNegated): return { row in equality.holds(row[column]) != isNegated }
    case .predicate(let predicate): return predicate
    }
  }

  /// The test of many rows, without a call for each.
  func makeFilter() -> RowFilter {
    switch self {
    case .number(let range, let column, let isNegated):
      return { rows, selection in selection.keep { range.holds(rows[$0][column]) != isNegated } }
    case .text(let equality, let column, let isNegated):
      return { rows, selection in selection.keep { equality.holds(rows[$0][column]) != isNegated } }
    case .predicate(let predicate):
      return { rows, selection in selection.keep { predicate(rows[$0]) } }
    }
  }
}
