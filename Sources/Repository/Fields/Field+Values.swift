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
}

// The value on the left: `90 < $0.weight` is the query that `$0.weight > 90` is.
extension Field where Property: ValueConvertible {
  /// Matches where a value equals the property; `nil` equals `nil`.
  public static func == (value: Property, field: Field) -> AnyQuery { .equal(key: field.key, value: value) }

  /// Matches where a value differs from the property; `nil` differs from every other value.
  public static func != (value: Property, field: Field) -> AnyQuery { .notEqual(key: field.key, value: value) }

  /// Matches where a value is less than the property, and neither is `nil`.
  public static func < (value: Property, field: Field) -> AnyQuery { .greaterThan(key: field.key, value: value) }

  /// Matches where a value is less than the property or equal to it, and neither is `nil`.
  public static func <= (value: Property, field: Field) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, value: value)
  }

  /// Matches where a value is greater than the property, and neither is `nil`.
  public static func > (value: Property, field: Field) -> AnyQuery { .lessThan(key: field.key, value: value) }

  /// Matches where a value is greater than the property or equal to it, and neither is `nil`.
  public static func >= (value: Property, field: Field) -> AnyQuery { .lessThanOrEqual(key: field.key, value: value) }
}
