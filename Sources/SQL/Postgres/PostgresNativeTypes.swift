import Query

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
      return "(CASE WHEN isfinite(\(name)) THEN \(format) ELSE \(name)::text END)"
    case .day: return "(CASE WHEN isfinite(\(name)) THEN to_char(\(name), 'YYYY-MM-DD') ELSE \(name)::text END)"
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
    (CASE WHEN \(x) < 0 THEN '-' || lpad((999 - length(trunc(- \(x))::text))::text, 3, '0') || ' ' \
    || translate(trim_scale(- \(x))::text, '0123456789', '9876543210') || '~ ' || trim_scale(\(x))::text \
    ELSE lpad(length(trunc(\(x))::text)::text, 3, '0') || ' ' || trim_scale(\(x))::text END)
    """
  }
}
