/// Everything that a read says: what to find, in which order, and which part of it.
public struct FetchRequest: Hashable, Sendable {
  /// What to find; everything by default.
  public var query: AnyQuery
  /// In which order; by primary key by default.
  public var sort: AnySort
  /// At most how many rows; all by default.
  public var limit: Int?
  /// How many rows of the sorted result to leave out at its start.
  public var offset: Int
  /// The cursor after which the result begins.
  public var after: Cursor?
  /// The cursor before which the result ends. Without ``after``, limit and offset count from this end: it is the page
  /// before.
  public var before: Cursor?

  /// Makes a request.
  ///
  /// A negative limit or offset is an error when the request is carried out.
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
  /// Whether rows of other tables decide about the result.
  package var needsOtherTables: Bool {
    query.needsOtherTables || sort.terms.contains(where: \.key.needsOtherTables)
  }
}
