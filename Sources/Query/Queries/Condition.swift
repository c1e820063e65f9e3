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

extension Condition {
  /// How many operands the condition has: values, keys on the right, lists and texts that are sought.
  package var operandCount: Int {
    switch self {
    case .constant, .invalid: 0
    case .comparison, .membership, .text: 1
    case .between: 2
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

/// How one value may stand to another.
public enum Relation: String, Hashable, Sendable, CaseIterable {
  /// The same place in the total order; null equals null.
  case equal = "="
  /// The exact negation of ``equal``; a null differs from every value but null.
  case notEqual = "!="
  /// Before, and neither side null.
  case lessThan = "<"
  /// Before or equal, and neither side null.
  case lessThanOrEqual = "<="
  /// After, and neither side null.
  case greaterThan = ">"
  /// After or equal, and neither side null.
  case greaterThanOrEqual = ">="

  /// Whether `lhs` stands in this relation to `rhs`.
  public func holds(_ lhs: Value, _ rhs: Value) -> Bool {
    switch self {
    case .equal: return lhs == rhs
    case .notEqual: return lhs != rhs
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
    }
    if lhs.isNull || rhs.isNull { return false }
    let order = Value.compare(lhs, rhs)
    return switch self {
    case .lessThan: order < 0
    case .lessThanOrEqual: order <= 0
    case .greaterThan: order > 0
    default: order >= 0
    }
  }
}

/// What a key is compared with: a value, or another key of the same row.
///
/// `Key` is the key's name in a query, and the column's position once a query is resolved against a table.
public enum Operand<Key: Hashable & Sendable>: Hashable, Sendable {
  /// A value that is the same for every row.
  case value(Value)
  /// Another key, compared row by row.
  case key(Key)

  func mapKey<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Operand<NewKey> {
    switch self {
    case .value(let value): .value(value)
    case .key(let key): .key(try transform(key))
    }
  }
}

extension Operand where Key == Int {
  /// The operand's value in one row.
  func value(in row: UnsafeBufferPointer<Value>) -> Value {
    switch self {
    case .value(let value): value
    case .key(let column): row[column]
    }
  }
}

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
