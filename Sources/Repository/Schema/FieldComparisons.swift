public import Query

extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose property equals a value; `nil` equals `nil`.
  public static func == (field: Field, value: Property) -> AnyQuery { .compare(field.expression, .equal, value: value) }

  /// Returns a query for elements whose property differs from a value; `nil` differs from every other value.
  public static func != (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .notEqual, value: value)
  }

  /// Returns a query for elements whose property is less than a value, with neither `nil`.
  public static func < (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .lessThan, value: value)
  }

  /// Returns a query for elements whose property is less than a value or equal to it, with neither `nil`.
  public static func <= (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, value: value)
  }

  /// Returns a query for elements whose property is greater than a value, with neither `nil`.
  public static func > (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .greaterThan, value: value)
  }

  /// Returns a query for elements whose property is greater than a value or equal to it, with neither `nil`.
  public static func >= (field: Field, value: Property) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, value: value)
  }
}

// The value on the left: `90 < $0.weight` makes the same query as `$0.weight > 90`.
extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose property equals a value; `nil` equals `nil`.
  public static func == (value: Property, field: Field) -> AnyQuery { .compare(field.expression, .equal, value: value) }

  /// Returns a query for elements whose property differs from a value; `nil` differs from every other value.
  public static func != (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, value: value)
  }

  /// Returns a query for elements whose property is greater than a value, with neither `nil`.
  public static func < (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, value: value)
  }

  /// Returns a query for elements whose property is greater than a value or equal to it, with neither `nil`.
  public static func <= (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, value: value)
  }

  /// Returns a query for elements whose property is less than a value, with neither `nil`.
  public static func > (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, value: value)
  }

  /// Returns a query for elements whose property is less than a value or equal to it, with neither `nil`.
  public static func >= (value: Property, field: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, value: value)
  }
}

extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose two properties are equal; `nil` equals `nil`.
  public static func == (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Returns a query for elements whose two properties differ; `nil` differs from every other value.
  public static func != (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Returns a query for elements whose property is less than another property, with neither `nil`.
  public static func < (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Returns a query for elements whose property is less than another property or equal to it, with neither `nil`.
  public static func <= (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Returns a query for elements whose property is greater than another property, with neither `nil`.
  public static func > (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Returns a query for elements whose property is greater than another property or equal to it, with neither `nil`.
  public static func >= (field: Field, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose property equals an optional property.
  public static func == (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Returns a query for elements whose property differs from an optional property; `nil` differs from every value.
  public static func != (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Returns a query for elements whose property is less than an optional property that is not `nil`.
  public static func < (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Returns a query for elements whose property is less than an optional property or equal to it, with neither `nil`.
  public static func <= (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Returns a query for elements whose property is greater than an optional property that is not `nil`.
  public static func > (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Returns a query for elements whose property is greater than an optional property or equal to it, with neither `nil`.
  public static func >= (field: Field, other: Field<Property?>) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

extension Field where Property: ValueConvertible {
  /// Returns a query for elements whose optional property equals a property that is not optional.
  public static func == (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Returns a query for elements whose optional property differs from a property that is not optional; `nil` differs from
  /// every value.
  public static func != (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Returns a query for elements whose optional property is less than a property that is not optional, and is not `nil`.
  public static func < (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Returns a query for elements whose optional property is less than a property that is not optional or equal to it, and is
  /// not `nil`.
  public static func <= (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Returns a query for elements whose optional property is greater than a property that is not optional, and is not `nil`.
  public static func > (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Returns a query for elements whose optional property is greater than a property that is not optional or equal to it, and
  /// is not `nil`.
  public static func >= (field: Field<Property?>, other: Field) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

// Integers and reals are one kind, and are compared by their mathematical values. If both are of one type, the operators of
// `Field` itself are more specific.
extension FieldProtocol where Property: NumberProperty {
  /// Returns a query for elements whose property equals a number of another type; `nil` equals `nil`.
  public static func == (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .equal, other.expression)
  }

  /// Returns a query for elements whose property differs from a number of another type; `nil` differs from every other value.
  public static func != (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .notEqual, other.expression)
  }

  /// Returns a query for elements whose property is less than a number of another type, with neither `nil`.
  public static func < (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .lessThan, other.expression)
  }

  /// Returns a query for elements whose property is less than a number of another type or equal to it, with neither `nil`.
  public static func <= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .lessThanOrEqual, other.expression)
  }

  /// Returns a query for elements whose property is greater than a number of another type, with neither `nil`.
  public static func > (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .greaterThan, other.expression)
  }

  /// Returns a query for elements whose property is greater than a number of another type or equal to it, with neither `nil`.
  public static func >= (field: Self, other: Field<some NumberProperty>) -> AnyQuery {
    .compare(field.expression, .greaterThanOrEqual, other.expression)
  }
}

/// A property type that is a number, optional or not: such properties have comparisons with each other for any types, a sum and
/// an average.
///
/// `Bool` does not conform, although it is stored as a number.
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
  /// The type of a sum: a real.
  public typealias Sum = Double
}
extension Float: NumberProperty {
  /// The type of a sum: a real of twice the precision.
  public typealias Sum = Double
}
extension Optional: FieldOperand where Wrapped: NumberProperty {}
extension Optional: NumberProperty where Wrapped: NumberProperty {
  /// The type of a sum of the wrapped type: a sum leaves `nil` out.
  public typealias Sum = Wrapped.Sum
}

extension FieldGroup {
  /// Returns a query for elements whose property, stored as JSON, equals a value: both are compared as the text of the JSON. A
  /// primary key of several columns is compared column by column.
  public static func == (group: Self, value: Group) -> AnyQuery {
    if let id = value as? Element.ID, group.isKey { return group.schema.query(forKey: id) }
    return group.schema.query(group.path, .equal, value)
  }

  /// Returns a query for elements whose property, stored as JSON, or primary key of several columns differs from a value.
  public static func != (group: Self, value: Group) -> AnyQuery { !(group == value) }

  /// Returns a query for elements whose property, stored as JSON, or primary key of several columns equals one of the values.
  public func `in`(_ values: some Sequence<Group>) -> AnyQuery { .any(of: values.map { self == $0 }) }

  /// Returns a query for elements whose property, stored as JSON, is `nil`.
  public static func == <Wrapped>(group: Self, _: _OptionalNilComparisonType) -> AnyQuery where Group == Wrapped? {
    .isNull(key: group.schema.key(of: group.path))
  }

  /// Returns a query for elements whose property, stored as JSON, is not `nil`.
  public static func != <Wrapped>(group: Self, _: _OptionalNilComparisonType) -> AnyQuery where Group == Wrapped? {
    .isNotNull(key: group.schema.key(of: group.path))
  }
}

extension Schema {
  /// Returns the query for the element with a key.
  fileprivate func query(forKey id: Element.ID) -> AnyQuery {
    do throws(ValueError) {
      let (names, values) = (keyNames, try id.keyValues())
      if values.count == names.count { return .all(of: zip(names, values).map { .equal(key: $0, value: $1) }) }
      throw ValueError("the key of \(Element.self) has \(names.count) columns, not \(values.count)")
    } catch {
      return AnyQuery.make { () throws(ValueError) in throw error }
    }
  }

  /// Returns the query for a comparison of a property with a value as its column stores it.
  func query<Property>(
    _ path: KeyPath<Element, Property>, _ comparison: ComparisonOperator, _ value: Property
  ) -> AnyQuery {
    let erased: AnyKeyPath = path
    guard let column = keys.first(where: { $0.path == erased })?.column as? Column<Element, Property> else {
      return .isNull(key: key(of: path))
    }
    return .make { () throws(ValueError) in
      .comparison(
        Comparison(key: .key(key(of: path)), operator: comparison, operand: .value(try column.write(value))))
    }
  }
}
