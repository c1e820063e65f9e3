/// Everything that a question for aggregates says: of which rows, which aggregates, and in which groups.
///
/// ```swift
/// AggregateRequest([.count, .average(key: "weight")], of: .isNotNull(key: "habitat"), groupedBy: ["type"])
/// ```
///
/// A condition on groups says which of them are wanted: `having: .compare(.group(.count), .greaterThan, 3)`. The most common
/// values of a key are a request too: `AggregateRequest([.count], groupedBy: ["habitat"], sortedBy:
/// .descending(.count), limit: 3)`.
public struct AggregateRequest: Hashable, Sendable {
  /// The aggregates, in the order of the result.
  public var aggregates: [AnyAggregate]
  /// Of which rows; of all by default.
  public var query: AnyQuery
  /// The keys by whose values rows are grouped, which may be any expressions. Without one, all rows are one group, also
  /// where there is no row.
  public var groupKeys: [AnyExpression]
  /// Which of the groups to give, by their keys and their aggregates, see ``AnyExpression/group(_:)``; all by default.
  public var having: AnyQuery
  /// In which order to give the groups.
  public var order: AggregateOrder
  /// At most how many groups; all by default.
  public var limit: Int?

  /// Makes a request.
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
