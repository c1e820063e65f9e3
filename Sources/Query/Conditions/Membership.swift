/// A key that equals one of several values: `type in ('fire', 'water')`.
///
/// A null in the list matches a null key. An empty list matches nothing.
public struct Membership<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key that is looked up.
  public let key: Key
  /// The values, in the order in which they were given.
  public let values: [Value]

  /// Feeds how the list begins, in time that its length does not change.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(values.count)
    hasher.combine(values.prefix(16))
  }

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Membership<NewKey> {
    Membership<NewKey>(key: try transform(key), values: values)
  }
}

extension Membership where Key == Int {
  /// Looks rows up in a hash set, so that the cost of a row does not grow with the list.
  func makePredicate(isNegated: Bool) -> RowPredicate {
    let (key, list, values) = (key, values, Set(values))
    // A hash of a text costs as much as a few comparisons, most of which the lengths decide.
    if list.count <= 6 { return { row in list.contains { $0 == row[key] } != isNegated } }
    return { row in values.contains(row[key]) != isNegated }
  }
}
