public import Query

extension Field where Property: ValueConvertible {
  /// Matches where the property equals a value; `nil` equals `nil`.
  public static func == (field: Field, value: Property) -> AnyQuery { .compare(field.expression, .equal, value: value) }

  /// Matches where the property differs from a value; `nil` differs from every other value.
  public static func != (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .notEqual, value: value)
  }

  /// Matches where the property is less than a value, and neither is `nil`.
  public static func < (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .lessThan, value: value)
  }

  /// Matches where the property is less than a value or equal to it, and neither is `nil`.
  public static func <= (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, value: value)
  }

  /// Matches where the property is greater than a value, and neither is `nil`.
  public static func > (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .greaterThan, value: value)
  }

  /// Matches where the property is greater than a value or equal to it, and neither is `nil`.
  public static func >= (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, value: value)
  }
}

// The value on the left: `90 < $0.weight` is the query that `$0.weight > 90` is.
extension Field where Property: ValueConvertible {
  /// Matches where a value equals the property; `nil` equals `nil`.
  public static func == (value: Property, field: Field) -> AnyQuery { .compare(field.expression, .equal, value: value) }

  /// Matches where a value differs from the property; `nil` differs from every other value.
  public static func != (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, value: value)
  }

  /// Matches where a value is less than the property, and neither is `nil`.
  public static func < (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, value: value)
  }

  /// Matches where a value is less than the property or equal to it, and neither is `nil`.
  public static func <= (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, value: value)
  }

  /// Matches where a value is greater than the property, and neither is `nil`.
  public static func > (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, value: value)
  }

  /// Matches where a value is greater than the property or equal to it, and neither is `nil`.
  public static func >= (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, value: value)
  }
}

extension Field where Property: ValueConvertible {
  /// Matches where both properties are equal; `nil` equals `nil`.
  public static func == (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Matches where the properties differ; `nil` differs from every other value.
  public static func != (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Matches where the property is less than the other, and neither is `nil`.
  public static func < (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Matches where the property is less than the other or equal to it, and neither is `nil`.
  public static func <= (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Matches where the property is greater than the other, and neither is `nil`.
  public static func > (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Matches where the property is greater than the other or equal to it, and neither is `nil`.
  public static func >= (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

extension Field where Property: ValueConvertible {
  /// Matches where the property equals one that may be `nil`.
  public static func == (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Matches where the property differs from one that may be `nil`; `nil` differs from every value.
  public static func != (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Matches where the property is less than one that may be `nil`, and is not `nil`.
  public static func < (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Matches where the property is less than one that may be `nil` or equal to it, and is not `nil`.
  public static func <= (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Matches where the property is greater than one that may be `nil`, and is not `nil`.
  public static func > (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Matches where the property is greater than one that may be `nil` or equal to it, and is not `nil`.
  public static func >= (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

extension Field where Property: ValueConvertible {
  /// Matches where a property that may be `nil` equals one that may not.
  public static func == (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Matches where a property that may be `nil` differs from one that may not; `nil` differs from every value.
  public static func != (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Matches where a property that may be `nil` is less than one that may not, and is not `nil`.
  public static func < (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Matches where a property that may be `nil` is less than one that may not or equal to it, and is not `nil`.
  public static func <= (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Matches where a property that may be `nil` is greater than one that may not, and is not `nil`.
  public static func > (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Matches where a property that may be `nil` is greater than one that may not or equal to it, and is not `nil`.
  public static func >= (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

// Integers and reals are one kind, and compare by their mathematical values. Where both are of one type, the operators
// of `Field` itself are closer.
extension FieldProtocol where Property: NumberProperty {
  /// Matches where the property equals a number of another type; `nil` equals `nil`.
  public static func == (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Matches where the property differs from a number of another type; `nil` differs from every other value.
  public static func != (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Matches where the property is less than a number of another type, and neither is `nil`.
  public static func < (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Matches where the property is less than a number of another type or equal to it, and neither is `nil`.
  public static func <= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Matches where the property is greater than a number of another type, and neither is `nil`.
  public static func > (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Matches where the property is greater than a number of another type or equal to it, and neither is `nil`.
  public static func >= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

/// A property type that is a number, optional or not: such properties compare with each other whatever their types, and
/// have a sum and an average.
///
/// `Bool` is none, although it is stored as one.
public protocol NumberProperty: FieldOperand, ValueConvertible where Sum: NumberProperty {
  /// The type of a sum: `Int` for integers of any width, `Double` for reals.
  associatedtype Sum = Int
}

extension Int: NumberProperty {}
extension Int8: NumberProperty {}
extension Int16: NumberProperty {}
extension Int32: NumberProperty {}
extension Int64: NumberProperty {}
extension UInt: NumberProperty {}
extension UInt8: NumberProperty {}
extension UInt16: NumberProperty {}
extension UInt32: NumberProperty {}
extension UInt64: NumberProperty {}
extension Double: NumberProperty {
  /// A real.
  public typealias Sum = Double
}
extension Float: NumberProperty {
  /// A real of twice the precision.
  public typealias Sum = Double
}
extension Optional: FieldOperand where Wrapped: NumberProperty {}
extension Optional: NumberProperty where Wrapped: NumberProperty {
  /// What the wrapped type's is: a sum leaves `nil` out.
  public typealias Sum = Wrapped.Sum
}

extension FieldGroup {
  /// Matches where a property that is kept as JSON is `nil`.
  public static func == <Wrapped>(group: Self, _: _OptionalNilComparisonType) -> AnyQuery where Group == Wrapped? {
    .isNull(key: group.schema.key(of: group.path))
  }

  /// Matches where a property that is kept as JSON is not `nil`.
  public static func != <Wrapped>(group: Self, _: _OptionalNilComparisonType) -> AnyQuery where Group == Wrapped? {
    .isNotNull(key: group.schema.key(of: group.path))
  }
}
