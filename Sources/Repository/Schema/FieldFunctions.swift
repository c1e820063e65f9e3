#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query

// Functions of one field, with the names of the text form. Each result is optional: a function of nil is nil.

extension Field where Property: NumberProperty {
  /// The absolute value.
  public var abs: Field<Property.Sum?> { Field<Property.Sum?>(.function(.abs, of: expression)) }

  /// The largest whole number that is not greater than the number.
  public var floor: Field<Property.Sum?> { Field<Property.Sum?>(.function(.floor, of: expression)) }

  /// The smallest whole number that is not less than the number.
  public var ceiling: Field<Property.Sum?> { Field<Property.Sum?>(.function(.ceiling, of: expression)) }
}

extension Field where Property: TextProperty {
  /// The number of Unicode scalars: `$0.name.length > 3`.
  public var length: Field<Int?> { Field<Int?>(.function(.length, of: expression)) }

  /// The text with its case folded, by Unicode's rules and in no locale, as in conditions that ignore case.
  public var folded: Field<String?> { Field<String?>(.function(.folded, of: expression)) }
}

/// A property type that is a date, optional or not.
public protocol DateProperty: ValueConvertible {}

extension Date: DateProperty {}
extension Optional: DateProperty where Wrapped: DateProperty {}

// Parts of dates, in UTC.
extension Field where Property: DateProperty {
  /// The year: `$0.born.year == 1996`.
  public var year: Field<Int?> { Field<Int?>(.function(.year, of: expression)) }

  /// The month, from 1.
  public var month: Field<Int?> { Field<Int?>(.function(.month, of: expression)) }

  /// The day of the month, from 1.
  public var day: Field<Int?> { Field<Int?>(.function(.day, of: expression)) }

  /// The hour, from 0 to 23.
  public var hour: Field<Int?> { Field<Int?>(.function(.hour, of: expression)) }

  /// The minute.
  public var minute: Field<Int?> { Field<Int?>(.function(.minute, of: expression)) }

  /// The whole second.
  public var second: Field<Int?> { Field<Int?>(.function(.second, of: expression)) }

  /// The day of the week, from 1 for Monday to 7 for Sunday.
  public var weekday: Field<Int?> { Field<Int?>(.function(.weekday, of: expression)) }

  /// The day as a text, for groups: `2026-11-20`.
  public var date: Field<String?> { Field<String?>(.function(.date, of: expression)) }

  /// The month as a text, for groups: `2026-11`.
  public var yearMonth: Field<String?> { Field<String?>(.function(.yearMonth, of: expression)) }
}

extension Field where Property: ValueConvertible {
  /// Returns one of two values, depending on whether the element matches a query: `.if($0.composer == nil, "none", "some")`.
  public static func `if`(_ query: AnyQuery, _ value: Property, _ other: Property) -> Field {
    Field(AnyExpression(.conditional(query, then: .value(value), else: .value(other))))
  }

  /// Returns one of two fields, depending on whether the element matches a query: `.if($0.isGift, $0.listPrice, $0.price)`.
  public static func `if`(_ query: AnyQuery, _ field: Field, _ other: Field) -> Field {
    Field(AnyExpression(.conditional(query, then: field.expression, else: other.expression)))
  }

  /// Returns a field if the element matches a query, otherwise a value.
  public static func `if`(_ query: AnyQuery, _ field: Field, _ value: Property) -> Field {
    Field(AnyExpression(.conditional(query, then: field.expression, else: .value(value))))
  }

  /// Returns the property, or a value if it is `nil`: `($0.height ?? 0) < 2`.
  public static func ?? (field: Field<Property?>, value: Property) -> Field {
    Field(.coalesce(field.expression, .value(value)))
  }

  /// Returns the property, or another property if it is `nil`.
  public static func ?? (field: Field<Property?>, other: Field) -> Field {
    Field(.coalesce(field.expression, other.expression))
  }
}
