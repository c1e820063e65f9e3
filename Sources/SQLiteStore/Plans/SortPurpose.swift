/// What a temporary tree is for.
package enum SortPurpose: Hashable, Sendable {
  case order
  /// The rows come in the order of the first keys already, and only those of equal ones are sorted.
  case restOfOrder
  case group
  case distinct
}
