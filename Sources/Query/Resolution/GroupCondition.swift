// A condition on groups is a query of a table whose rows are the groups: its columns are their keys and their aggregates.

extension AggregateRequest {
  /// Resolves the condition on groups.
  ///
  /// - Parameters:
  ///   - aggregates: the aggregates that are computed, including those of the condition.
  ///   - groups: the positions of the keys.
  ///   - scope: the scope of the rows of a group.
  /// - Throws: ``QueryError`` for a key by which rows are not grouped, and for values that can't be compared.
  func groupQuery(
    _ aggregates: [ResolvedAggregates.Aggregate], groups: [Int], in scope: RowScope
  ) throws(QueryError) -> ResolvedQuery {
    var columns: [ColumnSchema] = []
    var positions: [AnyExpression: Int] = [:]
    for (key, position) in zip(groupKeys, groups) {
      positions[key] = positions[key] ?? columns.count
      columns.append(scope.type(position).column(key.plainKey ?? key.description))
    }
    for aggregate in aggregates {
      positions[.group(aggregate.requested)] = columns.count
      columns.append(aggregate.type(in: scope).column(aggregate.requested.description))
    }
    var resolver = ScopeResolver(
      groups: TableSchema(groupsOf: scope.table.name, columns: columns), keyCount: groupKeys.count, positions)
    return try ResolvedQuery(having, with: &resolver)
  }
}

extension ResolvedAggregates.Aggregate {
  /// Returns the type of the aggregate's values.
  fileprivate func type(in scope: RowScope) -> ExpressionType {
    guard let column, function != .count, function != .countDistinct else {
      return ExpressionType(.integer, isNullable: false)
    }
    let type = scope.type(column)
    switch function {
    case .average: return ExpressionType(.real)
    case .sum: return ExpressionType(isReal ? .real : type.kind == .integer ? .integer : .number, isNullable: false)
    case .count, .countDistinct, .min, .max: return ExpressionType(type.kind, format: type.format)
    }
  }
}

extension AnyQuery {
  /// The aggregates of groups that the query names, from left to right.
  var groupAggregates: [AnyAggregate] {
    enum Part {
      case query(AnyQuery)
      case expression(AnyExpression)
    }
    var found: [AnyAggregate] = []
    var pending = [Part.query(self)]
    while let part = pending.popLast() {
      switch part {
      case .query(let query):
        switch query.form {
        case .condition(let condition):
          let operands = condition.operands.compactMap { if case .key(let key) = $0 { key } else { nil } }
          pending += ((condition.key.map { [$0] } ?? []) + operands).reversed().map(Part.expression)
        case .not(let inner): pending.append(.query(inner))
        case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [.query(rhs), .query(lhs)]
        }
      case .expression(let expression):
        switch expression.form {
        case .group(let aggregate): found.append(aggregate)
        case .function(_, let arguments): pending += arguments.reversed().map(Part.expression)
        case .conditional(let query, let then, let otherwise):
          pending += [.expression(otherwise), .expression(then), .query(query)]
        case .key, .path, .value, .aggregate, .exists, .invalid: break
        }
      }
    }
    return found
  }
}
