// The evaluation of conditions for a row in memory. A negated condition is its exact opposite, also for rows with nulls.

extension Condition where Key == Int {
  /// Prepares the condition, or its exact opposite, once for many rows.
  func makeTest(isNegated: Bool = false) -> RowTest {
    switch self {
    case .constant(let constant):
      let holds = constant != isNegated
      return .predicate { _ in holds }
    case .comparison(let comparison): return comparison.makeTest(isNegated: isNegated)
    case .between(let between): return between.makeTest(isNegated: isNegated)
    case .membership(let membership): return .predicate(membership.makePredicate(isNegated: isNegated))
    case .text(let text): return .predicate(text.makePredicate(isNegated: isNegated))
    case .holds(let key): return .predicate { row in (row[key] == .integer(1)) != isNegated }
    case .invalid: return .predicate { _ in isNegated }  // Resolving has thrown its error before.
    }
  }

  /// Prepares the condition as a closure.
  func makePredicate(isNegated: Bool = false) -> RowPredicate { makeTest(isNegated: isNegated).makePredicate() }

  /// Prepares a condition that may refer to computed values of a row.
  func makeTest(isNegated: Bool, in scope: RowScope, _ source: (any RelatedRowSource)?) -> RowTest {
    guard !scope.computed.isEmpty, let key else { return makeTest(isNegated: isNegated) }
    var positions: [Int] = []
    forEachKey { positions.append($0) }
    guard positions.contains(where: { scope.expression($0) != nil }) else { return makeTest(isNegated: isNegated) }
    if positions.count == 1, let expression = scope.expression(key) {
      return .predicate(makePredicate(on: expression, isNegated: isNegated, in: scope, key, source))
    }
    // The condition is evaluated on a row that holds only the values that it refers to.
    var next = 0
    let test = mapKeys { _ in
      next += 1
      return next - 1
    }.makePredicate(isNegated: isNegated)
    let evaluators = positions.map { scope.makeEvaluator($0, source) }
    return .predicate { row in evaluators.map { $0(row) }.withUnsafeBufferPointer(test) }
  }

  /// Prepares a condition on a single expression.
  private func makePredicate(
    on expression: ResolvedExpression, isNegated: Bool, in scope: RowScope, _ position: Int,
    _ source: (any RelatedRowSource)?
  ) -> RowPredicate {
    let test = mapKeys { _ in 0 }.makeTest(isNegated: isNegated)
    if case .joined(let join, let column) = expression.form {
      // The column of the other row is read in place.
      let (holds, find) = (
        mapKeys { _ in column }.makePredicate(isNegated: isNegated), scope.makeFinder(join: join, source)
      )
      let holdsWithout = [Value.null].withUnsafeBufferPointer(test.makePredicate())
      return { row in
        var result = holdsWithout
        find(row) { other in
          result = holds(other)
          return false
        }
        return result
      }
    }
    let evaluator = scope.makeEvaluator(position, source)
    switch test {
    case .number(let range, _, let isNegated): return { row in range.holds(evaluator(row)) != isNegated }
    case .text(let equality, _, let isNegated): return { row in equality.holds(evaluator(row)) != isNegated }
    case .predicate(let holds):
      return { row in withUnsafePointer(to: evaluator(row)) { holds(UnsafeBufferPointer(start: $0, count: 1)) } }
    }
  }

  func makePredicate(isNegated: Bool, in scope: RowScope, _ source: (any RelatedRowSource)?) -> RowPredicate {
    makeTest(isNegated: isNegated, in: scope, source).makePredicate()
  }
}

extension Comparison where Key == Int {
  func makeTest(isNegated: Bool) -> RowTest {
    let (key, comparisonOperator) = (key, self.operator)
    switch operand {
    case .key(let other):
      return .predicate { row in comparisonOperator.holds(row[key], row[other]) != isNegated }
    case .value(let value):
      // `notEqual` is tested as negated equality, so that only equality needs a fast path.
      let isOpposite = isNegated != (comparisonOperator == .notEqual)
      switch (comparisonOperator, value) {
      case (.equal, .null), (.notEqual, .null):
        return .predicate { row in row[key].isNull != isOpposite }
      case (.equal, .text(let text)), (.notEqual, .text(let text)):
        return .text(TextEquality(text), column: key, isNegated: isOpposite)
      default:
        if let range = NumberRange(comparisonOperator == .notEqual ? .equal : comparisonOperator, value) {
          return .number(range, column: key, isNegated: isOpposite)
        }
        return .predicate { row in comparisonOperator.holds(row[key], value) != isNegated }
      }
    }
  }
}

extension Between where Key == Int {
  func makeTest(isNegated: Bool) -> RowTest {
    let (key, lower, upper) = (key, lower, upper)
    if case .value(let lower) = lower, case .value(let upper) = upper,
      let above = NumberRange(.greaterThanOrEqual, lower), let below = NumberRange(.lessThanOrEqual, upper)
    {
      return .number(above.intersection(below), column: key, isNegated: isNegated)
    }
    return .predicate { row in
      let isBetween =
        ComparisonOperator.greaterThanOrEqual.holds(row[key], lower.value(in: row))
        && ComparisonOperator.lessThanOrEqual.holds(row[key], upper.value(in: row))
      return isBetween != isNegated
    }
  }
}

extension Membership where Key == Int {
  /// Looks rows up in a hash set, so that the cost of a row does not grow with the list.
  func makePredicate(isNegated: Bool) -> RowPredicate {
    let (key, list, values) = (key, values, Set(values))
    // A hash of a text costs as much as a few comparisons, most of which the lengths decide.
    if list.count <= 6 { return { row in list.contains { $0 == row[key] } != isNegated } }
    return { row in values.contains(row[key]) != isNegated }
  }
}

extension Operand where Key == Int {
  /// The operand's value in one row.
  func value(in row: UnsafeBufferPointer<Value>) -> Value {
    switch self {
    case .value(let value): value
    case .key(let column): row[column]
    }
  }
}

extension TextMatch where Key == Int {
  func makePredicate(isNegated: Bool) -> RowPredicate {
    let (key, matcher) = (key, TextMatcher(self))
    return { row in matcher.matches(row[key]) != isNegated }
  }
}
