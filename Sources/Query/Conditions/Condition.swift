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

  package func mapKeys<NewKey, Failure: Error>(
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

extension Condition where Key == Int {
  /// Prepares the condition, or its exact opposite, once for many rows.
  func makeTest(isNegated: Bool = false) -> RowTest {
    switch self {
    case .constant(let constant):
      let holds = constant != isNegated
      return .predicate { _ in holds }
    case .comparison(let comparison): return comparison.makeTest(isNegated: isNegated)
    case .between(let between): return between.makeTest(isNegated: isNegated)
    case .membership(let membership): return .predicate(membership.makePredicate(isNegated: isNegated))
    case .text(let text): return .predicate(text.makePredicate(isNegated: isNegated))
    case .invalid: return .predicate { _ in isNegated }  // Resolving has thrown its error before.
    }
  }

  /// The same as a closure.
  func makePredicate(isNegated: Bool = false) -> RowPredicate { makeTest(isNegated: isNegated).makePredicate() }
}
