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

  /// Returns the number rounded to a number of digits after the point, from 0 to 15: `$0.price.rounded(to: 2)`.
  ///
  /// Ties round away from zero, by the decimal digits of the number: 2.675 becomes 2.68.
  public func rounded(to digits: Int = 0) -> Field<Property.Sum?> {
    Field<Property.Sum?>(AnyExpression(.function(.round, [expression, .value(digits)])))
  }

  /// The sign of the number: -1, 0 or 1.
  public var sign: Field<Int?> { Field<Int?>(.function(.sign, of: expression)) }

  /// The square root; `nil` for a negative number.
  public var squareRoot: Field<Double?> { Field<Double?>(.function(.squareRoot, of: expression)) }

  /// Returns the least of two numbers or more; `nil` if one of them is `nil`: `.least($0.width, $0.height)`.
  public static func least(_ field: Field, _ others: Field...) -> Field {
    Field(AnyExpression(.function(.least, [field.expression] + others.map(\.expression))))
  }

  /// Returns the greatest of two numbers or more; `nil` if one of them is `nil`.
  public static func greatest(_ field: Field, _ others: Field...) -> Field {
    Field(AnyExpression(.function(.greatest, [field.expression] + others.map(\.expression))))
  }
}

extension Field where Property: TextProperty {
  /// The number of Unicode scalars: `$0.name.length > 3`.
  public var length: Field<Int?> { Field<Int?>(.function(.length, of: expression)) }

  /// The text with its case folded, by Unicode's rules and in no locale, as in conditions that ignore case.
  public var folded: Field<String?> { Field<String?>(.function(.folded, of: expression)) }

  /// The text without blanks, tabs and line ends at its beginning and its end.
  public var trimmed: Field<String?> { Field<String?>(.function(.trim, of: expression)) }

  /// The integer that the text spells; `nil` for any other text.
  public var integer: Field<Int?> { Field<Int?>(.function(.integer, of: expression)) }

  /// The real that the text spells in digits with a point; `nil` for any other text.
  public var number: Field<Double?> { Field<Double?>(.function(.number, of: expression)) }

  /// Returns the text with another in place of each occurrence of a part: `$0.phone.replacing("-", with: "")`.
  public func replacing(_ part: String, with replacement: String) -> Field<String?> {
    Field<String?>(AnyExpression(.function(.replace, [expression, .value(part), .value(replacement)])))
  }

  /// Returns the first Unicode scalars of the text: `$0.name.prefix(3) == "Cha"`.
  public func prefix(_ count: Int) -> Field<String?> { substring(from: 1, count: count) }

  /// Returns a part of the text.
  ///
  /// - Parameters:
  ///   - start: the position of the first Unicode scalar, from 1; the result is `nil` for a position before the first.
  ///   - count: the number of Unicode scalars; up to the end of the text for `nil`.
  public func substring(from start: Int, count: Int? = nil) -> Field<String?> {
    let bounds = [AnyExpression.value(start)] + (count.map { [.value($0)] } ?? [])
    return Field<String?>(AnyExpression(.function(.substring, [expression] + bounds)))
  }

  /// Returns the position of the first occurrence of a part, from 1; 0 without one.
  public func position(of part: String) -> Field<Int?> {
    Field<Int?>(AnyExpression(.function(.position, [expression, .value(part)])))
  }

  /// Returns one of the parts between separators, from 1; `nil` without such a part: `$0.email.part(2, separatedBy: "@")`.
  public func part(_ number: Int, separatedBy separator: String) -> Field<String?> {
    Field<String?>(AnyExpression(.function(.part, [expression, .value(separator), .value(number)])))
  }
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

  /// The quarter of the year, from 1 to 4.
  public var quarter: Field<Int?> { Field<Int?>(.function(.quarter, of: expression)) }

  /// The week of ``weekYear``, from 1 to 53 (ISO 8601).
  public var week: Field<Int?> { Field<Int?>(.function(.week, of: expression)) }

  /// The year to which the week belongs (ISO 8601).
  public var weekYear: Field<Int?> { Field<Int?>(.function(.weekYear, of: expression)) }

  /// Returns the date a number of days later, or earlier: `$0.due.adding(days: 30)`.
  public func adding(days: Int) -> Field<Date?> {
    Field<Date?>(AnyExpression(.function(.addDays, [expression, .value(days)])))
  }

  /// Returns the date a number of months later, or earlier; the last day of a month that has fewer days.
  public func adding(months: Int) -> Field<Date?> {
    Field<Date?>(AnyExpression(.function(.addMonths, [expression, .value(months)])))
  }

  /// Returns the number of days from this date to another, in UTC: `$0.ordered.days(to: $0.shipped) > 3`.
  public func days(to end: Field<some DateProperty>) -> Field<Int?> {
    Field<Int?>(AnyExpression(.function(.daysBetween, [expression, end.expression])))
  }

  /// Returns the number of whole seconds from this date to another.
  public func seconds(to end: Field<some DateProperty>) -> Field<Int?> {
    Field<Int?>(AnyExpression(.function(.secondsBetween, [expression, end.expression])))
  }

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
