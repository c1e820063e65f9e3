public import Query

extension Field where Property: ValueConvertible {
  /// Matches where the property equals a value; `nil` equals `nil`.
  public static func == (field: Field, value: Property) -> AnyQuery { .equal(key: field.key, value: value) }

  /// Matches where the property differs from a value; `nil` differs from every other value.
  public static func != (field: Field, value: Property) -> AnyQuery { .notEqual(key: field.key, value: value) }

  /// Matches where the property is less than a value, and neither is `nil`.
  public static func < (field: Field, value: Property) -> AnyQuery { .lessThan(key: field.key, value: value) }

  /// Matches where the property is less than a value or equal to it, and neither is `nil`.
  public static func <= (field: Field, value: Property) -> AnyQuery { .lessThanOrEqual(key: field.key, value: value) }

  /// Matches where the property is greater than a value, and neither is `nil`.
  public static func > (field: Field, value: Property) -> AnyQuery { .greaterThan(key: field.key, value: value) }

  /// Matches where the property is greater than a value or equal to it, and neither is `nil`.
  public static func >= (field: Field, value: Property) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, value: value)
  }

  /// Matches where both properties are equal; `nil` equals `nil`.
  public static func == (field: Field, other: Field) -> AnyQuery { .equal(key: field.key, otherKey: other.key) }

  /// Matches where the properties differ; `nil` differs from every other value.
  public static func != (field: Field, other: Field) -> AnyQuery { .notEqual(key: field.key, otherKey: other.key) }

  /// Matches where the property is less than the other, and neither is `nil`.
  public static func < (field: Field, other: Field) -> AnyQuery { .lessThan(key: field.key, otherKey: other.key) }

  /// Matches where the property is less than the other or equal to it, and neither is `nil`.
  public static func <= (field: Field, other: Field) -> AnyQuery {
    .lessThanOrEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is greater than the other, and neither is `nil`.
  public static func > (field: Field, other: Field) -> AnyQuery { .greaterThan(key: field.key, otherKey: other.key) }

  /// Matches where the property is greater than the other or equal to it, and neither is `nil`.
  public static func >= (field: Field, other: Field) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property equals one of the values.
  public func `in`(_ values: some Sequence<Property>) -> AnyQuery { .in(key: key, values: values) }

  /// Matches from one value to another, both included.
  public func between(_ lower: Property, _ upper: Property) -> AnyQuery { .between(key: key, lhs: lower, rhs: upper) }
}
