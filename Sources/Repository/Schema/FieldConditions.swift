public import Query

extension Field where Property: ValueConvertible {
  /// Matches from one value to another, both included; nothing where one is `nil`, or `lower` is the greater one.
  public func between(_ lower: Property, _ upper: Property) -> AnyQuery { .between(expression, lower, upper) }
}

extension FieldProtocol where Property: ValueConvertible {
  /// Matches where the property equals one of the values; a `nil` among them matches `nil`.
  public func `in`(_ values: some Sequence<Property>) -> AnyQuery { .in(expression, values: values) }
}

extension Field where Property: ValueConvertible & Comparable {
  /// Matches where the property lies in a range: `$0.id.in(1...100)`.
  ///
  /// The bounds are compared, however many values lie between them. Swift stops a program that makes a range with its
  /// bounds the wrong way round; where they come from outside, ask with ``between(_:_:)``, which then matches nothing.
  public func `in`(_ range: some PropertyRange<Property>) -> AnyQuery { range.query(expression) }

  /// Matches from a range's lower bound to its upper one, both included.
  public func between(_ range: ClosedRange<Property>) -> AnyQuery { range.query(expression) }
}

extension Field {
  /// Matches where a property that may be `nil` lies in a range; `nil` lies in none.
  public func `in`<Bound>(_ range: some PropertyRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(expression)
  }

  /// Matches from a range's lower bound to its upper one, both included; `nil` lies in none.
  public func between<Bound: ValueConvertible>(_ range: ClosedRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(expression)
  }
}

/// A range of values that a property may lie in: every range of Swift's with a bound.
public protocol PropertyRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound: ValueConvertible

  /// The query for what lies in the range.
  func query(_ expression: AnyExpression) -> AnyQuery
}

extension ClosedRange: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound to the upper one, both included.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .between(expression, lowerBound, upperBound)
  }
}

extension Range: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound on and below the upper one.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .greaterThanOrEqual, value: lowerBound) && .compare(expression, .lessThan, value: upperBound)
  }
}

extension PartialRangeFrom: PropertyRange where Bound: ValueConvertible {
  /// Matches from the lower bound on.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .greaterThanOrEqual, value: lowerBound)
  }
}

extension PartialRangeThrough: PropertyRange where Bound: ValueConvertible {
  /// Matches up to the upper bound, which is included.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .lessThanOrEqual, value: upperBound)
  }
}

extension PartialRangeUpTo: PropertyRange where Bound: ValueConvertible {
  /// Matches below the upper bound.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .lessThan, value: upperBound)
  }
}

// In an extension of the protocol, so that plain ranges keep their own `contains`, also where it is named, not called.
extension PropertyRange {
  /// Matches where a property lies in the range, as Swift says it of values: `(1...100).contains($0.id)`.
  public func contains(_ field: Field<Bound>) -> AnyQuery { query(field.expression) }

  /// Matches where a property that may be `nil` lies in the range; `nil` lies in none.
  public func contains(_ field: Field<Bound?>) -> AnyQuery { query(field.expression) }
}

// They give way to Swift's own `contains`, and to that of ranges, which compares the bounds alone.
extension Sequence where Element: ValueConvertible {
  /// Matches where a property equals one of the values: `ids.contains($0.id)`.
  @_disfavoredOverload
  public func contains(_ field: Field<Element>) -> AnyQuery { .in(field.expression, values: self) }

  /// Matches where a property that may be `nil` equals one of the values.
  @_disfavoredOverload
  public func contains(_ field: Field<Element?>) -> AnyQuery { .in(field.expression, values: self) }
}

// Conditions that are known before the query is asked: `{ !onlyHeavy || $0.weight > 90 }`.
extension AnyQuery {
  /// The query where the condition holds, and none else.
  @_disfavoredOverload
  public static func && (condition: Bool, query: AnyQuery) -> AnyQuery { condition ? query : .false }

  /// The query where the condition holds, and none else.
  @_disfavoredOverload
  public static func && (query: AnyQuery, condition: Bool) -> AnyQuery { condition ? query : .false }

  /// All where the condition holds, else the query.
  @_disfavoredOverload
  public static func || (condition: Bool, query: AnyQuery) -> AnyQuery { condition ? .true : query }

  /// All where the condition holds, else the query.
  @_disfavoredOverload
  public static func || (query: AnyQuery, condition: Bool) -> AnyQuery { condition ? .true : query }
}

extension Field where Property: TextProperty {
  /// Matches where the text has no characters; `nil` is no text.
  public var isEmpty: AnyQuery { .compare(expression, .equal, value: "") }

  /// Matches where the text equals another: `$0.name.equals("ann", ignoringCase: true)`.
  public func equals(_ text: String, ignoringCase: Bool) -> AnyQuery {
    .equal(expression, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the text contains another; every text contains the empty one.
  public func contains(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .contains, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the text starts with another.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .hasPrefix, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the text ends with another.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .hasSuffix, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the whole text matches a pattern: `%` is any run, `_` one Unicode scalar, and `\` escapes.
  public func like(_ pattern: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .like, value: pattern, ignoringCase: ignoringCase)
  }
}

/// A property type that is a text, optional or not, and can be searched.
///
/// An enum over texts is none by itself, because its values are names that are compared as a whole. One whose names
/// shall be searched conforms to this instead of `ValueConvertible`: `enum Habitat: String, TextProperty`.
public protocol TextProperty: ValueConvertible {}

extension String: TextProperty {}
extension Substring: TextProperty {}
extension Character: TextProperty {}
extension Optional: TextProperty where Wrapped: TextProperty {}
