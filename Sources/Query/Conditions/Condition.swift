/// The leaf of a query: one question about one row.
///
/// `Key` is the key's name in a query, and the column's position once a query is resolved against a table.
public enum Condition<Key: Hashable & Sendable>: Hashable, Sendable {
  /// True or false for every row.
  case constant(Bool)
  /// A key against a value or another key.
  case comparison(Comparison<Key>)
  /// A key between two bounds.
  case between(Between<Key>)
  /// A key among several values.
  case membership(Membership<Key>)
  /// A key whose text matches another.
  case text(TextMatch<Key>)
  /// A condition that can't be asked, because a value of it can't be stored; resolving the query throws the error.
  case invalid(ValueError)

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Condition<NewKey> {
    switch self {
    case .constant(let constant): .constant(constant)
    case .comparison(let comparison): .comparison(try comparison.mapKeys(transform))
    case .between(let between): .between(try between.mapKeys(transform))
    case .membership(let membership): .membership(try membership.mapKeys(transform))
    case .text(let text): .text(try text.mapKeys(transform))
    case .invalid(let error): .invalid(error)
    }
  }
}

/// Whether a row, its values in the order of the table's columns, is one that a query means.
typealias RowPredicate = @Sendable (_ row: [Value]) -> Bool

extension Condition where Key == Int {
  /// Prepares the condition once for many rows.
  func makePredicate() -> RowPredicate {
    switch self {
    case .constant(let constant): { _ in constant }
    case .comparison(let comparison): comparison.makePredicate()
    case .between(let between): between.makePredicate()
    case .membership(let membership): membership.makePredicate()
    case .text(let text): text.makePredicate()
    case .invalid: { _ in false }  // Resolving has thrown its error before.
    }
  }
}
