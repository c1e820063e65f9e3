public import Query

extension Field where Property: ValueConvertible {
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
}
