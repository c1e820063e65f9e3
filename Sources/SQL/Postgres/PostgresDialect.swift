public import Query

/// The dialect of PostgreSQL, from version 14 on.
///
/// The server infers the types of parameters from their context. Texts are compared by the collation "C", in which the
/// tables of this toolkit store them: that is by their bytes.
public struct PostgresDialect: Dialect {
  /// Whether subqueries are allowed.
  let hasSubqueries: Bool

  /// Makes the dialect.
  public init() { self.init(hasSubqueries: true) }

  private init(hasSubqueries: Bool) { self.hasSubqueries = hasSubqueries }

  /// The dialect without subqueries, which are not allowed in a check.
  /// https://www.postgresql.org/docs/15/ddl-constraints.html#DDL-CONSTRAINTS-CHECK-CONSTRAINTS
  public var portable: any Dialect { PostgresDialect(hasSubqueries: false) }

  // MARK: Names and values

  /// Returns a name in standard SQL's double quotes; those within the name are doubled.
  public func quoted(_ name: String) -> String { Quoting.quote(name, with: "\"") }

  /// The maximum length of a name: PostgreSQL truncates longer ones, with only a notice.
  /// https://www.postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
  public var maximumNameLength: Int? { 63 }

  /// Returns `$1`, `$2` and so on.
  public func placeholder(_ position: Int) -> String { "$\(position)" }

  /// Returns a literal, as PostgreSQL reads it.
  public func literal(_ value: Value) -> String { PostgresLiteral.of(value) }

  /// Returns the literal: a default may be any expression.
  public func plainLiteral(_ value: Value) -> String { PostgresLiteral.of(value) }

  // MARK: Conditions

  /// Returns the comparison with a bound of the column's own type. A text with U+0000, which PostgreSQL's texts can't contain,
  /// sorts directly after the text before it, with no other text between.
  public func comparison(_ column: ColumnSchema, _ comparisonOperator: ComparisonOperator, _ value: Value)
    -> ComparisonOutcome
  {
    if let nativeType = column.nativeType { return comparison(column, as: nativeType, comparisonOperator, value) }
    return usualComparison(column, comparisonOperator, value)
  }

  func usualComparison(_ column: ColumnSchema, _ comparisonOperator: ComparisonOperator, _ value: Value)
    -> ComparisonOutcome
  {
    guard case .text(let text) = value, let end = text.utf8.firstIndex(of: 0) else {
      return column.comparison(comparisonOperator, value)
    }
    let start = Value.text(String(text[..<end]))
    switch comparisonOperator {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .lessThanOrEqual: return .bound(.lessThanOrEqual, start)
    case .greaterThan, .greaterThanOrEqual: return .bound(.greaterThan, start)
    }
  }

  /// Returns the column, by its bytes if the operator is one of order: equality of two texts is that of their bytes in all
  /// collations but the nondeterministic ones, and an index of the column's own collation can serve it.
  /// https://www.postgresql.org/docs/15/collation.html#COLLATION-NONDETERMINISTIC
  public func comparand(_ column: SQLTerm, _ comparisonOperator: ComparisonOperator, with values: [Value]) -> String {
    comparisonOperator.isEquality ? groupTerm(column) : byBytes(column)
  }

  /// Returns a comparison with a column on either side. An integer and a real are compared by a sign: PostgreSQL would convert
  /// the integer to a real, which rounds it.
  public func comparison(_ lhs: SQLTerm, _ comparisonOperator: ComparisonOperator, _ rhs: SQLTerm) -> String {
    if let nativeType = lhs.nativeType, nativeType.isOrdered,
      nativeType == rhs.nativeType || nativeType.isNumeric && rhs.nativeType?.isNumeric == true
    {
      return readable([lhs, rhs], "\(lhs.sql) \(comparisonOperator.sql) \(rhs.sql)")
    }
    // A null is compared with values of any type.
    if lhs.constant == .null || rhs.constant == .null {
      let sides = [lhs, rhs].map { $0.constant == .null ? "NULL" : valueTerm($0) }
      return "\(sides[0]) \(comparisonOperator.sql) \(sides[1])"
    }
    switch (lhs.type, rhs.type) {
    case (.integer, .real): return readable([rhs], "\(sign(lhs, rhs)) \(comparisonOperator.sql) 0")
    case (.real, .integer): return readable([lhs], "0 \(comparisonOperator.sql) \(sign(rhs, lhs))")
    default:
      // An explicit collation applies to both sides, whose own collations may be two that both order by bytes, and yet
      // conflict.
      let collation = lhs.type == .text && rhs.type == .text ? Self.collateByBytes : ""
      return readable([lhs, rhs], "\(valueTerm(lhs))\(collation) \(comparisonOperator.sql) \(valueTerm(rhs))")
    }
  }

  /// Returns a comparison of columns without the values that no store can read.
  private func readable(_ columns: [SQLTerm], _ condition: String) -> String {
    let readable = columns.compactMap { readableCondition($0, nil) }
    return readable.isEmpty ? condition : "(\(([condition] + readable).joined(separator: " AND ")))"
  }

  /// Returns whether an integer is less than (-1), equal to (0) or greater than (1) a real.
  private func sign(_ integer: SQLTerm, _ real: SQLTerm) -> String {
    let (i, r) = (valueTerm(integer), valueTerm(real))
    return """
      CASE WHEN \(i) IS NULL OR \(r) IS NULL THEN NULL WHEN \(r) >= 9223372036854775808 THEN -1 \
      WHEN \(r) < -9223372036854775808 THEN 1 WHEN \(i) < floor(\(r))::int8 THEN -1 \
      WHEN \(i) > floor(\(r))::int8 THEN 1 WHEN \(r) > floor(\(r)) THEN -1 ELSE 0 END
      """
  }

  /// Returns `IN` for a few values, which the planner counts, and one array for more.
  public func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    let (inlineCount, type) = (inlineListCount, column.type)
    if values.count <= inlineCount { return inlineMembership(column, values, isNegated: isNegated, bind: bind) }
    let array = bind { $0.count > inlineCount ? .list($0, type) : nil }
    return "\(comparand(column, .equal, with: values)) \(isNegated ? "<> ALL" : "= ANY")(\(array))"
  }

  /// The number is small enough that lists of every length need only a handful of statements.
  public var inlineListCount: Int { 4 }

  /// PostgreSQL requires a value: https://www.postgresql.org/docs/current/functions-comparisons.html
  public var acceptsEmptyLists: Bool { false }

  /// Returns the items of an array, whose type has to be explicit without a column in its context.
  public func list(_ values: [Value], bind: (@escaping ListBinding) -> String) -> String {
    let type = Self.type(of: values)
    let array = bind { Self.type(of: $0) == type ? .list($0, type) : nil }
    return "SELECT unnest(\(array)::\(name(of: type))[])"
  }

  /// Returns the type of an array that holds all of some values.
  private static func type(of values: [Value]) -> ValueType {
    var type: ValueType?
    for value in values {
      switch value {
      case .null: break
      case .integer: type = type ?? .integer
      case .real: type = type == nil || type == .integer ? .real : type
      case .text: type = .text
      case .blob: type = type ?? .blob
      }
    }
    return type ?? .text
  }

  /// Returns a column's text with its case folded. PostgreSQL's own case functions depend on a locale and do not fold, so
  /// all characters other than ASCII are folded by a function of this toolkit, see `PostgresFolding`.
  func folded(_ column: SQLTerm) -> String { folded(valueTerm(column)) }

  func folded(_ name: String) -> String {
    """
    CASE WHEN octet_length(\(name)) = length(\(name)) THEN lower(\(name)\(Self.collateByBytes)) \
    ELSE \(PostgresFolding.functionName)(\(name)) END
    """
  }

  /// The barrier: none, since no chain is too deep for PostgreSQL's planner.
  public var planningBarrier: String { "" }

  /// Whether a name in `ORDER BY` refers to the result first: true, and PostgreSQL generates names of the result from its
  /// expressions. https://www.postgresql.org/docs/15/sql-select.html#SQL-ORDERBY
  public var sortsByResultNames: Bool { true }

  /// The time in microseconds.
  public var currentTime: String {
    #"to_char(CURRENT_TIMESTAMP AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')"#
  }

  /// PostgreSQL 15 stores all computed columns: https://www.postgresql.org/docs/15/ddl-generated-columns.html
  public var storageOfComputedColumns: String { "STORED" }

  // MARK: Order, groups and ranges

  /// Returns the column by its bytes.
  public func sortKey(_ column: SQLTerm) -> String { byBytes(column) }

  /// Returns the column, by its bytes if its collation may treat different texts as equal.
  public func groupTerm(_ column: SQLTerm) -> String {
    if column.nativeType == .text || column.nativeType == .shown { return valueTerm(column) }
    return column.sql + (column.collation == ColumnSchema.unknownCollation ? Self.collateByBytes : "")
  }

  /// Returns the same as ``groupTerm(_:)``, as a column of a result: a group has one value, except for the sign of a zero.
  public func groupKey(_ column: SQLTerm) -> String {
    column.nativeType?.isNumeric == true ? resultTerm(column) : groupTerm(column)
  }

  /// Returns standard clauses; either may be used without the other.
  public func range(hasLimit: Bool, hasOffset: Bool, bind: (RangeBound) -> String) -> String {
    (hasLimit ? " LIMIT \(bind(.limit))" : "") + (hasOffset ? " OFFSET \(bind(.offset))" : "")
  }

  // MARK: Collation

  static let collateByBytes = #" COLLATE "C""#

  /// Returns a column as it is ordered and searched, by its bytes.
  func byBytes(_ column: SQLTerm) -> String {
    switch column.nativeType {
    case .padded, .text, .shown: valueTerm(column) + Self.collateByBytes
    case .some: column.sql
    case nil: column.sql + (column.collation == nil ? "" : Self.collateByBytes)
    }
  }

  /// Returns a column as a text that is searched, by its bytes.
  func textByBytes(_ column: SQLTerm) -> String {
    column.nativeType == nil ? byBytes(column) : valueTerm(column) + Self.collateByBytes
  }
}
