/// What a step of a plan does.
///
/// SQLite's words are no interface and may change (https://www.sqlite.org/eqp.html): what is not understood is ``other``.
public enum PlanAction: Hashable, Sendable {
  /// All rows are read.
  case scan(table: String, by: AccessPath)
  /// Only those rows are read that an index or the key leads to.
  case search(table: String, by: AccessPath, conditions: String)
  /// What was found is put into a temporary tree, to be sorted, grouped or rid of what stands twice.
  case sort(SortPurpose)
  /// The branches of an `or` are looked up one by one.
  case multipleIndexes
  /// Anything else.
  case other

  /// How the rows of a table are reached, where the step reads some.
  public var path: AccessPath? {
    switch self {
    case .scan(_, let path), .search(_, let path, _): path
    case .sort, .multipleIndexes, .other: nil
    }
  }
}

/// How the rows of a table are reached.
public enum AccessPath: Hashable, Sendable {
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

/// What a temporary tree is for.
public enum SortPurpose: Hashable, Sendable {
  case order
  /// The rows come in the order of the first keys already, and only those of equal ones are sorted.
  case restOfOrder
  case group
  case distinct
}
