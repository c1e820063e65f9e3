extension ResolvedQuery {
  /// Returns whether a row matches the query.
  ///
  /// - Parameter row: the row's values, in the order of the table's columns.
  public func matches(_ row: [Value]) -> Bool {
    precondition(row.count >= table.columns.count, "a row needs a value for each column of the table")
    return row.withUnsafeBufferPointer(evaluator.predicate { predicate.makePredicate(in: scope, nil) })
  }
}

extension NormalizedPredicate {
  /// Prepares the predicate once for many rows.
  ///
  /// - Parameter source: the rows of other tables; `nil` if the predicate does not refer to them.
  package func makePredicate(in scope: RowScope, _ source: (any RelatedRowSource)?) -> RowPredicate {
    switch self {
    case .condition(let condition, let isNegated, _): condition.makePredicate(isNegated: isNegated, in: scope, source)
    case .all(let clauses):
      PredicateConnective.all(Self.cheapestFirst(clauses, in: scope).map { $0.makePredicate(in: scope, source) }[...])
    case .any(let clauses): PredicateConnective.any(clauses.map { $0.makePredicate(in: scope, source) }[...])
    }
  }

  /// Prepares the predicate once for tables of rows: filters that are applied one after the other, each to the rows left by
  /// the one before.
  package func makeFilters(in scope: RowScope, _ source: (any RelatedRowSource)?) -> [RowFilter] {
    switch self {
    case .condition(let condition, let isNegated, _):
      [condition.makeTest(isNegated: isNegated, in: scope, source).makeFilter()]
    case .all(let clauses): Self.cheapestFirst(clauses, in: scope).flatMap { $0.makeFilters(in: scope, source) }
    case .any: [RowTest.predicate(makePredicate(in: scope, source)).makeFilter()]
    }
  }

  /// Orders conditions by cost: those on columns first, then those that compute, then those that read other tables.
  private static func cheapestFirst(
    _ clauses: [NormalizedPredicate], in scope: RowScope
  ) -> [NormalizedPredicate] {
    if scope.computed.isEmpty { return clauses }
    let costs = clauses.map { $0.cost(in: scope) }
    return (0...2).flatMap { cost in zip(clauses, costs).filter { $0.1 == cost }.map(\.0) }
  }

  private func cost(in scope: RowScope) -> Int {
    switch self {
    case .condition(let condition, _, _):
      let operands = condition.operands.map { if case .key(let key) = $0 { key } else { nil as Int? } }
      let expressions = ([condition.key] + operands).compactMap { $0.flatMap(scope.expression) }
      return expressions.map { $0.needsOtherRows ? 2 : 1 }.max() ?? 0
    case .all(let clauses), .any(let clauses):
      return clauses.map { $0.cost(in: scope) }.max() ?? 0
    }
  }
}

/// Combines predicates pairwise, so that a row costs one call for each of them and their depth grows with the logarithm of
/// their number.
enum PredicateConnective {
  /// Returns the conjunction of the predicates; true if there are none.
  static func all(_ predicates: ArraySlice<RowPredicate>) -> RowPredicate {
    let start = predicates.startIndex
    switch predicates.count {
    case 0:
      return { _ in true }
    case 1:
      return predicates[start]
    case 2:
      let (first, second) = (predicates[start], predicates[start + 1])
      return { row in first(row) && second(row) }
    case 3:
      let (first, second, third) = (predicates[start], predicates[start + 1], predicates[start + 2])
      return { row in first(row) && second(row) && third(row) }
    default:
      let middle = start + predicates.count / 2
      let (first, second) = (all(predicates[..<middle]), all(predicates[middle...]))
      return { row in first(row) && second(row) }
    }
  }

  /// Returns the disjunction of the predicates; false if there are none.
  static func any(_ predicates: ArraySlice<RowPredicate>) -> RowPredicate {
    let start = predicates.startIndex
    switch predicates.count {
    case 0:
      return { _ in false }
    case 1:
      return predicates[start]
    default:
      let middle = start + predicates.count / 2
      let (first, second) = (any(predicates[..<middle]), any(predicates[middle...]))
      return { row in first(row) || second(row) }
    }
  }
}

/// A condition that was prepared once for many rows, in the form that is cheapest to test.
enum RowTest: Sendable {
  /// A test of whether a column's value is in a range of numbers.
  case number(NumberRange, column: Int, isNegated: Bool)
  /// A test of whether a column's value is a certain text.
  case text(TextEquality, column: Int, isNegated: Bool)
  /// Any other test.
  case predicate(RowPredicate)

  /// Returns the test of one row.
  func makePredicate() -> RowPredicate {
    switch self {
    case .number(let range, let column, let isNegated): return { row in range.holds(row[column]) != isNegated }
    case .text(let equality, let column, let isNegated): return { row in equality.holds(row[column]) != isNegated }
    case .predicate(let predicate): return predicate
    }
  }

  /// Returns the test of many rows, without a call for each.
  func makeFilter() -> RowFilter {
    switch self {
    case .number(let range, let column, let isNegated):
      return { rows, selection in selection.keep { range.holds(rows[$0][column]) != isNegated } }
    case .text(let equality, let column, let isNegated):
      return { rows, selection in selection.keep { equality.holds(rows[$0][column]) != isNegated } }
    case .predicate(let predicate):
      return { rows, selection in selection.keep { predicate(rows[$0]) } }
    }
  }
}
