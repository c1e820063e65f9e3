public import Query

extension Field where Property: ValueConvertible {
  /// Matches where the property equals one that may be `nil`.
  public static func == (field: Field, other: Field<Property?>) -> AnyQuery {
    .equal(key: field.key, otherKey: other.key)
  }

  /// Matches where the property differs from one that may be `nil`; `nil` differs from every value.
  public static func != (field: Field, other: Field<Property?>) -> AnyQuery {
    .notEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is less than one that may be `nil`, and is not `nil`.
  public static func < (field: Field, other: Field<Property?>) -> AnyQuery {
    .lessThan(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is less than one that may be `nil` or equal to it, and is not `nil`.
  public static func <= (field: Field, other: Field<Property?>) -> AnyQuery {
    .lessThanOrEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is greater than one that may be `nil`, and is not `nil`.
  public static func > (field: Field, other: Field<Property?>) -> AnyQuery {
    .greaterThan(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is greater than one that may be `nil` or equal to it, and is not `nil`.
  public static func >= (field: Field, other: Field<Property?>) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, otherKey: other.key)
  }
}

extension Field where Property: ValueConvertible {
  /// Matches where a property that may be `nil` equals one that may not.
  public static func == (field: Field<Property?>, other: Field) -> AnyQuery {
    .equal(key: field.key, otherKey: other.key)
  }

  /// Matches where a property that may be `nil` differs from one that may not; `nil` differs from every value.
  public static func != (field: Field<Property?>, other: Field) -> AnyQuery {
    .notEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where a property that may be `nil` is less than one that may not, and is not `nil`.
  public static func < (field: Field<Property?>, other: Field) -> AnyQuery {
    .lessThan(key: field.key, otherKey: other.key)
  }

  /// Matches where a property that may be `nil` is less than one that may not or equal to it, and is not `nil`.
  public static func <= (field: Field<Property?>, other: Field) -> AnyQuery {
    .lessThanOrEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where a property that may be `nil` is greater than one that may not, and is not `nil`.
  public static func > (field: Field<Property?>, other: Field) -> AnyQuery {
    .greaterThan(key: field.key, otherKey: other.key)
  }

  /// Matches where a property that may be `nil` is greater than one that may not or equal to it, and is not `nil`.
  public static func >= (field: Field<Property?>, other: Field) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, otherKey: other.key)
  }
}
