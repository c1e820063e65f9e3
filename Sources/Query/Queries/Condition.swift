/// A condition, the leaf of a query: a predicate on a single row.
///
/// `Key` identifies the operand on the left: in a query an expression, most often a key; a position in the row once the
/// query is resolved against a table.
public enum Condition<Key: Hashable & Sendable>: Hashable, Sendable {
  /// A constant, for every row.
  case constant(Bool)
  /// A comparison of a key with a value or another key.
  case comparison(Comparison<Key>)
  /// A test of whether a key lies between two bounds.
  case between(Between<Key>)
  /// A test of whether a key equals one of several values.
  case membership(Membership<Key>)
  /// A text match on a key.
  case text(TextMatch<Key>)
  /// A test of whether a truth value is true, such as whether there are related rows.
  case holds(Key)
  /// A condition with a value that can't be stored; resolving the query throws the error.
  case invalid(ValueError)

  /// Returns the same condition with other keys, on both sides.
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
  /// Returns the same condition with other values to compare with; the texts of text operators remain.
  package func mapValues<Failure: Error>(
    _ transform: (Value) throws(Failure) -> Value
  ) throws(Failure) -> Condition {
    func map(_ operand: Operand<Key>) throws(Failure) -> Operand<Key> {
      if case .value(let value) = operand { .value(try transform(value)) } else { operand }
    }
    return switch self {
    case .comparison(let comparison):
      .comparison(Comparison(key: comparison.key, operator: comparison.operator, operand: try map(comparison.operand)))
    case .between(let between):
      .between(Between(key: between.key, lower: try map(between.lower), upper: try map(between.upper)))
    case .membership(let list): .membership(Membership(key: list.key, values: try list.values.map(transform)))
    case .text, .constant, .holds, .invalid: self
    }
  }

  /// Calls a closure with each key, from left to right.
  package func forEachKey<Failure: Error>(_ body: (Key) throws(Failure) -> Void) throws(Failure) {
    _ = try mapKeys { key throws(Failure) in
      try body(key)
      return key
    }
  }
}

extension Condition<AnyExpression> {
  /// The depth of the most deeply nested expression of the condition.
  var expressionDepth: Int {
    var depth = 0
    forEachKey { depth = max(depth, $0.depth) }
    return depth
  }

  /// Whether the condition depends on rows of other tables.
  var needsOtherTables: Bool {
    var needsOtherTables = false
    forEachKey { needsOtherTables = needsOtherTables || $0.needsOtherTables }
    return needsOtherTables
  }
}

extension Condition {
  /// The number of operands: values, keys on the right, lists and sought texts.
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

  /// The operands that the key is compared with, in the order in which they are written.
  package var operands: [Operand<Key>] {
    switch self {
    case .constant, .holds, .invalid: []
    case .comparison(let comparison): [comparison.operand]
    case .between(let between): [between.lower, between.upper]
    case .membership(let membership): membership.values.map(Operand.value)
    case .text(let match): [.value(.text(match.text))]
    }
  }

  /// Returns the values one of which the key must equal, if the condition is equivalent to such a list.
  ///
  /// - Parameter isNegated: whether to return the list for the exact opposite of the condition.
  package func equalityList(isNegated: Bool = false) -> (key: Key, values: [Value])? {
    switch self {
    case .membership(let membership) where !isNegated:
      (membership.key, membership.values)
    case .comparison(let comparison) where comparison.operator == (isNegated ? .notEqual : .equal):
      comparison.operand.value.map { (comparison.key, [$0]) }
    default: nil
    }
  }

  /// Returns the key that must lie in one range of the total order, if the condition is equivalent to such a range.
  ///
  /// - Parameter isNegated: whether to return the key for the exact opposite of the condition.
  package func rangeKey(isNegated: Bool = false) -> Key? {
    switch self {
    case .comparison(let comparison):
      switch (comparison.operator, comparison.operand) {
      case (_, .key), (.equal, _): nil
      // Nulls are first in the order, and all values that are not null form a range.
      case (.notEqual, .value(let value)): value.isNull ? comparison.key : nil
      case (_, .value): comparison.key
      }
    case .between(let between): isNegated ? nil : between.key
    case .text(let match): isNegated || match.operation != .hasPrefix || match.isIgnoringCase ? nil : match.key
    case .constant, .membership, .holds, .invalid: nil
    }
  }

  /// The key that must be null, or not null, if the condition is only a test for null.
  package var nullTest: (key: Key, isNull: Bool)? {
    guard case .comparison(let comparison) = self, comparison.operand == .value(.null) else { return nil }
    return switch comparison.operator {
    case .equal: (comparison.key, true)
    case .notEqual: (comparison.key, false)
    default: nil
    }
  }

  /// Returns whether the condition is known to be false in every row whose key is null.
  ///
  /// - Parameter isNegated: whether to return that for the exact opposite of the condition.
  package func isFalseForNull(isNegated: Bool = false) -> Bool {
    switch self {
    case .constant, .invalid: false
    case .comparison(let comparison):
      comparison.operand.value.map { comparison.operator.holds(.null, $0) == isNegated } ?? false
    case .between, .text, .holds: !isNegated
    case .membership(let membership): membership.values.contains(.null) == isNegated
    }
  }
}

/// A comparison of a key with a value or with another key: `weight > 90`, `attack = defense`.
public struct Comparison<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key on the left.
  public let key: Key
  /// The operator that compares the key with the operand.
  public let `operator`: ComparisonOperator
  /// The operand that the key is compared with.
  public let operand: Operand<Key>

  package init(key: Key, operator: ComparisonOperator, operand: Operand<Key>) {
    self.key = key
    self.operator = `operator`
    self.operand = operand
  }

  func mapKeys<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Comparison<NewKey> {
    Comparison<NewKey>(key: try transform(key), operator: `operator`, operand: try operand.mapKey(transform))
  }
}

/// An operand of a comparison: a value, or another key of the same row, which may be any expression.
///
/// `Key` is that of ``Condition``.
public enum Operand<Key: Hashable & Sendable>: Hashable, Sendable {
  /// A value that is the same for every row.
  case value(Value)
  /// Another key, compared row by row.
  case key(Key)

  /// The value; `nil` for a key.
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
  /// Returns the operand for another key, compared row by row.
  public static func key(_ name: String) -> Operand { .key(.key(name)) }
}

/// A test of whether a key lies between two bounds, both included: `weight between 10 and 100`.
///
/// False if the key or a bound is null; if the lower bound is greater than the upper one, no row matches.
public struct Between<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key that is tested.
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

/// A test of whether a key equals one of several values: `type in ('fire', 'water')`.
///
/// A null in the list matches a null key. An empty list matches nothing.
public struct Membership<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key that is tested.
  public let key: Key
  /// The values, in the order in which they were given.
  public let values: [Value]

  /// Hashes the key and the first values, in time independent of the list's length.
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
