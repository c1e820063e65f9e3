/// A request for aggregates: the rows, the aggregates to compute of them, and their groups.
///
/// ```swift
/// AggregateRequest([.count, .average(key: "weight")], of: .isNotNull(key: "habitat"), groupedBy: ["type"])
/// ```
///
/// A condition on groups selects among them: `having: .compare(.group(.count), .greaterThan, 3)`. The most common values of
/// a key are a request too: `AggregateRequest([.count], groupedBy: ["habitat"], sortedBy: .descending(.count), limit: 3)`.
public struct AggregateRequest: Hashable, Sendable {
  /// The aggregates, in the order of the result.
  public var aggregates: [AnyAggregate]
  /// The query for the rows; all rows by default.
  public var query: AnyQuery
  /// The keys by whose values rows are grouped, which may be any expressions. Without keys, all rows are one group, even if
  /// there are no rows.
  public var groupKeys: [AnyExpression]
  /// The condition on groups, by their keys and aggregates, see ``AnyExpression/group(_:)``; all groups by default.
  public var having: AnyQuery
  /// The order of the groups.
  public var order: AggregateOrder
  /// The maximum number of groups; `nil` for all.
  public var limit: Int?

  /// Makes a request whose groups are by keys.
  public init(
    _ aggregates: [AnyAggregate], of query: AnyQuery = .true, groupedBy groupKeys: [String] = [],
    having: AnyQuery = .true, sortedBy order: AggregateOrder = .group, limit: Int? = nil
  ) {
    self.init(
      aggregates, of: query, groupedBy: groupKeys.map(AnyExpression.key), having: having, sortedBy: order,
      limit: limit)
  }

  /// Makes a request whose groups are by expressions.
  public init(
    _ aggregates: [AnyAggregate], of query: AnyQuery = .true, groupedBy groupKeys: [AnyExpression],
    having: AnyQuery = .true, sortedBy order: AggregateOrder = .group, limit: Int? = nil
  ) {
    self.aggregates = aggregates
    self.query = query
    self.groupKeys = groupKeys
    self.having = having
    self.order = order
    self.limit = limit
  }

  /// The maximum number of aggregates and keys of a request together: a limit of the contract, far below the 2,000 columns
  /// of SQLite's results, so that every store refuses the same requests.
  public static let maximumColumnCount = 500
}

/// An order of groups.
public enum AggregateOrder: Hashable, Sendable {
  /// The order by the values of the group keys, ascending, nulls first.
  case group
  /// The order by one of the aggregates, ascending; on a tie, ``group``.
  case ascending(AnyAggregate)
  /// The order by one of the aggregates, descending; on a tie, ``group``.
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
