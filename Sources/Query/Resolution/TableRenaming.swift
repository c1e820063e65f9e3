// Requests whose tables have other names elsewhere, as on two sides of a network.

extension AnyExpression {
  /// Returns the expression with other names for the tables of related rows.
  package func renamingTables(_ rename: (String) -> String) -> AnyExpression {
    if !needsOtherTables { return self }
    let renamed = mapOperands { operand, _ in
      operand.renamingTables(rename)
    } queries: { query, _ in
      query.renamingTables(rename)
    }
    func named(_ rows: RelatedRows) -> RelatedRows {
      RelatedRows(rename(rows.table), by: rows.columns, where: rows.query)
    }
    return switch renamed.form {
    case .aggregate(let function, let key, let rows): AnyExpression(.aggregate(function, key, named(rows)))
    case .exists(let rows): AnyExpression(.exists(named(rows)))
    case .key, .path, .value, .function, .conditional, .group, .invalid: renamed
    }
  }
}

extension AnyQuery {
  /// Returns the query with other names for the tables of related rows; a query with more conditions than any store accepts
  /// becomes an invalid query.
  package func renamingTables(_ rename: (String) -> String) -> AnyQuery {
    if !needsOtherTables { return self }
    if conditionCount > ResolvedQuery.maximumConditionCount {
      let error = QueryError(
        .tooComplex, "the query has more than \(ResolvedQuery.maximumConditionCount) conditions",
        suggestion: "split the query")
      return AnyQuery(.condition(.holds(AnyExpression(.invalid(error)))))
    }
    return mapConditions { condition in AnyQuery(.condition(condition.mapKeys { $0.renamingTables(rename) })) }
  }
}

extension AnySort {
  /// Returns the sort with other names for the tables of related rows.
  package func renamingTables(_ rename: (String) -> String) -> AnySort {
    if !terms.contains(where: \.key.needsOtherTables) { return self }
    return AnySort(
      terms.map { SortTerm($0.key.renamingTables(rename), direction: $0.direction, nulls: $0.nulls) })
  }
}

extension FetchRequest {
  /// Returns the request with other names for the tables of related rows.
  package func renamingTables(_ rename: (String) -> String) -> FetchRequest {
    var request = self
    (request.query, request.sort) = (query.renamingTables(rename), sort.renamingTables(rename))
    return request
  }

  /// Returns the request with the cursors of a table as cursors of another table with the same columns, see
  /// ``Cursor/moved(from:to:sortedBy:)``.
  package func movingCursors(from source: TableSchema, to target: TableSchema) -> FetchRequest {
    if after == nil, before == nil { return self }
    var request = self
    request.after = after?.moved(from: source, to: target, sortedBy: sort)
    request.before = before?.moved(from: source, to: target, sortedBy: sort)
    return request
  }
}

extension ProjectionRequest {
  /// Returns the request with other names for the tables of related rows; the names of its columns remain.
  package func renamingTables(_ rename: (String) -> String) -> ProjectionRequest {
    if !needsOtherTables { return self }
    var request = self
    request.columns = columns.map { ProjectedColumn($0.expression.renamingTables(rename), as: $0.name) }
    request.rows = rows.renamingTables(rename)
    request.groupLimit = groupLimit.map { limit in
      GroupLimit(
        limit.count, of: limit.keys.map { $0.renamingTables(rename) }, sortedBy: limit.order.renamingTables(rename))
    }
    return request
  }
}

extension AggregateRequest {
  /// Returns the request with other names for the tables of related rows.
  package func renamingTables(_ rename: (String) -> String) -> AggregateRequest {
    if !needsOtherTables { return self }
    var request = self
    request.aggregates = aggregates.map { $0.renamingTables(rename) }
    request.query = query.renamingTables(rename)
    request.groupKeys = groupKeys.map { $0.renamingTables(rename) }
    request.having = having.renamingTables(rename)
    request.order =
      switch order {
      case .group: .group
      case .ascending(let aggregate): .ascending(aggregate.renamingTables(rename))
      case .descending(let aggregate): .descending(aggregate.renamingTables(rename))
      }
    return request
  }
}

extension AnyAggregate {
  fileprivate func renamingTables(_ rename: (String) -> String) -> AnyAggregate {
    AnyAggregate(function, of: key?.renamingTables(rename), where: query.renamingTables(rename))
  }
}

extension Assignment {
  /// Returns the assignment with other names for the tables of related rows.
  package func renamingTables(_ rename: (String) -> String) -> Assignment {
    expression.needsOtherTables ? Assignment(key, expression.renamingTables(rename)) : self
  }
}

extension TableSchema {
  /// Returns the table with another name for itself, and for the tables of its references.
  package func renamingTables(_ rename: (String) -> String) throws(QueryError) -> TableSchema {
    try TableSchema(
      rename(name), columns: columns, primaryKey: primaryKeyColumns.map(\.name),
      unique: uniqueSets.map { set in set.map { columns[$0].name } }, partialUnique: partialUnique, checks: checks,
      references: references.map { $0.renamingTable(rename) }
    ).keeping(distribution)
  }
}

extension ReferenceRule {
  /// Returns the foreign key with another name for its table.
  package func renamingTable(_ rename: (String) -> String) -> ReferenceRule {
    ReferenceRule(columns, to: rename(table), key: key, onDelete: onDelete, isDeferred: isDeferred)
  }
}
