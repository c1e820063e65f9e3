/// A request that was checked against a table; stores execute only these, so that all of them refuse the same requests for
/// the same reasons.
public struct ResolvedRequest: Sendable {
  /// The query that the rows match.
  public let query: ResolvedQuery
  /// The order of the rows.
  public let sort: ResolvedSort
  /// The maximum number of rows; `nil` for all.
  public let limit: Int?
  /// The number of rows to skip at the start.
  public let offset: Int
  /// Whether the sort is the opposite of the requested one, because the request asks for the last rows before a cursor.
  public let isReversed: Bool

  /// The table against which the request was resolved.
  public var table: TableSchema { query.table }

  /// Returns the rows of a result in the requested order.
  ///
  /// - Parameter found: the rows that match ``query``, sorted by ``sort``, after ``offset`` and up to ``limit``.
  public func inOrder<Row>(_ found: [Row]) -> [Row] { isReversed ? found.reversed() : found }
}

extension FetchRequest {
  /// Resolves the request's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, a negative limit or offset, a cursor of another sort or table, and a query that is too deep or too
  ///   large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedRequest {
    try resolved(in: table) { _ in nil }
  }

  /// Resolves a request that may lead to other tables.
  ///
  /// - Parameter tables: the lookup of other tables.
  package func resolved(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> ResolvedRequest
  {
    var resolver = ScopeResolver(table, tables)
    return try resolved(with: &resolver)
  }

  /// Resolves a request of which a part is resolved already.
  ///
  /// - Parameter ofDistinctRows: whether the rows are those of a result without duplicates.
  func resolved(
    with resolver: inout ScopeResolver, ofDistinctRows: Bool = false
  ) throws(QueryError) -> ResolvedRequest {
    if let limit, limit < 0 {
      throw QueryError(.negativeRange, "the limit \(limit) is negative", suggestion: "omit the limit for all rows")
    }
    if offset < 0 { throw QueryError(.negativeRange, "the offset \(offset) is negative") }
    let sort = try ResolvedSort(sort, with: &resolver, ofDistinctRows: ofDistinctRows)
    var query = try ResolvedQuery(query, with: &resolver)
    for place in try cursorPredicates(in: sort, of: resolver.scope) { query = try query.and(place, with: &resolver) }
    return ResolvedRequest(
      query: query, sort: isReversed ? sort.reversed : sort, limit: limit,
      offset: offset, isReversed: isReversed)
  }

  /// Returns, for each operand of the cursors' conditions, the index of its value, with those of ``after`` before those of
  /// ``before``.
  ///
  /// - Throws: ``QueryError`` for a cursor of another sort or table.
  package func cursorOperands(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> [Int] {
    if after == nil && before == nil { return [] }
    // The conditions of cursors whose values are their own positions show which value each operand has.
    var numbered = self
    numbered.after = after?.numbered(from: 0)
    numbered.before = before?.numbered(from: after?.values.count ?? 0)
    var resolver = ScopeResolver(table, tables)
    let sort = try ResolvedSort(sort, with: &resolver)
    return try numbered.cursorPredicates(in: sort, of: resolver.scope).flatMap { query in
      query.operands.map { operand in if case .value(.integer(let position)) = operand { Int(position) } else { 0 } }
    }
  }

  /// Returns the conditions of the cursors. A cursor becomes part of the query, so that every store supports cursors.
  private func cursorPredicates(in sort: ResolvedSort, of scope: RowScope) throws(QueryError) -> [AnyQuery] {
    var places: [AnyQuery] = []
    if let after { places.append(try sort.rows(after: after, in: scope)) }
    if let before { places.append(try sort.rows(before: before, in: scope)) }
    return places
  }

  /// Whether the request asks for the last rows before a cursor, which are read backwards from the cursor.
  package var isReversed: Bool { before != nil && after == nil }
}

extension AnyQuery {
  /// The operands of the query's comparisons, from left to right.
  fileprivate var operands: [Operand<AnyExpression>] {
    conditions.compactMap { if case .comparison(let comparison) = $0 { comparison.operand } else { nil } }
  }
}

extension AnyQuery {
  /// Resolves the query's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, and a query that is too deep or too large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedQuery {
    try resolved(in: table) { _ in nil }
  }

  /// Resolves a query that may lead to other tables.
  ///
  /// - Parameter tables: the lookup of other tables.
  package func resolved(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> ResolvedQuery {
    var resolver = ScopeResolver(table, tables)
    return try ResolvedQuery(self, with: &resolver)
  }
}

extension ResolvedQuery {
  /// Returns the request for all rows that match the query, in the order of the primary key.
  package func request() throws(QueryError) -> ResolvedRequest {
    ResolvedRequest(
      query: self, sort: try ResolvedSort(.primaryKey, in: table), limit: nil, offset: 0, isReversed: false)
  }
}
