/// How the rows of a table are reached.
package enum AccessPath: Hashable, Sendable {
  /// In the order in which they are kept.
  case rows
  /// By the primary key, or by the row's number.
  case primaryKey
  /// By an index.
  ///
  /// - Parameter isCovering: whether the index holds all that is asked for, so that the rows are not looked at.
  case index(name: String, isCovering: Bool)
  /// By an index that is made for this statement, and forgotten after it.
  case automaticIndex
  /// As a virtual table likes.
  case virtualTable
}
