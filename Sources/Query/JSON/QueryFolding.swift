extension AnyQuery {
  /// Computes a result from the query, from its conditions up, without recursion.
  ///
  /// Double negations are removed, and a join within a join of the same kind is merged into it.
  ///
  /// - Throws: ``JSONCodingError`` for a query that has no JSON form, and for a query that is nested deeper than
  ///   ``ResolvedQuery/maximumDepth``.
  func folded<Result>(
    condition: (Condition<AnyExpression>) -> Result, not: (Result) -> Result,
    join: (_ members: [Result], _ matchingAll: Bool) -> Result
  ) throws(JSONCodingError) -> Result {
    // Throws for values that can't be stored, and for a small query with shared parts that would expand beyond any memory.
    _ = try jsonValue
    var tasks: [FoldingTask] = [.query(self, depth: 0)]
    var results: [Result] = []
    while let task = tasks.popLast() {
      switch task {
      case .not:
        results.append(not(results.removeLast()))
      case .join(let count, let matchingAll):
        let members = Array(results.suffix(count))
        results.removeLast(count)
        results.append(join(members, matchingAll))
      case .query(var query, let depth):
        var isNegated = false
        while case .not(let inner) = query.form {
          query = inner
          isNegated.toggle()
        }
        if isNegated { tasks.append(.not) }
        if case .condition(let leaf) = query.form {
          results.append(condition(leaf))
          continue
        }
        if depth == ResolvedQuery.maximumDepth {
          throw JSONCodingError(.tooComplex, "the query is nested deeper than \(ResolvedQuery.maximumDepth) levels")
        }
        let (members, matchingAll) = query.members
        tasks.append(.join(count: members.count, matchingAll: matchingAll))
        tasks += members.map { .query($0, depth: depth + 1) }
      }
    }
    return results[0]
  }

  /// The members of a join, the last first, and whether all of them have to match.
  private var members: ([AnyQuery], matchingAll: Bool) {
    let matchingAll = if case .and = form { true } else { false }
    var members: [AnyQuery] = []
    var pending = [self]
    while let query = pending.popLast() {
      switch query.form {
      case .and(let lhs, let rhs) where matchingAll: pending += [lhs, rhs]
      case .or(let lhs, let rhs) where !matchingAll: pending += [lhs, rhs]
      case .condition, .not, .and, .or: members.append(query)
      }
    }
    return (members, matchingAll)
  }
}

private enum FoldingTask {
  case query(AnyQuery, depth: Int)
  case not
  case join(count: Int, matchingAll: Bool)
}
