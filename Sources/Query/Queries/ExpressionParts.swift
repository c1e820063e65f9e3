// The conditions of a query, and the expressions within an expression or a query.

extension AnyQuery {
  /// The conditions of a query, from left to right. A query may be nested deeper than a thread's stack, so that walking
  /// through the conditions does not recurse.
  package struct Conditions: Sequence, IteratorProtocol {
    private var pending: [AnyQuery]
    private let includesNegated: Bool

    fileprivate init(_ query: AnyQuery, includingNegated: Bool) {
      (pending, includesNegated) = ([query], includingNegated)
    }

    package mutating func next() -> Condition<AnyExpression>? {
      while let query = pending.popLast() {
        switch query.form {
        case .condition(let condition): return condition
        case .not(let inner): if includesNegated { pending.append(inner) }
        case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [rhs, lhs]
        }
      }
      return nil
    }
  }

  /// The conditions of the query, negated ones included.
  package var conditions: Conditions { Conditions(self, includingNegated: true) }

  /// The conditions that are not part of a negation.
  package var affirmedConditions: Conditions { Conditions(self, includingNegated: false) }

  /// Returns the query with another query in the place of each condition, from left to right.
  package func mapConditions(_ transform: (Condition<AnyExpression>) -> AnyQuery) -> AnyQuery {
    enum Step { case query(AnyQuery), not, and, or }
    var steps = [Step.query(self)]
    var made: [AnyQuery] = []
    while let step = steps.popLast() {
      switch step {
      case .query(let query):
        switch query.form {
        case .condition(let condition): made.append(transform(condition))
        case .not(let inner): steps += [.not, .query(inner)]
        case .and(let lhs, let rhs): steps += [.and, .query(rhs), .query(lhs)]
        case .or(let lhs, let rhs): steps += [.or, .query(rhs), .query(lhs)]
        }
      case .not: made.append(AnyQuery(.not(made.removeLast())))
      case .and, .or:
        let (rhs, lhs) = (made.removeLast(), made.removeLast())
        if case .and = step { made.append(AnyQuery(.and(lhs, rhs))) } else { made.append(AnyQuery(.or(lhs, rhs))) }
      }
    }
    return made[0]
  }
}

extension AnyExpression {
  /// Returns the expression with other operands, and another query where it has one.
  ///
  /// - Parameters:
  ///   - transform: makes the operand that takes the place of one; its second parameter is the table that has the operand's
  ///     keys, `nil` for the table of the expression itself.
  ///   - queries: makes the query that takes the place of one, in the same way.
  package func mapOperands(
    _ transform: (AnyExpression, _ table: String?) -> AnyExpression,
    queries: (AnyQuery, _ table: String?) -> AnyQuery
  ) -> AnyExpression {
    func map(_ rows: RelatedRows) -> RelatedRows {
      RelatedRows(rows.table, by: rows.columns, where: queries(rows.query, rows.table))
    }
    return switch form {
    case .key, .path, .value, .invalid: self
    case .function(let function, let arguments):
      AnyExpression(.function(function, arguments.map { transform($0, nil) }))
    case .conditional(let query, let then, let otherwise):
      AnyExpression(
        .conditional(queries(query, nil), then: transform(then, nil), else: transform(otherwise, nil)))
    case .aggregate(let function, let key, let rows):
      AnyExpression(.aggregate(function, key.map { transform($0, rows.table) }, map(rows)))
    case .exists(let rows): AnyExpression(.exists(map(rows)))
    case .group(let aggregate):
      .group(
        AnyAggregate(
          aggregate.function, of: aggregate.key.map { transform($0, nil) }, where: queries(aggregate.query, nil)))
    }
  }

  /// Calls a closure with the expression and with every expression within it, those of conditions and of related rows included.
  ///
  /// - Parameter body: takes an expression and the table that has its keys, `nil` for the table of the outermost expression.
  package func forEachPart(in table: String? = nil, _ body: (AnyExpression, _ table: String?) -> Void) {
    body(self, table)
    _ = mapOperands { operand, related in
      operand.forEachPart(in: related ?? table, body)
      return operand
    } queries: { query, related in
      query.forEachPart(in: related ?? table, body)
      return query
    }
  }

  /// The expressions one of which has the value of this expression: those between which `coalesce` or `if` chooses, and
  /// those of the rows of a group for `min`, `max` and `average`, whose result means what the values mean.
  package var valueSources: [AnyExpression] {
    switch form {
    case .function(.coalesce, let arguments): arguments.flatMap(\.valueSources)
    case .conditional(_, let then, let otherwise): then.valueSources + otherwise.valueSources
    case .group(let aggregate):
      switch aggregate.function {
      case .min, .max, .average: aggregate.key?.valueSources ?? []
      case .count, .countDistinct, .sum: [self]
      }
    case .key, .path, .value, .function, .aggregate, .exists, .invalid: [self]
    }
  }
}

extension AnyQuery {
  /// Calls a closure with every expression within the query, as ``AnyExpression/forEachPart(in:_:)`` does.
  package func forEachPart(in table: String? = nil, _ body: (AnyExpression, _ table: String?) -> Void) {
    for condition in conditions { condition.forEachKey { $0.forEachPart(in: table, body) } }
  }
}

/// A call of a function of dates, such as `year(at)`.
package struct DateFunctionCall {
  package let function: ExpressionFunction
  package let argument: AnyExpression
  /// The table that has the argument's keys; `nil` for the table of the whole expression.
  package let table: String?

  fileprivate init?(_ expression: AnyExpression, in table: String?) {
    guard case .function(let function, let arguments) = expression.form, function.isOfDates,
      let argument = arguments.first
    else { return nil }
    (self.function, self.argument, self.table) = (function, argument, table)
  }
}

extension AnyExpression {
  /// The calls of functions of dates anywhere within the expression.
  package var dateFunctionCalls: [DateFunctionCall] {
    var calls: [DateFunctionCall] = []
    forEachPart { part, table in if let call = DateFunctionCall(part, in: table) { calls.append(call) } }
    return calls
  }
}

extension AnyQuery {
  /// The calls of functions of dates anywhere within the query.
  package var dateFunctionCalls: [DateFunctionCall] {
    var calls: [DateFunctionCall] = []
    forEachPart { part, table in if let call = DateFunctionCall(part, in: table) { calls.append(call) } }
    return calls
  }
}
