import Query

// Simplifications of a query while it is built.
extension AnyQuery {
  /// The constant value of the query, if it is the same for every row.
  var constant: Bool? {
    if case .condition(.constant(let constant)) = form { constant } else { nil }
  }

  static func constant(_ constant: Bool) -> AnyQuery { constant ? .true : .false }

  static func both(_ lhs: AnyQuery, _ rhs: AnyQuery) -> AnyQuery {
    switch (lhs.constant, rhs.constant) {
    case (false, _), (_, true): lhs
    case (true, _), (_, false): rhs
    case (nil, nil): lhs && rhs
    }
  }

  static func either(_ lhs: AnyQuery, _ rhs: AnyQuery) -> AnyQuery {
    switch (lhs.constant, rhs.constant) {
    case (true, _), (_, false): lhs
    case (false, _), (_, true): rhs
    case (nil, nil): lhs || rhs
    }
  }

  /// Returns the conjunction of two queries, the first of which tests whether a key is not null, which the second often
  /// implies.
  static func both(isNotNil: AnyQuery, _ query: AnyQuery) -> AnyQuery {
    // No other test is implied: `(height != nil ? nil : true)` is not nil if the key is null.
    if case .condition(let condition) = isNotNil.form, case (let key, isNull: false)? = condition.nullTest,
      query.isFalse(whereNull: key)
    {
      return query
    }
    return both(isNotNil, query)
  }

  /// Whether the query is known to be false where a key is null.
  private func isFalse(whereNull key: AnyExpression) -> Bool {
    guard case .condition(let condition) = form, let other = condition.key else { return false }
    return other == key && condition.isFalseForNull()
  }

  static func opposite(_ query: AnyQuery) -> AnyQuery {
    if let constant = query.constant { return .constant(!constant) }
    if case .condition(let condition) = query.form, let (key, isNull) = condition.nullTest {
      return isNull ? .isNotNull(key) : .isNull(key)
    }
    return !query
  }

  /// Compares columns and values; a column, if there is one, is on the left.
  static func compare(
    _ lhs: Operand<AnyExpression>, _ comparisonOperator: ComparisonOperator, _ rhs: Operand<AnyExpression>
  ) -> AnyQuery {
    switch (lhs, rhs) {
    case (.value(let lhs), .value(let rhs)): .constant(comparisonOperator.holds(lhs, rhs))
    case (.value(let value), .key(let key)): .compare(key, comparisonOperator.mirrored, .value(value))
    case (.key(let key), .value(let value)): .compare(key, comparisonOperator, .value(value))
    case (.key(let key), .key(let other)): .compare(key, comparisonOperator, other)
    }
  }
}
