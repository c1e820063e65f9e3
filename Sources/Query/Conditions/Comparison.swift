/// A key that stands in a relation to a value or to another key: `weight > 90`, `attack = defense`.
public struct Comparison<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key on the left.
  public let key: Key
  /// How it has to stand to the operand.
  public let relation: Relation
  /// What it is compared with.
  public let operand: Operand<Key>

  package init(key: Key, relation: Relation, operand: Operand<Key>) {
    self.key = key
    self.relation = relation
    self.operand = operand
  }

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Comparison<NewKey> {
    Comparison<NewKey>(key: try transform(key), relation: relation, operand: try operand.mapKey(transform))
  }
}

extension Comparison where Key == Int {
  func makeTest(isNegated: Bool) -> RowTest {
    let (key, relation) = (key, relation)
    switch operand {
    case .key(let other):
      return .predicate { row in relation.holds(row[key], row[other]) != isNegated }
    case .value(let value):
      // What differs is what does not equal, so that equality is all that has to be fast.
      let isOpposite = isNegated != (relation == .notEqual)
      switch (relation, value) {
      case (.equal, .null), (.notEqual, .null):
        return .predicate { row in row[key].isNull != isOpposite }
      case (.equal, .text(let text)), (.notEqual, .text(let text)):
        return .text(TextEquality(text), column: key, isNegated: isOpposite)
      default:
        if let range = NumberRange(relation == .notEqual ? .equal : relation, value) {
          return .number(range, column: key, isNegated: isOpposite)
        }
        return .predicate { row in relation.holds(row[key], value) != isNegated }
      }
    }
  }
}
