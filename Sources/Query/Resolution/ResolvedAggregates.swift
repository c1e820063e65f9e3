/// A request for aggregates that was checked against a table; stores execute only these, so that all of them refuse the same
/// requests for the same reasons.
public struct ResolvedAggregates: Sendable {
  /// An aggregate whose key was found in the table.
  package struct Aggregate: Sendable {
    /// The aggregate as it was requested.
    package let requested: AnyAggregate
    /// The position of the aggregated expression in the scope; `nil` for the number of rows.
    package let column: Int?
    /// Whether a sum is a real even if all numbers are integers: the column holds only reals.
    package let isReal: Bool

    /// The function to compute.
    package var function: AnyAggregate.Function { requested.function }
  }

  /// The query for the rows; its scope contains all expressions that are aggregated and grouped by.
  public let query: ResolvedQuery
  /// The aggregates that are computed: those that are requested, followed by those of the condition on groups.
  package let aggregates: [Aggregate]
  /// The number of requested aggregates.
  let requestedCount: Int
  /// The condition on groups; `nil` for all groups.
  let having: ResolvedQuery?
  /// The positions of the columns by which rows are grouped.
  package let groups: [Int]
  /// The scope of each row, which determines the canonical spelling of values in the result.
  let scope: RowScope
  let order: AggregateOrder
  let limit: Int?

  /// The number of values in a row of the result: the keys of its group and its aggregates.
  package var columnCount: Int { groups.count + aggregates.count }

  /// Returns the name of the column of a value of the result; `nil` for the number of rows.
  package func columnName(at position: Int) -> String? {
    let column = position < groups.count ? groups[position] : aggregates[position - groups.count].column
    return column.map { scope.name($0) }
  }

  /// Returns the same request for a table that holds the same columns less strictly.
  ///
  /// - Parameter other: the same request, resolved in that table.
  package func computing(as other: ResolvedAggregates) -> ResolvedAggregates {
    ResolvedAggregates(
      query: other.query, aggregates: aggregates, requestedCount: requestedCount, having: having, groups: groups,
      scope: scope, order: order, limit: limit)
  }
}

extension AggregateRequest {
  /// Whether the result depends on rows of other tables.
  package var needsOtherTables: Bool {
    query.needsOtherTables || groupKeys.contains(where: \.needsOtherTables)
      || aggregates.contains(where: \.needsOtherTables) || having.needsOtherTables
  }

  /// Resolves the request's keys in a table and checks that the aggregates of their columns are defined.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a sum or an average of a column that holds no numbers, an order by an
  ///   aggregate that is not requested, a negative limit, too many aggregates or none at all, a condition on groups that names
  ///   neither a group key nor an aggregate, and an invalid query.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedAggregates {
    try resolved(in: table) { _ in nil }
  }

  /// Resolves a request that may lead to other tables.
  ///
  /// - Parameter tables: the lookup of other tables.
  package func resolved(
    in table: TableSchema, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedAggregates {
    if let limit, limit < 0 {
      throw QueryError(
        .negativeRange, "the limit \(limit) is negative", suggestion: "omit the limit for all groups")
    }
    if aggregates.isEmpty, groupKeys.isEmpty {
      throw QueryError(.invalidAggregate, "the request has no aggregate", suggestion: "add an aggregate such as count")
    }
    var all = aggregates
    for aggregate in having.groupAggregates where !all.contains(aggregate) { all.append(aggregate) }
    if all.count + groupKeys.count > Self.maximumColumnCount {
      throw QueryError(.tooComplex, "the request has more than \(Self.maximumColumnCount) aggregates and keys")
    }
    var resolved: [ResolvedAggregates.Aggregate] = []
    var resolver = ScopeResolver(table, tables)
    for aggregate in all { resolved.append(try aggregate.resolved(with: &resolver)) }
    switch order {
    case .group: break
    case .ascending(let aggregate), .descending(let aggregate):
      if !aggregates.contains(aggregate) {
        throw QueryError(
          .invalidAggregate, "can't sort groups by \(aggregate), which is not an aggregate of the request",
          suggestion: "add \(aggregate) to the aggregates")
      }
    }
    var groups: [Int] = []
    for key in groupKeys {
      let position = try resolver.position(of: key)
      try resolver.scope.column(position).checkIsComparable()
      groups.append(position)
    }
    let query = try ResolvedQuery(query, with: &resolver)
    let condition =
      having == .true ? nil : try groupQuery(resolved, groups: groups, in: resolver.scope)
    return ResolvedAggregates(
      query: query, aggregates: resolved, requestedCount: aggregates.count, having: condition, groups: groups,
      scope: query.scope, order: order, limit: limit)
  }
}

extension AnyAggregate {
  fileprivate func resolved(with resolver: inout ScopeResolver) throws(QueryError) -> ResolvedAggregates.Aggregate {
    guard let key = operand else { return ResolvedAggregates.Aggregate(requested: self, column: nil, isReal: false) }
    let position = try resolver.position(of: key)
    let column = resolver.scope.column(position)
    if function != .count { try column.checkIsComparable() }
    if function == .sum || function == .average, !column.kinds.contains(.number) {
      // The message names the requested key, without the filter that `operand` contains.
      let requested = self.key ?? key
      let held = column.format?.plural ?? ExpressionType(column).plural
      throw QueryError(
        .kindMismatch, "\(requested.plainKey ?? requested.description) stores \(held) and has no \(function.rawValue)",
        suggestion: column.format == .decimal
          ? "a view in the database's own SQL can add the decimals" : "count, min and max accept columns of every kind")
    }
    return ResolvedAggregates.Aggregate(
      requested: self, column: position, isReal: column.type == .real && column.declaredType == nil)
  }
}
