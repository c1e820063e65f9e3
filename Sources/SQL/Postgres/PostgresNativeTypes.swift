public import Query

// Columns of other programs, in PostgreSQL's own types: booleans, UUIDs, times, decimal numbers. A comparison is made in the
// column's type, so that its indexes serve it; in most other places the column is converted.
extension PostgresDialect {
  /// Returns the comparison with the smallest value that the column can hold and that is not less than the given one.
  func comparison(
    _ column: ColumnSchema, as nativeType: NativeColumnType, _ comparisonOperator: ComparisonOperator, _ value: Value
  ) -> ComparisonOutcome {
    // The value is compared first as with a column of the usual type for the same values.
    let usual = usualComparison(column.stored(as: nil), comparisonOperator, value)
    guard case .bound(let comparisonOperator, let value) = usual else { return usual }
    if case .text(let text) = value, nativeType == .padded, text.utf8.last == UInt8(ascii: " "),
      comparisonOperator.isEquality
    {
      return .constant(comparisonOperator == .notEqual)
    }
    guard nativeType.isOrdered else { return usual }
    guard let least = nativeType.least(notLessThan: value) else {
      return .constant(
        comparisonOperator == .lessThan || comparisonOperator == .lessThanOrEqual || comparisonOperator == .notEqual)
    }
    if least == value { return .bound(comparisonOperator, least) }
    switch comparisonOperator {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .lessThanOrEqual: return .bound(.lessThan, least)
    case .greaterThan, .greaterThanOrEqual: return .bound(.greaterThanOrEqual, least)
    }
  }

  /// Returns the column, converted if its type is not one of the usual ones.
  public func valueTerm(_ column: SQLTerm) -> String {
    let name = column.sql
    switch column.nativeType {
    case nil: return name
    case .boolean: return "\(name)::int"
    case .decimal(_, 0): return "\(name)::int8"
    case .decimal: return "\(name)::float8"
    case .numeric: return Self.decimalText(name)
    case .uuid, .padded, .text, .shown: return "\(name)::text"
    case .timestamp(let hasZone, _):
      let format = #"to_char(\#(name)\#(hasZone ? " AT TIME ZONE 'UTC'" : ""), 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')"#
      return Self.dateText(name, format)
    case .day: return Self.dateText(name, "to_char(\(name), 'YYYY-MM-DD')")
    }
  }

  /// Returns the text of a date; null before the year 1 and after 9999.
  private static func dateText(_ name: String, _ format: String) -> String {
    "(CASE WHEN \(name) >= \(firstDate) AND \(name) < \(endOfDates) THEN \(format) "
      + "WHEN NOT isfinite(\(name)) THEN \(name)::text END)"
  }

  /// A day ignores the time, and a timestamp without a time zone the offset.
  private static let firstDate = "'0001-01-01 00:00:00+00'"
  private static let endOfDates = "'10000-01-01 00:00:00+00'"

  /// Returns the column as a value, without NaN.
  public func operandTerm(_ column: SQLTerm) -> String {
    let value = valueTerm(column)
    switch column.nativeType {
    case nil where column.type == .real, .decimal(_, 1...): return "nullif(\(value),'NaN')"
    default: return value
    }
  }

  /// Returns a condition without NaN, which is greater than all other numbers, and without dates before the year 1 and after 9999.
  /// https://www.postgresql.org/docs/15/datatype-numeric.html
  public func readableCondition(_ column: SQLTerm, _ comparisonOperator: ComparisonOperator?) -> String? {
    let name = column.sql
    // An operation on numbers returns no NaN, and is not to be computed twice.
    guard name.utf8.last == UInt8(ascii: "\"") else { return nil }
    let findsGreater = comparisonOperator.map { [.greaterThan, .greaterThanOrEqual, .notEqual].contains($0) } ?? true
    let findsLess = comparisonOperator.map { [.lessThan, .lessThanOrEqual, .notEqual].contains($0) } ?? true
    switch column.nativeType {
    case nil where column.type == .real, .decimal, .numeric(_?, _): return findsGreater ? "\(name) < 'NaN'" : nil
    case .numeric(nil, _):
      let conditions = (findsLess ? ["\(name) > '-Infinity'"] : []) + (findsGreater ? ["\(name) < 'Infinity'"] : [])
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    case .timestamp, .day:
      let isAfter = "(\(name) >= \(Self.firstDate) OR \(name) = '-infinity')"
      let isBefore = "(\(name) < \(Self.endOfDates) OR \(name) = 'infinity')"
      let conditions = (findsLess ? [isAfter] : []) + (findsGreater ? [isBefore] : [])
      return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    default: return nil
    }
  }

  /// Returns the column; decimals of a few digits without their type's modifier, by which a result would be read as reals.
  public func resultTerm(_ column: SQLTerm) -> String {
    guard case .numeric(let precision?, let scale)? = column.nativeType,
      !NativeColumnType(precision: precision, scale: scale).isNumeric
    else { return column.sql }
    return "\(column.sql)::numeric"
  }

  /// Returns the canonical text of a number, as `DecimalText` writes it.
  private static func decimalText(_ x: String) -> String {
    """
    (CASE WHEN \(x) <= '-Infinity' OR \(x) >= 'Infinity' THEN NULL \
    WHEN \(x) < 0 THEN '-' || lpad((999 - length(trunc(- \(x))::text))::text, 3, '0') || ' ' \
    || translate(trim_scale(- \(x))::text, '0123456789', '9876543210') || '~ ' || trim_scale(\(x))::text \
    ELSE lpad(length(trunc(\(x))::text)::text, 3, '0') || ' ' || trim_scale(\(x))::text END)
    """
  }
}
