/// A question for aggregates that was checked against a table; stores carry out nothing else, so that all of them refuse the
/// same requests for the same reasons.
public struct ResolvedAggregates: Sendable {
  /// One aggregate, its key found in the table.
  package struct Aggregate: Sendable {
    /// The aggregate as it was asked for.
    package let asked: AnyAggregate
    /// The position of the column, if there is one.
    package let column: Int?
    /// Whether a sum is a real even where all numbers are integers: the column holds nothing else.
    package let isReal: Bool

    /// What is worked out.
    package var function: AnyAggregate.Function { asked.function }
  }

  /// The rows that are meant; its scope sees all that is aggregated and grouped by.
  public let query: ResolvedQuery
  /// The aggregates that are worked out: those that are asked for, and behind them those that the condition on groups names.
  package let aggregates: [Aggregate]
  /// How many of them are asked for.
  let askedCount: Int
  /// The condition on groups; `nil` where all are wanted.
  let having: ResolvedQuery?
  /// The positions of the columns by which rows are grouped.
  package let groups: [Int]
  /// What is seen of each row, as the result is spelled.
  let scope: RowScope
  let order: AggregateOrder
  let limit: Int?

  /// How many values a row of the result has: the keys of its group and its aggregates.
  package var columnCount: Int { groups.count + aggregates.count }

  /// The column of which a value of the result tells; `nil` for the number of rows.
  package func columnName(at position: Int) -> String? {
    let column = position < groups.count ? groups[position] : aggregates[position - groups.count].column
    return column.map { scope.name($0) }
  }

  /// The same question to a table that holds the same columns less strictly.
  ///
  /// - Parameter other: the same request, resolved in that table.
  package func asking(as other: ResolvedAggregates) -> ResolvedAggregates {
    ResolvedAggregates(
      query: other.query, aggregates: aggregates, askedCount: askedCount, having: having, groups: groups,
      scope: scope, order: order, limit: limit)
  }
}

extension AggregateRequest {
  /// Whether rows of other tables decide about the result.
  package var needsOtherTables: Bool {
    query.needsOtherTables || groupKeys.contains(where: \.needsOtherTables)
      || aggregates.contains(where: \.needsOtherTables) || having.needsOtherTables
  }

  /// Finds the request's keys in a table and checks that the aggregates can be worked out of their columns.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a sum or an average of a column that holds no numbers, an order by a
  ///   aggregate that is not asked for, a negative limit, too many aggregates or none at all, a condition on groups that
  ///   names what groups don't have, and where the query is refused.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedAggregates {
    try resolved(in: table) { _ in nil }
  }

  /// The same for a request that may lead to other tables.
  ///
  /// - Parameter tables: finds them.
  package func resolved(
    in table: TableSchema, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedAggregates {
    if let limit, limit < 0 {
      throw QueryError(
        .negativeRange, "the limit \(limit) is negative", suggestion: "leave the limit out for all groups")
    }
    if aggregates.isEmpty, groupKeys.isEmpty {
      throw QueryError(.invalidAggregate, "no aggregate is asked for", suggestion: "ask for count, for instance")
    }
    var all = aggregates
    for aggregate in having.groupAggregates where !all.contains(aggregate) { all.append(aggregate) }
    if all.count + groupKeys.count > Self.maximumColumnCount {
      throw QueryError(.tooComplex, "more than \(Self.maximumColumnCount) aggregates and keys are asked for at once")
    }
    var resolved: [ResolvedAggregates.Aggregate] = []
    var resolver = ScopeResolver(table, tables)
    for aggregate in all { resolved.append(try aggregate.resolved(with: &resolver)) }
    switch order {
    case .group: break
    case .ascending(let aggregate), .descending(let aggregate):
      if !aggregates.contains(aggregate) {
        throw QueryError(
          .invalidAggregate, "groups can't be sorted by \(aggregate)", suggestion: "ask for that aggregate too")
      }
    }
    var groups: [Int] = []
    for key in groupKeys { groups.append(try resolver.position(of: key)) }
    let query = try ResolvedQuery(query, with: &resolver)
    let condition =
      having == .true ? nil : try groupQuery(resolved, groups: groups, in: resolver.scope)
    return ResolvedAggregates(
      query: query, aggregates: resolved, askedCount: aggregates.count, having: condition, groups: groups,
      scope: query.scope, order: order, limit: limit)
  }
}

extension AnyAggregate {
  fileprivate func resolved(with resolver: inout ScopeResolver) throws(QueryError) -> ResolvedAggregates.Aggregate {
    guard let key = operand else { return ResolvedAggregates.Aggregate(asked: self, column: nil, isReal: false) }
    let position = try resolver.position(of: key)
    let column = resolver.scope.column(position)
    if function == .sum || function == .average, !column.kinds.contains(.number) {
      // A filter is a part of what is worked out, and none of what is asked for.
      let asked = self.key ?? key
      let held = column.format?.plural ?? ExpressionType(column).plural
      throw QueryError(
        .kindMismatch, "\(asked.plainKey ?? asked.description) holds \(held) and has no \(function.rawValue)",
        suggestion: column.format == .decimal
          ? "find the decimals and add them in Swift" : "count, min and max take columns of every kind")
    }
    return ResolvedAggregates.Aggregate(
      asked: self, column: position, isReal: column.type == .real && column.declaredType == nil)
  }
}
