import Query

// SQL's conditions are true, false or null; ours are true or false. Where a condition stands (no negation above it), null
// and false are the same, so a condition has to be made up for only where it is negated: `IS NULL` is added for each side
// that may be null.
extension StatementWriter {
  /// Writes one line for each condition that there is.
  mutating func expression(_ condition: Condition<Int>, isNegated: Bool) -> Expression {
    switch condition {
    case .constant(let constant): .constant(constant != isNegated)
    case .comparison(let comparison): expression(comparison, isNegated: isNegated)
    case .between(let between): expression(between, isNegated: isNegated)
    case .membership(let membership): expression(membership, isNegated: isNegated)
    case .text(let match): expression(match, isNegated: isNegated)
    case .invalid: .constant(false)  // Resolving has thrown its error before.
    }
  }

  private mutating func expression(_ comparison: Comparison<Int>, isNegated: Bool) -> Expression {
    let relation = isNegated ? comparison.relation.opposite : comparison.relation
    // The opposite of an order holds for nulls; `notEqual` does in itself.
    let includesNull = isNegated && !comparison.relation.isEquality || relation == .notEqual
    switch comparison.operand {
    case .value(.null):
      switch relation {
      case .equal: return Expression("\(name(comparison.key)) IS NULL")
      case .notEqual: return Expression("\(name(comparison.key)) IS NOT NULL")
      default: return .constant(isNegated)
      }
    case .value(let given):
      let value = table.columns[comparison.key].comparable(given)
      let comparand = dialect.comparand(table.columns[comparison.key], with: [value])
      let compared = "\(comparand) \(relation.sql) \(bind(value))"
      return Expression(anyOf: [compared] + (includesNull ? isNull(comparison.key) : []))
    case .key(let other):
      return expression(comparison.key, relation, other, includesNull: includesNull)
    }
  }

  private func expression(_ key: Int, _ relation: Relation, _ other: Int, includesNull: Bool) -> Expression {
    let (lhs, rhs) = dialect.comparands(table.columns[key], table.columns[other])
    let compared = "\(lhs) \(relation.sql) \(rhs)"
    let (keyIsNull, otherIsNull) = (isNull(key), isNull(other))
    switch relation {
    case .equal where !keyIsNull.isEmpty && !otherIsNull.isEmpty:
      return Expression(anyOf: [compared, Expression(allOf: keyIsNull + otherIsNull).asMember])
    case .notEqual where !keyIsNull.isEmpty && !otherIsNull.isEmpty:
      // Null equals null, so one of them alone has to be null.
      return Expression(anyOf: [compared, "(\(keyIsNull[0])) <> (\(otherIsNull[0]))"])
    default:
      return Expression(anyOf: [compared] + (includesNull ? keyIsNull + otherIsNull : []))
    }
  }

  private mutating func expression(_ between: Between<Int>, isNegated: Bool) -> Expression {
    // As two comparisons where a bound is a key or null, which has rules of its own.
    guard case .value(let lower) = between.lower, case .value(let upper) = between.upper,
      !lower.isNull, !upper.isNull
    else {
      let sides = [
        Comparison(key: between.key, relation: .greaterThanOrEqual, operand: between.lower),
        Comparison(key: between.key, relation: .lessThanOrEqual, operand: between.upper),
      ].map { expression($0, isNegated: isNegated).asMember }
      return isNegated ? Expression(anyOf: sides) : Expression(allOf: sides)
    }
    let column = table.columns[between.key]
    let bounds = [column.comparable(lower), column.comparable(upper)]
    let comparand = dialect.comparand(column, with: bounds)
    let compared = "\(comparand) \(isNegated ? "NOT BETWEEN" : "BETWEEN") \(bind(bounds[0])) AND \(bind(bounds[1]))"
    // `BETWEEN`'s own `AND` binds tighter than the joint.
    return Expression(anyOf: [compared] + (isNegated ? isNull(between.key) : []))
  }

  private mutating func expression(_ membership: Membership<Int>, isNegated: Bool) -> Expression {
    let column = table.columns[membership.key]
    let findsNull = membership.values.contains(where: \.isNull)
    let values = column.findable(in: membership.values)
    var parts: [String] = []
    if !values.isEmpty {
      let comparand = dialect.comparand(column, with: values)
      parts.append("\(comparand) \(isNegated ? "NOT IN" : "IN") (\(list(values)))")
    }
    if findsNull && isNegated {
      return Expression(allOf: ["\(name(membership.key)) IS NOT NULL"] + parts)
    }
    if parts.isEmpty && !findsNull { return .constant(isNegated) }
    parts += findsNull || isNegated ? isNull(membership.key) : []
    return parts.isEmpty ? .constant(false) : Expression(anyOf: parts)
  }

  private mutating func expression(_ match: TextMatch<Int>, isNegated: Bool) -> Expression {
    let dialect = dialect
    let matches = dialect.matches(
      table.columns[match.key], match.operation, match.soughtText, ignoringCase: match.isIgnoringCase,
      bind: { bind($0) })
    guard isNegated else { return Expression(matches, isCompound: true) }
    return Expression(anyOf: ["NOT (\(matches))"] + isNull(match.key))
  }

  private mutating func list(_ values: [Value]) -> String {
    // A definition may neither hold a subquery nor be used again with other values.
    if isDefinition { return values.map { bind($0) }.joined(separator: ", ") }
    if values.count > dialect.inlineListCount {
      let dialect = dialect
      return dialect.list(values, bind: { bind($0) })
    }
    // Lists are filled up with their last value to a power of two, so that few statements serve all lengths.
    var count = 1
    while count < values.count { count *= 2 }
    return (0..<count).map { bind(values[min($0, values.count - 1)]) }.joined(separator: ", ")
  }

  private func isNull(_ column: Int) -> [String] {
    table.columns[column].isNullable ? ["\(name(column)) IS NULL"] : []
  }
}

/// A Boolean expression, and whether it needs parentheses to be part of another.
struct Expression {
  let sql: String
  let isCompound: Bool

  init(_ sql: String, isCompound: Bool = false) {
    self.sql = sql
    self.isCompound = isCompound
  }

  /// Expressions joined with `OR`.
  init(anyOf parts: [String]) {
    sql = parts.joined(separator: " OR ")
    isCompound = parts.count > 1
  }

  /// Expressions joined with `AND`.
  init(allOf parts: [String]) {
    sql = parts.joined(separator: " AND ")
    isCompound = parts.count > 1
  }

  static func constant(_ constant: Bool) -> Expression { Expression(constant ? "1 = 1" : "1 = 0") }

  /// The expression as a member of a join or behind `NOT`.
  var asMember: String { isCompound ? "(\(sql))" : sql }
}

extension Relation {
  var sql: String { self == .notEqual ? "<>" : rawValue }

  /// The relation that holds between two values, neither of them null, exactly where this one does not.
  var opposite: Relation {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .lessThan: .greaterThanOrEqual
    case .lessThanOrEqual: .greaterThan
    case .greaterThan: .lessThanOrEqual
    case .greaterThanOrEqual: .lessThan
    }
  }

  var isEquality: Bool { self == .equal || self == .notEqual }
}

extension ColumnSchema {
  /// A value as the column would hold it, if it can: the same number as an integer or a real.
  ///
  /// The value is equal to the one given, so every comparison means the same, and a database has nothing to convert:
  /// SQLite looks up the smallest integer in vain if it is given as a real.
  func comparable(_ value: Value) -> Value {
    guard declaredType == nil else { return value }
    switch (type, value) {
    case (.integer, .real(let real)): return Int64(exactly: real).map(Value.integer) ?? value
    case (.real, .integer(let integer)): return Double(exactly: integer).map(Value.real) ?? value
    default: return value
    }
  }

  /// The values of a list that the column could equal, in the form in which it would hold them.
  ///
  /// A number that a strict column can't hold equals none of its values: leaving it out here keeps a database from
  /// rounding it into one that does. Nulls are left out too, since SQL's `IN` never finds them.
  func findable(in values: [Value]) -> [Value] {
    values.compactMap { value in
      if value.isNull { return nil }
      let comparable = comparable(value)
      switch (declaredType == nil ? type : .any, comparable) {
      case (.integer, .real), (.real, .integer): return nil
      default: return comparable
      }
    }
  }
}
