/// What to work out of many rows: how many there are, or an aggregate of the values that one key has in them.
///
/// ```swift
/// AnyAggregate.average(key: "weight").description  // average(weight)
/// ```
///
/// Nulls are left out of every aggregate of a key. What each aggregate means is part of the contract, see <doc:Semantics>.
public struct AnyAggregate: Hashable, Sendable {
  /// The aggregates that there are.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// How many rows there are, or how many have a value.
    case count
    /// The least value.
    case min
    /// The greatest value.
    case max
    /// The sum of the numbers.
    case sum
    /// The average of the numbers.
    case average
  }

  /// What is worked out.
  public let function: Function
  /// The key of whose values, which may be any expression; `nil` for the number of rows.
  public let key: AnyExpression?

  /// Makes an aggregate; `count` alone needs no key.
  public init(_ function: Function, of key: AnyExpression?) {
    (self.function, self.key) = (function, key)
  }

  /// How many rows there are.
  public static let count = AnyAggregate(.count, of: nil)

  /// How many rows have a value that is not null.
  public static func count(key: String) -> AnyAggregate { AnyAggregate(.count, of: .key(key)) }

  /// The least value in the total order; null where there is none.
  public static func min(key: String) -> AnyAggregate { AnyAggregate(.min, of: .key(key)) }

  /// The greatest value in the total order; null where there is none.
  public static func max(key: String) -> AnyAggregate { AnyAggregate(.max, of: .key(key)) }

  /// The sum of the numbers; 0 where there is none.
  ///
  /// A sum of integers is an integer, or an error where it is none that can be stored. As soon as there is a real among
  /// them, it is the real that is nearest to the exact sum.
  public static func sum(key: String) -> AnyAggregate { AnyAggregate(.sum, of: .key(key)) }

  /// The real that is nearest to the exact average of the numbers; null where there is none.
  public static func average(key: String) -> AnyAggregate { AnyAggregate(.average, of: .key(key)) }
}

extension AnyAggregate: CustomStringConvertible {
  /// The aggregate as a heading: `count`, `average(weight)`.
  public var description: String { function.rawValue + (key.map { "(\($0.plainKey ?? $0.description))" } ?? "") }
}

/// Everything that a question for aggregates says: of which rows, which aggregates, and in which groups.
///
/// ```swift
/// AggregateRequest([.count, .average(key: "weight")], of: .isNotNull(key: "habitat"), groupedBy: ["type"])
/// ```
///
/// The most common values of a key are one too: `AggregateRequest([.count], groupedBy: ["habitat"], sortedBy:
/// .descending(.count), limit: 3)`.
public struct AggregateRequest: Hashable, Sendable {
  /// The aggregates, in the order of the result.
  public var aggregates: [AnyAggregate]
  /// Of which rows; of all by default.
  public var query: AnyQuery
  /// The keys by whose values rows are grouped, which may be any expressions. Without one, all rows are one group, also
  /// where there is no row.
  public var groupKeys: [AnyExpression]
  /// In which order to give the groups.
  public var order: AggregateOrder
  /// At most how many groups; all by default.
  public var limit: Int?

  /// Makes a request.
  public init(
    _ aggregates: [AnyAggregate], of query: AnyQuery = .true, groupedBy groupKeys: [String] = [],
    sortedBy order: AggregateOrder = .group, limit: Int? = nil
  ) {
    self.init(aggregates, of: query, groupedBy: groupKeys.map(AnyExpression.key), sortedBy: order, limit: limit)
  }

  /// Makes a request whose groups are by expressions.
  public init(
    _ aggregates: [AnyAggregate], of query: AnyQuery = .true, groupedBy groupKeys: [AnyExpression],
    sortedBy order: AggregateOrder = .group, limit: Int? = nil
  ) {
    self.aggregates = aggregates
    self.query = query
    self.groupKeys = groupKeys
    self.order = order
    self.limit = limit
  }

  /// How many aggregates and keys a request may have together: a limit of the contract, far below the 2,000 columns of
  /// SQLite's results, so that every store refuses the same requests.
  public static let maximumColumnCount = 500
}

/// In which order to give groups.
public enum AggregateOrder: Hashable, Sendable {
  /// By the values of their keys, from small to great, nulls first.
  case group
  /// By one of the aggregates, from small to great; where that does not decide, as ``group``.
  case ascending(AnyAggregate)
  /// By one of the aggregates, from great to small; where that does not decide, as ``group``.
  case descending(AnyAggregate)
}

/// The aggregates of one group of rows.
public struct AggregateRow: Hashable, Sendable {
  /// The values that the rows of the group share, in the order of ``AggregateRequest/groupKeys``.
  public let keys: [Value]
  /// The aggregates, in the order of ``AggregateRequest/aggregates``.
  public let aggregates: [Value]

  /// Makes a row, for repositories of your own.
  public init(keys: [Value], aggregates: [Value]) {
    self.keys = keys
    self.aggregates = aggregates
  }
}

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
  package let aggregates: [Aggregate]
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
      query: other.query, aggregates: aggregates, groups: groups, scope: scope, order: order, limit: limit)
  }
}

extension AggregateRequest {
  /// Whether rows of other tables decide about the result.
  package var needsOtherTables: Bool {
    query.needsOtherTables || groupKeys.contains(where: \.needsOtherTables)
      || aggregates.contains { $0.key?.needsOtherTables == true }
  }

  /// Finds the request's keys in a table and checks that the aggregates can be worked out of their columns.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a sum or an average of a column that holds no numbers, an order by a
  ///   aggregate that is not asked for, a negative limit, too many aggregates or none at all, and where the query is refused.
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
    if aggregates.count + groupKeys.count > Self.maximumColumnCount {
      throw QueryError(.tooComplex, "more than \(Self.maximumColumnCount) aggregates and keys are asked for at once")
    }
    var resolved: [ResolvedAggregates.Aggregate] = []
    var resolver = ScopeResolver(table, tables)
    for aggregate in aggregates { resolved.append(try aggregate.resolved(with: &resolver)) }
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
    return ResolvedAggregates(
      query: query, aggregates: resolved, groups: groups, scope: query.scope, order: order, limit: limit)
  }
}

extension AnyAggregate {
  fileprivate func resolved(with resolver: inout ScopeResolver) throws(QueryError) -> ResolvedAggregates.Aggregate {
    guard let key else { return ResolvedAggregates.Aggregate(asked: self, column: nil, isReal: false) }
    let position = try resolver.position(of: key)
    let column = resolver.scope.column(position)
    if function == .sum || function == .average, !column.kinds.contains(.number) {
      let held = Value.Kind.allCases.filter(column.kinds.contains).map(\.plural).joined(separator: " and ")
      throw QueryError(
        .kindMismatch, "\(column.name) holds \(held) and has no \(function.rawValue)",
        suggestion: "count, min and max take columns of every kind")
    }
    return ResolvedAggregates.Aggregate(
      asked: self, column: position, isReal: column.type == .real && column.declaredType == nil)
  }
}
