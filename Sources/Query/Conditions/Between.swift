/// A key from one bound to another, both included: `weight between 10 and 100`.
///
/// False where the key or a bound is null; where the lower bound stands after the upper one, nothing matches.
public struct Between<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key that lies between.
  public let key: Key
  /// The lower bound.
  public let lower: Operand<Key>
  /// The upper bound.
  public let upper: Operand<Key>

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Between<NewKey> {
    Between<NewKey>(
      key: try transform(key), lower: try lower.mapKey(transform), upper: try upper.mapKey(transform))
  }
}

extension Between where Key == Int {
  func makeTest(isNegated: Bool) -> RowTest {
    let (key, lower, upper) = (key, lower, upper)
    if case .value(let lower) = lower, case .value(let upper) = upper,
      let above = NumberRange(.greaterThanOrEqual, lower), let below = NumberRange(.lessThanOrEqual, upper)
    {
      return .number(above.intersection(below), column: key, isNegated: isNegated)
    }
    return .predicate { row in
      let isBetween =
        Relation.greaterThanOrEqual.holds(row[key], lower.value(in: row))
        && Relation.lessThanOrEqual.holds(row[key], upper.value(in: row))
      return isBetween != isNegated
    }
  }
}
