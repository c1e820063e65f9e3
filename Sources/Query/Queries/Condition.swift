/// The leaf of a query: one question about one row.
///
/// `Key` is what is asked about: an expression in a query, most often a key, and a position in the row once the query is
/// resolved against a table.
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
  /// Whether a truth value is true, such as whether there are related rows.
  case holds(Key)
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
    case .holds(let key): .holds(try transform(key))
    case .invalid(let error): .invalid(error)
    }
  }
}

extension Condition {
  /// The same condition with other values to compare with; the texts that text operators look for stay.
  func mapValues(_ transform: (Value) -> Value) -> Condition {
    func map(_ operand: Operand<Key>) -> Operand<Key> {
      if case .value(let value) = operand { .value(transform(value)) } else { operand }
    }
    return switch self {
    case .comparison(let comparison):
      .comparison(Comparison(key: comparison.key, relation: comparison.relation, operand: map(comparison.operand)))
    case .between(let between):
      .between(Between(key: between.key, lower: map(between.lower), upper: map(between.upper)))
    case .membership(let list): .membership(Membership(key: list.key, values: list.values.map(transform)))
    case .text, .constant, .holds, .invalid: self
    }
  }
}

extension Condition<AnyExpression> {
  /// How deep the deepest expression of the condition is nested.
  var expressionDepth: Int {
    switch self {
    case .constant, .invalid: 0
    case .comparison(let comparison): max(comparison.key.depth, comparison.operand.depth)
    case .between(let between): max(between.key.depth, between.lower.depth, between.upper.depth)
    case .membership(let membership): membership.key.depth
    case .text(let match): match.key.depth
    case .holds(let key): key.depth
    }
  }

  /// Whether rows of other tables decide about the condition.
  var needsOtherTables: Bool {
    if key?.needsOtherTables == true { return true }
    return operands.contains { operand in if case .key(let key) = operand { key.needsOtherTables } else { false } }
  }
}

extension Condition {
  /// How many operands the condition has: values, keys on the right, lists and texts that are sought.
  package var operandCount: Int {
    switch self {
    case .constant, .holds, .invalid: 0
    case .comparison, .membership, .text: 1
    case .between: 2
    }
  }

  /// The key on the condition's left side; `nil` for a constant and an invalid condition.
  package var key: Key? {
    switch self {
    case .constant, .invalid: nil
    case .comparison(let comparison): comparison.key
    case .between(let between): between.key
    case .membership(let membership): membership.key
    case .text(let match): match.key
    case .holds(let key): key
    }
  }

  /// What the key is compared with, in the order in which it is written.
  package var operands: [Operand<Key>] {
    switch self {
    case .constant, .holds, .invalid: []
    case .comparison(let comparison): [comparison.operand]
    case .between(let between): [between.lower, between.upper]
    case .membership(let membership): membership.values.map(Operand.value)
    case .text(let match): [.value(.text(match.text))]
    }
  }

  /// The values to one of which the key has to be equal, where that is all that the condition says.
  ///
  /// - Parameter isNegated: whether the exact opposite of the condition is meant.
  package func equalityList(isNegated: Bool = false) -> (key: Key, values: [Value])? {
    switch self {
    case .membership(let membership) where !isNegated:
      (membership.key, membership.values)
    case .comparison(let comparison) where comparison.relation == (isNegated ? .notEqual : .equal):
      comparison.operand.value.map { (comparison.key, [$0]) }
    default: nil
    }
  }

  /// The key that has to lie in one range of the total order, for conditions that say nothing else.
  ///
  /// - Parameter isNegated: whether the exact opposite of the condition is meant.
  package func rangeKey(isNegated: Bool = false) -> Key? {
    switch self {
    case .comparison(let comparison):
      switch (comparison.relation, comparison.operand) {
      case (_, .key), (.equal, _): nil
      // Nulls come first in the order, and all that is not null is a range.
      case (.notEqual, .value(let value)): value.isNull ? comparison.key : nil
      case (_, .value): comparison.key
      }
    case .between(let between): isNegated ? nil : between.key
    case .text(let match): isNegated || match.operation != .hasPrefix || match.isIgnoringCase ? nil : match.key
    case .constant, .membership, .holds, .invalid: nil
    }
  }

  /// The key that the condition asks to be null, or not to be null, where that is all that it says.
  package var nullTest: (key: Key, isNull: Bool)? {
    guard case .comparison(let comparison) = self, comparison.operand == .value(.null) else { return nil }
    return switch comparison.relation {
    case .equal: (comparison.key, true)
    case .notEqual: (comparison.key, false)
    default: nil
    }
  }

  /// Whether the condition is known to be false in every row in which its key is null.
  package var isFalseForNull: Bool {
    switch self {
    case .constant, .holds, .invalid: false
    case .comparison(let comparison): comparison.operand.value.map { !comparison.relation.holds(.null, $0) } ?? false
    case .between, .text: true
    case .membership(let membership): !membership.values.contains(.null)
    }
  }
}

/// A comparison of a key with a value or with another key: `weight > 90`, `attack = defense`.
public struct Comparison<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key on the left.
  public let key: Key
  /// The relation that the key must have to the operand.
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

/// A relation of one value to another.
public enum Relation: String, Hashable, Sendable, CaseIterable {
  /// Equal in the total order; null equals null.
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

  /// Whether it asks for no order.
  package var isEquality: Bool { self == .equal || self == .notEqual }

  /// Whether `lhs` has this relation to `rhs`.
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

/// What a key is compared with: a value, or another key of the same row, which may be any expression.
///
/// `Key` is what it is in ``Condition``.
public enum Operand<Key: Hashable & Sendable>: Hashable, Sendable {
  /// A value that is the same for every row.
  case value(Value)
  /// Another key, compared row by row.
  case key(Key)

  /// The value, where the operand is no key.
  package var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  func mapKey<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Operand<NewKey> {
    switch self {
    case .value(let value): .value(value)
    case .key(let key): .key(try transform(key))
    }
  }
}

extension Operand<AnyExpression> {
  fileprivate var depth: Int {
    if case .key(let key) = self { key.depth } else { 0 }
  }

  /// Another key, compared row by row.
  public static func key(_ name: String) -> Operand { .key(.key(name)) }
}

/// A key from one bound to another, both included: `weight between 10 and 100`.
///
/// False where the key or a bound is null; where the lower bound is greater than the upper one, nothing matches.
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
