/// What a step of a plan does.
///
/// SQLite's words are no interface and may change (https://www.sqlite.org/eqp.html): what is not understood is ``other``.
package enum PlanAction: Hashable, Sendable {
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
  package var path: AccessPath? {
    switch self {
    case .scan(_, let path), .search(_, let path, _): path
    case .sort, .multipleIndexes, .other: nil
    }
  }
}
