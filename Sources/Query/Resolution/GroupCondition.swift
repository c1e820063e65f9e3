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
    var found: [AnyAggregate] = []
    forEachPart { part, table in if table == nil, case .group(let aggregate) = part.form { found.append(aggregate) } }
    return found
  }
}
