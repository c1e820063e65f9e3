public import Query

// Integers and reals are one kind, and compare by their mathematical values. Where both are of one type, the operators
// of `Field` itself are closer.
extension FieldProtocol where Property: NumberProperty {
  /// Matches where the property equals a number of another type; `nil` equals `nil`.
  public static func == (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .equal(key: field.key, otherKey: other.key)
  }

  /// Matches where the property differs from a number of another type; `nil` differs from every other value.
  public static func != (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .notEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is less than a number of another type, and neither is `nil`.
  public static func < (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .lessThan(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is less than a number of another type or equal to it, and neither is `nil`.
  public static func <= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .lessThanOrEqual(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is greater than a number of another type, and neither is `nil`.
  public static func > (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .greaterThan(key: field.key, otherKey: other.key)
  }

  /// Matches where the property is greater than a number of another type or equal to it, and neither is `nil`.
  public static func >= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .greaterThanOrEqual(key: field.key, otherKey: other.key)
  }
}
