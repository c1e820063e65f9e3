/// A request that was checked against a table; stores carry out nothing else, so that all of them refuse the same
/// requests for the same reasons.
public struct ResolvedRequest: Sendable {
  /// What to find.
  public let query: ResolvedQuery
  /// In which order.
  public let sort: ResolvedSort
  /// At most how many rows.
  public let limit: Int?
  /// How many rows to leave out at the start.
  public let offset: Int

  /// The table that is asked.
  public var table: TableSchema { query.table }
}

extension FetchRequest {
  /// Finds the request's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, a negative limit or offset, and a query that is too deep or too large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedRequest {
    if let limit, limit < 0 {
      throw QueryError(.negativeRange, "the limit \(limit) is negative", suggestion: "leave the limit out for all rows")
    }
    if offset < 0 { throw QueryError(.negativeRange, "the offset \(offset) is negative") }
    return ResolvedRequest(
      query: try ResolvedQuery(query, in: table), sort: try ResolvedSort(sort, in: table), limit: limit, offset: offset)
  }
}

extension AnyQuery {
  /// Finds the query's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, and a query that is too deep or too large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedQuery {
    try ResolvedQuery(self, in: table)
  }
}
