/// The functions and operators of expressions.
///
/// Each function is total: where an operation has no result, the function returns null. A null argument makes the result null,
/// except for ``coalesce``.
public enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
  /// The sum; exact for integers, null beyond `Int64`.
  case add = "+"
  /// The difference.
  case subtract = "-"
  /// The product.
  case multiply = "*"
  /// The quotient; for integers truncated towards zero. Division by zero is null.
  case divide = "/"
  /// The remainder of a quotient of integers, with the sign of the dividend.
  case remainder = "%"
  /// The concatenation of two texts.
  case concatenate = "||"
  /// The number with the opposite sign.
  case negate
  /// The absolute value.
  case abs
  /// The largest whole number that is not greater than the argument.
  case floor
  /// The smallest whole number that is not less than the argument.
  case ceiling
  /// A number rounded to a number of digits after the point, from 0 to 15, by default 0: `round(x, 2)`.
  case round
  /// The sign of a number: -1, 0 or 1.
  case sign
  /// The square root, a real; null for a negative number.
  case squareRoot
  /// The least of several numbers; null if one of them is null.
  case least
  /// The greatest of several numbers; null if one of them is null.
  case greatest
  /// The number of a text's Unicode scalars.
  case length
  /// A text without blanks, tabs and line ends at its beginning and its end.
  case trim
  /// A text with another in place of each occurrence of a part: `replace(t, part, replacement)`.
  case replace
  /// A part of a text by its position, from 1, and its number of Unicode scalars: `substring(t, start, count)`; without a count,
  /// up to the end.
  case substring
  /// The position of the first occurrence of a part in a text, from 1; 0 without one: `position(t, part)`.
  case position
  /// One of the parts of a text between separators, from 1: `part(t, separator, number)`; null without such a part.
  case part
  /// A text with its case folded, as in conditions that ignore case.
  case folded
  /// The integer that a text spells; null for any other text.
  case integer
  /// The real that a text spells in digits with a point; null for any other text.
  case number
  /// The first of several expressions that is not null.
  case coalesce
  /// The year of a date, in UTC.
  case year
  /// The month of a date, from 1.
  case month
  /// The day of a date's month, from 1.
  case day
  /// The hour of a date, from 0 to 23; null for a day without a time.
  case hour
  /// The minute of a date.
  case minute
  /// The whole second of a date.
  case second
  /// The day of the week, from 1 for Monday to 7 for Sunday (ISO 8601).
  case weekday
  /// The quarter of a date's year, from 1 to 4.
  case quarter
  /// The week of a date's year, from 1 to 53 (ISO 8601).
  case week
  /// The year to which the week of a date belongs (ISO 8601).
  case weekYear
  /// The date that is a number of days after another, or before it: `addDays(d, 30)`.
  case addDays
  /// The date that is a number of months after another, or before it; the last day of the month if the month has fewer days.
  case addMonths
  /// The number of days from one date to another, in UTC: `daysBetween(start, end)`.
  case daysBetween
  /// The number of whole seconds from one date to another: `secondsBetween(start, end)`.
  case secondsBetween
  /// The day of a date as a text: `2026-11-20`.
  case date
  /// The month of a date as a text: `2026-11`.
  case yearMonth

  /// Whether the function is an infix operator. An operator may have more than two arguments, applied from left to right.
  package var isOperator: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .concatenate: true
    default: false
    }
  }

  /// Whether its arguments and its result are numbers.
  package var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .negate, .abs, .floor, .ceiling, .round, .sign, .squareRoot,
      .least,
      .greatest:
      true
    default: false
    }
  }

  /// Whether its argument is a date.
  package var isOfDates: Bool {
    switch self {
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth, .quarter, .week, .weekYear: true
    default: false
    }
  }

  /// The range of the number of arguments.
  package var argumentCount: ClosedRange<Int> {
    if isOperator { return 2...AnyExpression.maximumPartCount }
    switch self {
    case .coalesce: return 1...AnyExpression.maximumPartCount
    case .least, .greatest: return 2...AnyExpression.maximumPartCount
    case .replace, .part: return 3...3
    case .substring: return 2...3
    case .round: return 1...2
    case .position, .addDays, .addMonths, .daysBetween, .secondsBetween: return 2...2
    default: return 1...1
    }
  }

  /// A call of the function, with names for its arguments.
  package var signature: String {
    switch self {
    case .least, .greatest, .coalesce: "\(rawValue)(a, b, …)"
    case .round: "round(number, digits)"
    case .replace: "replace(text, part, replacement)"
    case .substring: "substring(text, start, count)"
    case .position: "position(text, part)"
    case .part: "part(text, separator, number)"
    case .addDays: "addDays(date, days)"
    case .addMonths: "addMonths(date, months)"
    case .daysBetween, .secondsBetween: "\(rawValue)(start, end)"
    default: isOperator ? "a \(rawValue) b" : "\(rawValue)(a)"
    }
  }

  /// The functions that are called by their names in the text form.
  package static let named = allCases.filter { !$0.isOperator && $0 != .negate }

  /// The precedence of an operator; a higher one binds tighter.
  package var precedence: Int {
    switch self {
    case .concatenate: 1
    case .add, .subtract: 2
    case .multiply, .divide, .remainder: 3
    default: 4
    }
  }
}

// Operators are members of the type, so that plain Swift keeps its semantics and is type-checked as fast as without them.
extension AnyExpression {
  /// Returns the sum of two expressions.
  public static func + (lhs: AnyExpression, rhs: AnyExpression) -> AnyExpression { apply(.add, lhs, rhs) }

  /// Returns the difference of two expressions.
  public static func - (lhs: AnyExpression, rhs: AnyExpression) -> AnyExpression { apply(.subtract, lhs, rhs) }

  /// Returns the product of two expressions.
  public static func * (lhs: AnyExpression, rhs: AnyExpression) -> AnyExpression { apply(.multiply, lhs, rhs) }

  /// Returns the quotient of two expressions; for integers truncated towards zero.
  public static func / (lhs: AnyExpression, rhs: AnyExpression) -> AnyExpression { apply(.divide, lhs, rhs) }

  /// Returns the remainder of two expressions.
  public static func % (lhs: AnyExpression, rhs: AnyExpression) -> AnyExpression { apply(.remainder, lhs, rhs) }

  /// Returns the number with the opposite sign.
  public static prefix func - (expression: AnyExpression) -> AnyExpression {
    AnyExpression(.function(.negate, [expression]))
  }

  /// Returns the concatenation of two texts.
  public static func concatenation(_ lhs: AnyExpression, _ rhs: AnyExpression) -> AnyExpression {
    apply(.concatenate, lhs, rhs)
  }

  /// Returns a function applied to one argument.
  public static func function(_ function: ExpressionFunction, of argument: AnyExpression) -> AnyExpression {
    AnyExpression(.function(function, [argument]))
  }

  /// Returns the first of several expressions that is not null.
  public static func coalesce(_ expressions: AnyExpression...) -> AnyExpression {
    AnyExpression(.function(.coalesce, expressions))
  }

  /// Returns a constant: a value that is the same for every row.
  public static func value(_ value: some ValueConvertible) -> AnyExpression {
    do throws(ValueError) {
      return AnyExpression(.value(try value.makeValue()))
    } catch {
      return AnyExpression(.invalid(.invalidValue(error)))
    }
  }

  /// Returns a path to a column of the row that references lead to: the referring columns, and the column at the end.
  public static func path(_ steps: String...) -> AnyExpression { AnyExpression(.path(steps)) }

  /// Applies an operator to two expressions; if the left side applies the same operator, the right side becomes its last
  /// argument, since `a - b - c` is `(a - b) - c`.
  package static func apply(
    _ function: ExpressionFunction, _ lhs: AnyExpression, _ rhs: AnyExpression
  ) -> AnyExpression {
    if case .function(function, let arguments) = lhs.form, arguments.count > 1 {
      return AnyExpression(.function(function, arguments + [rhs]))
    }
    return AnyExpression(.function(function, [lhs, rhs]))
  }
}

extension AnyExpression: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Makes the value of an integer literal.
  public init(integerLiteral value: Int64) { self.init(.value(.integer(value))) }

  /// Makes the value of a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self.init(.value(.real(value))) }
}
