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
  /// Whether the sort is the opposite of the requested one, because the rows are those that end before a cursor.
  public let isReversed: Bool

  /// The table that is asked.
  public var table: TableSchema { query.table }

  /// Puts the rows of a result into the order that was asked for.
  ///
  /// - Parameter found: the rows that ``query`` means, sorted by ``sort``, after ``offset`` and up to ``limit``.
  public func inOrder<Row>(_ found: [Row]) -> [Row] { isReversed ? found.reversed() : found }
}

extension FetchRequest {
  /// Finds the request's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, a negative limit or offset, a cursor of another sort or table, and a query that is too deep or too
  ///   large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedRequest {
    try resolved(in: table) { _ in nil }
  }

  /// The same for a request that may lead to other tables.
  ///
  /// - Parameter tables: finds them.
  package func resolved(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> ResolvedRequest
  {
    var resolver = ScopeResolver(table, tables)
    return try resolved(with: &resolver)
  }

  /// The same for a request of which something is resolved already.
  func resolved(with resolver: inout ScopeResolver) throws(QueryError) -> ResolvedRequest {
    if let limit, limit < 0 {
      throw QueryError(.negativeRange, "the limit \(limit) is negative", suggestion: "leave the limit out for all rows")
    }
    if offset < 0 { throw QueryError(.negativeRange, "the offset \(offset) is negative") }
    let sort = try ResolvedSort(sort, with: &resolver)
    var query = try ResolvedQuery(query, with: &resolver)
    for place in try cursorPredicates(in: sort, of: resolver.scope) { query = try query.and(place, with: &resolver) }
    return ResolvedRequest(
      query: query, sort: isReversed ? sort.reversed : sort, limit: limit,
      offset: offset, isReversed: isReversed)
  }

  /// Which of the cursors' values, those of ``after`` before those of ``before``, each operand of the cursors' conditions is.
  ///
  /// - Throws: ``QueryError`` for a cursor of another sort or table.
  package func cursorOperands(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> [Int] {
    if after == nil && before == nil { return [] }
    // The conditions of cursors whose values are their own positions tell which value went where.
    var numbered = self
    numbered.after = after?.numbered(from: 0)
    numbered.before = before?.numbered(from: after?.values.count ?? 0)
    var resolver = ScopeResolver(table, tables)
    let sort = try ResolvedSort(sort, with: &resolver)
    return try numbered.cursorPredicates(in: sort, of: resolver.scope).flatMap { query in
      query.operands.map { operand in if case .value(.integer(let position)) = operand { Int(position) } else { 0 } }
    }
  }

  /// What the cursors say. A cursor is a query more, so that every store has cursors.
  private func cursorPredicates(in sort: ResolvedSort, of scope: RowScope) throws(QueryError) -> [AnyQuery] {
    var places: [AnyQuery] = []
    if let after { places.append(try sort.rows(after: after, in: scope)) }
    if let before { places.append(try sort.rows(before: before, in: scope)) }
    return places
  }

  /// Whether the rows are those that end before a cursor, which are found backwards from there.
  package var isReversed: Bool { before != nil && after == nil }
}

extension AnyQuery {
  /// The operands of the query's comparisons, from left to right.
  fileprivate var operands: [Operand<AnyExpression>] {
    var operands: [Operand<AnyExpression>] = []
    var pending = [self]
    while let query = pending.popLast() {
      switch query.form {
      case .condition(.comparison(let comparison)): operands.append(comparison.operand)
      case .condition: break
      case .not(let inner): pending.append(inner)
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [rhs, lhs]
      }
    }
    return operands
  }
}

extension AnyQuery {
  /// Finds the query's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` for an unknown key, a value of a kind that its column can't hold, a value that can't be
  ///   stored at all, and a query that is too deep or too large.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedQuery {
    try resolved(in: table) { _ in nil }
  }

  /// The same for a query that may lead to other tables.
  ///
  /// - Parameter tables: finds them.
  package func resolved(in table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) -> ResolvedQuery {
    var resolver = ScopeResolver(table, tables)
    return try ResolvedQuery(self, with: &resolver)
  }
}

extension ResolvedQuery {
  /// The request for all rows that match the query, in the order of their keys.
  package func request() throws(QueryError) -> ResolvedRequest {
    ResolvedRequest(
      query: self, sort: try ResolvedSort(.primaryKey, in: table), limit: nil, offset: 0, isReversed: false)
  }
}
