// A value that no store can hold (a NaN, a `UInt` above `Int64.max`) makes a query that throws when it is executed, so that
// building a query never throws.

extension AnyQuery {
  /// Returns a query for rows whose key equals the value; a null value matches null keys.
  public static func equal(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .equal, value: value)
  }

  /// Returns a query for rows whose key differs from the value; a null key differs from every value but null.
  public static func notEqual(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .notEqual, value: value)
  }

  /// Returns a query for rows whose key is greater than the value, with neither null.
  public static func greaterThan(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .greaterThan, value: value)
  }

  /// Returns a query for rows whose key is greater than the value or equal to it, with neither null.
  public static func greaterThanOrEqual(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .greaterThanOrEqual, value: value)
  }

  /// Returns a query for rows whose key is less than the value, with neither null.
  public static func lessThan(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .lessThan, value: value)
  }

  /// Returns a query for rows whose key is less than the value or equal to it, with neither null.
  public static func lessThanOrEqual(key: String, value: some ValueConvertible) -> AnyQuery {
    compare(key: key, .lessThanOrEqual, value: value)
  }

  /// Returns a query for rows for which the comparison of the key with the value holds.
  public static func compare(key: String, _ comparisonOperator: ComparisonOperator, value: some ValueConvertible)
    -> AnyQuery
  {
    compare(.key(key), comparisonOperator, value: value)
  }

  /// Returns a query for rows for which the comparison of an expression with the value holds.
  public static func compare(
    _ expression: AnyExpression, _ comparisonOperator: ComparisonOperator, value: some ValueConvertible
  ) -> AnyQuery {
    make { () throws(ValueError) in
      .comparison(Comparison(key: expression, operator: comparisonOperator, operand: .value(try value.makeValue())))
    }
  }

  /// Returns a query for rows for which the comparison of an expression with another holds.
  public static func compare(_ lhs: AnyExpression, _ comparisonOperator: ComparisonOperator, _ rhs: AnyExpression)
    -> AnyQuery
  {
    let operand: Operand<AnyExpression> = if case .value(let value) = rhs.form { .value(value) } else { .key(rhs) }
    return AnyQuery(.condition(.comparison(Comparison(key: lhs, operator: comparisonOperator, operand: operand))))
  }

  /// Returns a query for rows for which an expression is null.
  public static func isNull(_ expression: AnyExpression) -> AnyQuery { compare(expression, .equal, .value(Value.null)) }

  /// Returns a query for rows for which an expression is not null.
  public static func isNotNull(_ expression: AnyExpression) -> AnyQuery {
    compare(expression, .notEqual, .value(Value.null))
  }

  /// Returns a query for rows for which an expression lies between two bounds, both included.
  public static func between(
    _ expression: AnyExpression, lower: Operand<AnyExpression>, upper: Operand<AnyExpression>
  ) -> AnyQuery {
    AnyQuery(.condition(.between(Between(key: expression, lower: lower, upper: upper))))
  }

  /// Returns a query for rows for which an expression equals one of the values; a null among them matches null.
  public static func `in`(_ expression: AnyExpression, values: [Value]) -> AnyQuery {
    AnyQuery(.condition(.membership(Membership(key: expression, values: values))))
  }

  /// Returns a query for rows for which an expression's text matches another by a text operation.
  public static func match(
    _ expression: AnyExpression, _ operation: TextOperation, value: String, ignoringCase: Bool = false
  ) -> AnyQuery {
    AnyQuery(
      .condition(.text(TextMatch(key: expression, operation: operation, text: value, isIgnoringCase: ignoringCase))))
  }

  /// Returns a query for rows that other rows refer to.
  public static func exists(_ rows: RelatedRows) -> AnyQuery {
    AnyQuery(.condition(.holds(AnyExpression(.exists(rows)))))
  }

  /// Returns a query for rows for which the comparison of the key with another key of the same row holds.
  public static func compare(key: String, _ comparisonOperator: ComparisonOperator, otherKey: String) -> AnyQuery {
    AnyQuery(
      .condition(.comparison(Comparison(key: .key(key), operator: comparisonOperator, operand: .key(.key(otherKey))))))
  }

  /// Returns a query for rows whose key is null.
  public static func isNull(key: String) -> AnyQuery { equal(key: key, value: Value.null) }

  /// Returns a query for rows whose key is not null.
  public static func isNotNull(key: String) -> AnyQuery { notEqual(key: key, value: Value.null) }

  /// Returns a query for rows whose key is between `lhs` and `rhs`, both included; none if one of the three is null, or
  /// `lhs` is greater than `rhs`.
  public static func between(
    key: String, lhs: some ValueConvertible, rhs: some ValueConvertible
  ) -> AnyQuery {
    between(.key(key), lhs, rhs)
  }

  /// Returns a query for rows for which an expression is between `lower` and `upper`, both included; none if one of the
  /// three is null.
  public static func between(
    _ expression: AnyExpression, _ lower: some ValueConvertible, _ upper: some ValueConvertible
  ) -> AnyQuery {
    make { () throws(ValueError) in
      .between(Between(key: expression, lower: .value(try lower.makeValue()), upper: .value(try upper.makeValue())))
    }
  }

  /// Returns a query for rows whose key lies between two bounds, both included; a bound may be another key of the same row.
  public static func between(key: String, lower: Operand<AnyExpression>, upper: Operand<AnyExpression>) -> AnyQuery {
    AnyQuery(.condition(.between(Between(key: .key(key), lower: lower, upper: upper))))
  }

  /// Returns a query for rows whose key equals one of the values; a null among them matches null keys.
  public static func `in`(key: String, values: some Sequence<some ValueConvertible>) -> AnyQuery {
    `in`(.key(key), values: values)
  }

  /// Returns a query for rows for which an expression equals one of the values; a null among them matches null.
  @_disfavoredOverload
  public static func `in`(_ expression: AnyExpression, values: some Sequence<some ValueConvertible>) -> AnyQuery {
    make { () throws(ValueError) in
      var list: [Value] = []
      for value in values { list.append(try value.makeValue()) }
      return .membership(Membership(key: expression, values: list))
    }
  }

  /// Returns the query for a condition, or a query that fails because a value of the condition can't be stored.
  package static func make(_ condition: () throws(ValueError) -> Condition<AnyExpression>) -> AnyQuery {
    do throws(ValueError) {
      return AnyQuery(.condition(try condition()))
    } catch {
      return AnyQuery(.condition(.invalid(error)))
    }
  }
}

extension AnyQuery {
  /// Returns a query for rows whose two keys are equal; null equals null.
  public static func equal(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .equal, otherKey: otherKey)
  }

  /// Returns a query for rows whose two keys differ; null differs from every value.
  public static func notEqual(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .notEqual, otherKey: otherKey)
  }

  /// Returns a query for rows whose key is greater than another key, with neither null.
  public static func greaterThan(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .greaterThan, otherKey: otherKey)
  }

  /// Returns a query for rows whose key is greater than another key or equal to it, with neither null.
  public static func greaterThanOrEqual(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .greaterThanOrEqual, otherKey: otherKey)
  }

  /// Returns a query for rows whose key is less than another key, with neither null.
  public static func lessThan(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .lessThan, otherKey: otherKey)
  }

  /// Returns a query for rows whose key is less than another key or equal to it, with neither null.
  public static func lessThanOrEqual(key: String, otherKey: String) -> AnyQuery {
    compare(key: key, .lessThanOrEqual, otherKey: otherKey)
  }
}

extension AnyQuery {
  /// Returns a query for rows whose key's text equals another.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale.
  public static func equal(key: String, value: String, ignoringCase: Bool) -> AnyQuery {
    equal(.key(key), value: value, ignoringCase: ignoringCase)
  }

  /// Returns a query for rows for which an expression's text equals another.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale.
  public static func equal(_ expression: AnyExpression, value: String, ignoringCase: Bool) -> AnyQuery {
    ignoringCase
      ? compare(.function(.folded, of: expression), .equal, value: CaseFolding.fold(value))
      : compare(expression, .equal, value: value)
  }

  /// Returns a query for rows whose key's text contains another; every text contains the empty one.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale.
  public static func contains(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .contains, value: value, ignoringCase: ignoringCase)
  }

  /// Returns a query for rows whose key's text starts with another.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale.
  public static func hasPrefix(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .hasPrefix, value: value, ignoringCase: ignoringCase)
  }

  /// Returns a query for rows whose key's text ends with another.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale.
  public static func hasSuffix(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .hasSuffix, value: value, ignoringCase: ignoringCase)
  }

  /// Returns a query for rows whose key's whole text matches a pattern: `%` is any run of characters, `_` one Unicode scalar,
  /// and `\` escapes.
  ///
  /// - Parameter ignoringCase: whether both sides are case-folded first, by Unicode's rules and in no locale; `_` then
  ///   matches one scalar of the folded text, of which "ß" has two.
  public static func like(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .like, value: value, ignoringCase: ignoringCase)
  }

  /// Returns a query for rows whose key's text matches another by a text operation.
  public static func match(
    key: String, _ operation: TextOperation, value: String, ignoringCase: Bool = false
  ) -> AnyQuery {
    AnyQuery(
      .condition(.text(TextMatch(key: .key(key), operation: operation, text: value, isIgnoringCase: ignoringCase))))
  }
}

extension AnyQuery {
  /// A query that matches every row.
  public static let `true` = AnyQuery(.condition(.constant(true)))

  /// A query that matches no row.
  public static let `false` = AnyQuery(.condition(.constant(false)))

  /// Returns the conjunction: a query for rows that match both.
  public static func && (lhs: AnyQuery, rhs: AnyQuery) -> AnyQuery { AnyQuery(.and(lhs, rhs)) }

  /// Returns the disjunction: a query for rows that match at least one of both.
  public static func || (lhs: AnyQuery, rhs: AnyQuery) -> AnyQuery { AnyQuery(.or(lhs, rhs)) }

  /// Returns the exact negation, also for rows with nulls: every row matches either `q` or `!q`.
  public static prefix func ! (query: AnyQuery) -> AnyQuery { AnyQuery(.not(query)) }

  /// Returns the conjunction of queries, combined from the left with `&&`; it matches every row if there are none.
  public static func all(of queries: some Sequence<AnyQuery>) -> AnyQuery { combined(queries, with: &&) ?? .true }

  /// Returns the disjunction of queries, combined from the left with `||`; it matches no row if there are none.
  public static func any(of queries: some Sequence<AnyQuery>) -> AnyQuery { combined(queries, with: ||) ?? .false }

  private static func combined(
    _ queries: some Sequence<AnyQuery>, with connective: (AnyQuery, AnyQuery) -> AnyQuery
  ) -> AnyQuery? {
    queries.reduce(nil) { combined, query in combined.map { connective($0, query) } ?? query }
  }
}
