import Query

// SQL's conditions are true, false or null; those of queries are true or false. If a condition is not negated, null and
// false are equivalent, so only a negated one needs more: `IS NULL` is added for each side that is nullable.
extension StatementWriter {
  /// Writes a condition or its exact opposite.
  ///
  /// - Parameter operand: the position of the condition's first operand in the request.
  mutating func fragment(_ condition: Condition<Int>, isNegated: Bool, operand: Int) -> ConditionFragment {
    switch condition {
    case .constant(let constant): .constant(constant != isNegated)
    case .comparison(let comparison): fragment(comparison, isNegated: isNegated, operand: operand)
    case .between(let between): fragment(between, isNegated: isNegated, operand: operand)
    case .membership(let membership): fragment(membership, isNegated: isNegated, operand: operand)
    case .text(let match): fragment(match, isNegated: isNegated, operand: operand)
    case .holds(let key): truth(of: key, isNegated: isNegated)
    case .invalid: .constant(false)  // Resolving has thrown its error before.
    }
  }

  private mutating func truth(of key: Int, isNegated: Bool) -> ConditionFragment {
    if case .exists(let rows)? = frame.scope.expression(key)?.form {
      return ConditionFragment((isNegated ? "NOT " : "") + exists(rows))
    }
    let term = term(key)
    return ConditionFragment(anyOf: ["\(term.sql) \(isNegated ? "<>" : "=") 1"] + (isNegated ? isNull(term) : []))
  }

  // MARK: Comparisons

  private mutating func fragment(_ comparison: Comparison<Int>, isNegated: Bool, operand: Int) -> ConditionFragment {
    let key = comparison.key
    let comparisonOperator = isNegated ? comparison.operator.opposite : comparison.operator
    // The negation of an order comparison is true for nulls, and `notEqual` is true for a null even without a negation.
    let includesNull = isNegated && !comparison.operator.isEquality || comparisonOperator == .notEqual
    let term = term(key)
    switch comparison.operand {
    case .value(.null):
      switch comparisonOperator {
      case .equal: return ConditionFragment("\(term.sql) IS NULL")
      case .notEqual: return ConditionFragment("\(term.sql) IS NOT NULL")
      default: return .constant(isNegated)
      }
    case .value(let value):
      switch dialect.comparison(term.column, comparisonOperator, value) {
      case .bound(let outcome, let bound):
        let placeholder = bind(bound, slot(operand, value, of: key, comparisonOperator, outcome))
        let comparand = dialect.comparand(term, outcome, with: [bound])
        let compared = condition(on: term, as: comparand) { "\($0) \(outcome.sql) \(placeholder)" }
        return ConditionFragment(anyOf: [readable(term, outcome, compared)] + (includesNull ? isNull(term) : []))
      case .constant(let constant):
        note(.constant(operand: operand, column: key, comparisonOperator, constant))
        return fragment(constant, of: term, includesNull: includesNull)
      }
    case .key(let other):
      return fragment(term, comparisonOperator, self.term(other), includesNull: includesNull)
    }
  }

  /// Returns a condition on a term in the form in which it is compared; for an arithmetic operation, it also checks the result.
  private func condition(on term: SQLTerm, as comparand: String, _ condition: (String) -> String) -> String {
    guard let checking = term.checking, comparand == term.sql else { return condition(comparand) }
    return checking(condition)
  }

  /// Returns a condition on a term without the values that no store can read, for which it may be true.
  private func readable(_ term: SQLTerm, _ comparisonOperator: ComparisonOperator, _ condition: String) -> String {
    dialect.readableCondition(term, comparisonOperator).map { "(\(condition) AND \($0))" } ?? condition
  }

  /// Returns the slot of a compared value; a number in a column of its own type is always bound unchanged.
  private func slot(
    _ operand: Int, _ value: Value, of key: Int, _ comparisonOperator: ComparisonOperator, _ outcome: ComparisonOperator
  ) -> Slot {
    let column = column(key)
    switch (column.type, value) {
    case (.integer, .integer) where column.declaredType == nil && column.nativeType == nil,
      (.real, .real) where column.declaredType == nil && column.nativeType == nil:
      return .value(operand: operand)
    default:
      return .comparison(operand: operand, column: key, comparisonOperator, outcome: outcome)
    }
  }

  /// Returns a constant for every value of a column, and optionally for null.
  private func fragment(_ constant: Bool, of term: SQLTerm, includesNull: Bool) -> ConditionFragment {
    if !term.isNullable || constant == includesNull { return .constant(constant) }
    return ConditionFragment("\(term.sql) \(constant ? "IS NOT NULL" : "IS NULL")")
  }

  private func fragment(
    _ key: SQLTerm, _ comparisonOperator: ComparisonOperator, _ other: SQLTerm, includesNull: Bool
  ) -> ConditionFragment {
    let compared = dialect.comparison(key, comparisonOperator, other)
    let (keyIsNull, otherIsNull) = (isNull(key), isNull(other))
    switch comparisonOperator {
    case .equal where !keyIsNull.isEmpty && !otherIsNull.isEmpty:
      return ConditionFragment(anyOf: [compared, ConditionFragment(allOf: keyIsNull + otherIsNull).asMember])
    case .notEqual where !keyIsNull.isEmpty && !otherIsNull.isEmpty:
      // Null equals null, so exactly one of them has to be null.
      return ConditionFragment(anyOf: [compared, "(\(keyIsNull[0])) <> (\(otherIsNull[0]))"])
    default:
      return ConditionFragment(anyOf: [compared] + (includesNull ? keyIsNull + otherIsNull : []))
    }
  }

  private mutating func fragment(_ between: Between<Int>, isNegated: Bool, operand: Int) -> ConditionFragment {
    let key = between.key
    let column = column(key)
    // `between` becomes two comparisons if a bound is a key or null, which have their own rules, or if the dialect compares
    // with a bound of the column's type by another operator.
    guard case .value(let lower) = between.lower, case .value(let upper) = between.upper, !lower.isNull, !upper.isNull,
      case .bound(.greaterThanOrEqual, let least) = dialect.comparison(column, .greaterThanOrEqual, lower),
      case .bound(.lessThanOrEqual, let greatest) = dialect.comparison(column, .lessThanOrEqual, upper)
    else {
      let sides = [
        fragment(
          Comparison(key: key, operator: .greaterThanOrEqual, operand: between.lower), isNegated: isNegated,
          operand: operand),
        fragment(
          Comparison(key: key, operator: .lessThanOrEqual, operand: between.upper), isNegated: isNegated,
          operand: operand + 1),
      ]
      return .combined(sides, matchingAll: !isNegated)
    }
    let term = term(key)
    let comparand = dialect.comparand(term, .greaterThanOrEqual, with: [least, greatest])
    let start = bind(least, slot(operand, lower, of: key, .greaterThanOrEqual, .greaterThanOrEqual))
    let end = bind(greatest, slot(operand + 1, upper, of: key, .lessThanOrEqual, .lessThanOrEqual))
    // `BETWEEN`'s own `AND` binds tighter than the connective's.
    let compared = condition(on: term, as: comparand) {
      "\($0) \(isNegated ? "NOT BETWEEN" : "BETWEEN") \(start) AND \(end)"
    }
    let readable = isNegated ? readable(term, .notEqual, compared) : compared
    return ConditionFragment(anyOf: [readable] + (isNegated ? isNull(term) : []))
  }

  // MARK: Lists and texts

  private mutating func fragment(_ membership: Membership<Int>, isNegated: Bool, operand: Int) -> ConditionFragment {
    let (key, term) = (membership.key, term(membership.key))
    let findsNull = membership.values.contains(where: \.isNull)
    let values = dialect.equatable(membership.values, to: term.column)
    var parts: [String] = []
    var makes: [ListBinding] = []
    if !values.isEmpty {
      let listed = self.membership(term, values, isNegated: isNegated, &makes)
      parts.append(isNegated ? readable(term, .notEqual, listed) : listed)
    }
    note(.list(operand: operand, column: key, isEmpty: values.isEmpty, makes))
    if findsNull && isNegated {
      return ConditionFragment(allOf: ["\(term.sql) IS NOT NULL"] + parts)
    }
    if parts.isEmpty && !findsNull { return .constant(isNegated) }
    parts += findsNull || isNegated ? isNull(term) : []
    return parts.isEmpty ? .constant(false) : ConditionFragment(anyOf: parts)
  }

  private mutating func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, _ makes: inout [ListBinding]
  ) -> String {
    // A definition, such as a check, must not contain a subquery. Its SQL is not reused for other values, so that the list is
    // written in full.
    if isDefinition {
      let list = values.map(dialect.literal).joined(separator: ", ")
      return "\(dialect.comparand(column, .equal, with: values)) \(isNegated ? "NOT IN" : "IN") (\(list))"
    }
    let dialect = dialect
    return dialect.membership(column, values, isNegated: isNegated) { make in
      makes.append(make)
      guard let binding = make(values) else { preconditionFailure("a dialect binds the list that it writes") }
      return bind(binding)
    }
  }

  private mutating func fragment(_ match: TextMatch<Int>, isNegated: Bool, operand: Int) -> ConditionFragment {
    let (dialect, term, sought) = (dialect, term(match.key), match.soughtText)
    var makes: [TextBinding] = []
    let matches = dialect.matches(term, match.operation, sought, ignoringCase: match.isIgnoringCase) { make in
      makes.append(make)
      guard let value = make(sought) else { preconditionFailure("a dialect binds the text that it writes") }
      return bind(.value(value))
    }
    note(.text(operand: operand, makes))
    guard isNegated else { return ConditionFragment(matches, isCompound: true) }
    return ConditionFragment(anyOf: ["NOT (\(matches))"] + isNull(term))
  }

  private func isNull(_ term: SQLTerm) -> [String] {
    term.isNullable ? ["\(term.sql) IS NULL"] : []
  }
}

// MARK: - Fragments

/// The SQL of a condition or of several, and whether it needs parentheses to be part of another.
struct ConditionFragment {
  let sql: String
  let isCompound: Bool
  /// The constant value, if it is the same for every row.
  private(set) var constant: Bool?

  init(_ sql: String, isCompound: Bool = false) {
    self.sql = sql
    self.isCompound = isCompound
  }

  /// Makes a disjunction of conditions with `OR`.
  init(anyOf parts: [String]) {
    self.init(parts.joined(separator: " OR "), isCompound: parts.count > 1)
  }

  /// Makes a conjunction of conditions with `AND`.
  init(allOf parts: [String]) {
    self.init(parts.joined(separator: " AND "), isCompound: parts.count > 1)
  }

  /// Combines fragments, without those that make no difference.
  static func combined(_ parts: [ConditionFragment], matchingAll: Bool) -> ConditionFragment {
    let parts = parts.filter { $0.constant != matchingAll }
    if parts.isEmpty { return .constant(matchingAll) }
    if parts.count == 1 { return parts[0] }
    return matchingAll
      ? ConditionFragment(allOf: parts.map(\.asMember)) : ConditionFragment(anyOf: parts.map(\.asMember))
  }

  static func constant(_ constant: Bool) -> ConditionFragment {
    var fragment = ConditionFragment(constant ? "1 = 1" : "1 = 0")
    fragment.constant = constant
    return fragment
  }

  /// The SQL as a member of a connective or after `NOT`.
  var asMember: String { isCompound ? "(\(sql))" : sql }
}

extension ComparisonOperator {
  /// The operator in SQL.
  package var sql: String { self == .notEqual ? "<>" : rawValue }

  /// The operator that holds between two values, neither of them null, where this one does not.
  var opposite: ComparisonOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .lessThan: .greaterThanOrEqual
    case .lessThanOrEqual: .greaterThan
    case .greaterThan: .lessThanOrEqual
    case .greaterThanOrEqual: .lessThan
    }
  }
}
