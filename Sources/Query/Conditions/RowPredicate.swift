/// Whether a row, its values in the order of the table's columns, is one that a query means.
///
/// It looks at the values where they are: nothing is copied, and nobody's count of references changes.
package typealias RowPredicate = @Sendable (_ row: UnsafeBufferPointer<Value>) -> Bool

/// Joins predicates two by two, so that a row costs one call for each of them and their depth grows with the logarithm of
/// their number.
enum PredicateJoin {
  /// All of the predicates; true if there is none.
  static func all(_ predicates: ArraySlice<RowPredicate>) -> RowPredicate {
    let start = predicates.startIndex
    switch predicates.count {
    case 0:
      return { _ in true }
    case 1:
      return predicates[start]
    case 2:
      let (first, second) = (predicates[start], predicates[start + 1])
      return { row in first(row) && second(row) }
    case 3:
      let (first, second, third) = (predicates[start], predicates[start + 1], predicates[start + 2])
      return { row in first(row) && second(row) && third(row) }
    default:
      let middle = start + predicates.count / 2
      let (first, second) = (all(predicates[..<middle]), all(predicates[middle...]))
      return { row in first(row) && second(row) }
    }
  }

  /// Any of the predicates; false if there is none.
  static func any(_ predicates: ArraySlice<RowPredicate>) -> RowPredicate {
    let start = predicates.startIndex
    switch predicates.count {
    case 0:
      return { _ in false }
    case 1:
      return predicates[start]
    default:
      let middle = start + predicates.count / 2
      let (first, second) = (any(predicates[..<middle]), any(predicates[middle...]))
      return { row in first(row) || second(row) }
    }
  }
}
