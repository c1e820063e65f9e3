/// A request for rows: the query they match, their order, and the part of the result to return.
public struct FetchRequest: Hashable, Sendable {
  /// The query that the rows match; every row by default.
  public var query: AnyQuery
  /// The order of the rows; by primary key by default.
  public var sort: AnySort
  /// The maximum number of rows; `nil` for all.
  public var limit: Int?
  /// The number of rows to skip at the start of the sorted result.
  public var offset: Int
  /// The cursor after which the result begins.
  public var after: Cursor?
  /// The cursor before which the result ends. Without ``after``, limit and offset count from this end: the result is the
  /// previous page.
  public var before: Cursor?

  /// Makes a request.
  ///
  /// A negative limit or offset is an error when the request is executed.
  public init(
    _ query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0,
    after: Cursor? = nil, before: Cursor? = nil
  ) {
    self.query = query
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.after = after
    self.before = before
  }
}

extension FetchRequest {
  /// Whether the result depends on rows of other tables.
  package var needsOtherTables: Bool {
    query.needsOtherTables || sort.terms.contains(where: \.key.needsOtherTables)
  }
}
