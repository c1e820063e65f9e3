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
  func makePredicate() -> RowPredicate {
    let (key, relation) = (key, relation)
    return switch operand {
    case .value(let value): { row in relation.holds(row[key], value) }
    case .key(let other): { row in relation.holds(row[key], row[other]) }
    }
  }
}
