// The depth to which a database's parser goes into an expression. The stack of SQLite's parser holds 100 symbols, and each
// level of an expression takes some of them. The limit is part of the contract, so that every store refuses the same queries.
// https://www.sqlite.org/limits.html

extension RowScope {
  /// The maximum number of symbols on a parser's stack for an expression, with the conditions around it.
  static let maximumStackDepth = 80

  /// The symbols of the condition by which a page begins after a cursor: `k >= ? and (k > ? or k = ? and (…))`.
  static let stackDepthOfCursors = 8

  /// The maximum number of references that all paths of a query follow together.
  static let maximumJoinCount = 60

  /// Returns the symbols of a condition on a parser's stack, besides those of the connectives around it; 0 for a condition on
  /// columns only.
  func stackDepth(_ condition: Condition<Int>) -> Int {
    if computed.isEmpty { return 0 }
    var depth = 0
    condition.forEachKey { depth = max(depth, expression($0).map(stackDepth) ?? 0) }
    return depth
  }

  func stackDepth(_ expression: ResolvedExpression) -> Int {
    switch expression.form {
    case .column, .value: 0
    case .joined(let join, _): 8 * pathLength(join)
    case .converted(let column, _): 8 + stackDepth(column)
    case .function(_, let arguments): 8 + (arguments.map(stackDepth).max() ?? 0)
    case .conditional(let predicate, let then, let otherwise):
      8 + max(stackDepth(predicate), stackDepth(then), stackDepth(otherwise))
    case .aggregate(_, let rows), .exists(let rows):
      12
        + max(
          rows.scope.stackDepth(rows.predicate),
          rows.aggregated.flatMap { rows.scope.expression($0) }.map { rows.scope.stackDepth($0) } ?? 0)
    }
  }

  private func pathLength(_ join: Int) -> Int { 1 + (joins[join].source.map(pathLength) ?? 0) }

  private func stackDepth(_ predicate: NormalizedPredicate) -> Int {
    switch predicate {
    case .condition(let condition, _, _): 4 + stackDepth(condition)
    case .all(let clauses), .any(let clauses): 3 + (clauses.map(stackDepth).max() ?? 0)
    }
  }
}

extension QueryError {
  /// The error for an expression that is nested too deep in its place.
  static var tooDeepExpression: QueryError {
    QueryError(
      .tooComplex, "the query nests expressions too deeply",
      reason: "an expression can have 10 levels, and fewer deep inside a query or around related rows",
      suggestion: "split the query, or store a part of the expression in a column")
  }
}
