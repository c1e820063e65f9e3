public import Query

extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose property lies between two values, both included; no element if one of the three is
  /// `nil`, or if `lower` is greater than `upper`.
  public func between(_ lower: Property, _ upper: Property) -> AnyQuery { .between(expression, lower, upper) }
}

extension FieldProtocol where Property: ValueConvertible {
  /// Returns a query for elements whose property equals one of the values; a `nil` among them matches `nil`.
  public func `in`(_ values: some Sequence<Property>) -> AnyQuery { .in(expression, values: values) }
}

extension Field where Property: ValueConvertible & Comparable {
  /// Returns a query for elements whose property lies in a range: `$0.id.in(1...100)`.
  ///
  /// The query compares the bounds, for any number of values between them. Swift stops a program that makes a range whose
  /// bounds are in the wrong order; if they are user input, use ``between(_:_:)``, which then matches no element.
  public func `in`(_ range: some PropertyRange<Property>) -> AnyQuery { range.query(expression) }

  /// Returns a query for elements whose property lies between the bounds of a range, both included.
  public func between(_ range: ClosedRange<Property>) -> AnyQuery { range.query(expression) }
}

extension Field {
  /// Returns a query for elements whose optional property lies in a range; `nil` does not.
  public func `in`<Bound>(_ range: some PropertyRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(expression)
  }

  /// Returns a query for elements whose optional property lies between the bounds of a range, both included; `nil` does not.
  public func between<Bound: ValueConvertible>(_ range: ClosedRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(expression)
  }
}

/// A range of values in which a property may lie: every Swift range with a bound.
@_documentation(visibility: internal)
public protocol PropertyRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound: ValueConvertible

  /// Returns the query for elements for which an expression lies in the range.
  func query(_ expression: AnyExpression) -> AnyQuery
}

extension ClosedRange: PropertyRange where Bound: ValueConvertible {
  /// Returns a query for values between both bounds, both included.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .between(expression, lowerBound, upperBound)
  }
}

extension Range: PropertyRange where Bound: ValueConvertible {
  /// Returns a query for values from the lower bound on and below the upper one.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .greaterThanOrEqual, value: lowerBound) && .compare(expression, .lessThan, value: upperBound)
  }
}

extension PartialRangeFrom: PropertyRange where Bound: ValueConvertible {
  /// Returns a query for values from the lower bound on.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .greaterThanOrEqual, value: lowerBound)
  }
}

extension PartialRangeThrough: PropertyRange where Bound: ValueConvertible {
  /// Returns a query for values up to the upper bound, which is included.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .lessThanOrEqual, value: upperBound)
  }
}

extension PartialRangeUpTo: PropertyRange where Bound: ValueConvertible {
  /// Returns a query for values below the upper bound.
  public func query(_ expression: AnyExpression) -> AnyQuery {
    .compare(expression, .lessThan, value: upperBound)
  }
}

// These methods are in an extension of the protocol, so that plain ranges keep their own `contains`, also where it is
// referenced rather than called.
extension PropertyRange {
  /// Returns a query for elements whose property lies in the range, in Swift's notation for values: `(1...100).contains($0.id)`.
  public func contains(_ field: Field<Bound>) -> AnyQuery { query(field.expression) }

  /// Returns a query for elements whose optional property lies in the range; `nil` does not.
  public func contains(_ field: Field<Bound?>) -> AnyQuery { query(field.expression) }
}

// These methods yield to Swift's own `contains`, and to that of ranges, which compares only the bounds.
extension Sequence where Element: ValueConvertible {
  /// Returns a query for elements whose property equals one of the values: `ids.contains($0.id)`.
  @_disfavoredOverload
  public func contains(_ field: Field<Element>) -> AnyQuery { .in(field.expression, values: self) }

  /// Returns a query for elements whose optional property equals one of the values.
  @_disfavoredOverload
  public func contains(_ field: Field<Element?>) -> AnyQuery { .in(field.expression, values: self) }
}

// Conditions that are known when the query is built: `{ !onlyHeavy || $0.weight > 90 }`.
extension AnyQuery {
  /// Returns the query if the condition is true, otherwise a query that matches no element.
  @_disfavoredOverload
  public static func && (condition: Bool, query: AnyQuery) -> AnyQuery { condition ? query : .false }

  /// Returns the query if the condition is true, otherwise a query that matches no element.
  @_disfavoredOverload
  public static func && (query: AnyQuery, condition: Bool) -> AnyQuery { condition ? query : .false }

  /// Returns a query that matches every element if the condition is true, otherwise the query.
  @_disfavoredOverload
  public static func || (condition: Bool, query: AnyQuery) -> AnyQuery { condition ? .true : query }

  /// Returns a query that matches every element if the condition is true, otherwise the query.
  @_disfavoredOverload
  public static func || (query: AnyQuery, condition: Bool) -> AnyQuery { condition ? .true : query }
}

extension Field where Property: TextProperty {
  /// A query for elements whose text is empty; `nil` is not a text.
  public var isEmpty: AnyQuery { .compare(expression, .equal, value: "") }

  /// Returns a query for elements whose text equals another: `$0.name.equals("ann", ignoringCase: true)`.
  public func equals(_ text: String, ignoringCase: Bool) -> AnyQuery {
    .equal(expression, value: text, ignoringCase: ignoringCase)
  }

  /// Returns a query for elements whose text contains another; every text contains the empty one.
  public func contains(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .contains, value: text, ignoringCase: ignoringCase)
  }

  /// Returns a query for elements whose text starts with another.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .hasPrefix, value: text, ignoringCase: ignoringCase)
  }

  /// Returns a query for elements whose text ends with another.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .hasSuffix, value: text, ignoringCase: ignoringCase)
  }

  /// Returns a query for elements whose whole text matches a pattern: `%` is any run of characters, `_` one Unicode scalar, and
  /// `\` escapes.
  public func like(_ pattern: String, ignoringCase: Bool = false) -> AnyQuery {
    .match(expression, .like, value: pattern, ignoringCase: ignoringCase)
  }
}

/// A property type that is a text, optional or not, and can be searched.
///
/// An enum over texts does not conform, because queries compare its values as whole names. If its names should be searchable,
/// it conforms to this protocol instead of `ValueConvertible`: `enum Habitat: String, TextProperty`.
public protocol TextProperty: ValueConvertible {}

extension String: TextProperty {}
extension Substring: TextProperty {}
extension Character: TextProperty {}
extension Optional: TextProperty where Wrapped: TextProperty {}
