/// A projection that was checked against a table; stores execute only these, so that all of them refuse the same requests
/// for the same reasons.
public struct ResolvedProjection: Sendable {
  /// A limit to the first rows of each group, whose keys were found in the table.
  package struct Limit: Sendable {
    package let count: Int
    /// The positions of the keys.
    package let keys: [Int]
    package let sort: ResolvedSort
  }

  /// The request for the rows. Limit and offset count rows of the result, which are fewer if duplicates are removed or
  /// groups are limited.
  public let request: ResolvedRequest
  /// The positions of the columns, in the order of the result.
  package let columns: [Int]
  /// The names of the columns.
  package let names: [String]
  /// Whether duplicate rows of the result are removed.
  package let isDistinct: Bool
  package let groupLimit: Limit?
  /// The scope of each row, which determines the canonical spelling of values in the result.
  let scope: RowScope

  /// Returns the same request for a table that holds the same columns less strictly.
  ///
  /// - Parameter other: the same request, resolved in that table.
  package func computing(as other: ResolvedProjection) -> ResolvedProjection {
    ResolvedProjection(
      request: other.request, columns: columns, names: names, isDistinct: isDistinct, groupLimit: other.groupLimit,
      scope: scope)
  }

  /// Returns a row of the result in its canonical spelling: if duplicates are removed, zero has no sign.
  package func spelled(_ row: [Value]) -> [Value] {
    isDistinct ? zip(columns, row).map { scope.column($0).spelling($1) } : row
  }
}

extension ProjectionRequest {
  /// Resolves the request's keys in a table and checks its values.
  ///
  /// - Throws: ``QueryError`` as ``FetchRequest/resolved(in:)`` does; if there are no columns or too many; if distinct rows
  ///   are sorted by a key that is not one of their columns; and for a cursor if the rows of the result are not those of the
  ///   table.
  public func resolved(in table: TableSchema) throws(QueryError) -> ResolvedProjection {
    try resolved(in: table) { _ in nil }
  }

  /// Resolves a request that may lead to other tables.
  ///
  /// - Parameter tables: the lookup of other tables.
  package func resolved(
    in table: TableSchema, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedProjection {
    if columns.isEmpty {
      throw QueryError(.invalidProjection, "the request has no column", suggestion: "name a column, or an expression")
    }
    if columns.count > Swift.max(Self.maximumColumnCount, table.columns.count) {
      throw QueryError(.tooComplex, "the request has more than \(Self.maximumColumnCount) columns")
    }
    if let groupLimit, groupLimit.count < 0 {
      throw QueryError(
        .negativeRange, "the limit \(groupLimit.count) is negative",
        suggestion: "omit the limit for all rows of a group")
    }
    if let groupLimit, groupLimit.keys.count > Self.maximumColumnCount {
      throw QueryError(.tooComplex, "the request groups by more than \(Self.maximumColumnCount) keys")
    }
    if isDistinct || groupLimit != nil, rows.after != nil || rows.before != nil {
      throw QueryError(
        .invalidCursor, "the result has no cursors", reason: "the result combines rows, or selects rows by group",
        suggestion: "use an offset")
    }
    var resolver = ScopeResolver(table, tables)
    var positions: [Int] = []
    for column in columns { positions.append(try resolver.position(of: column.expression)) }
    var rows = rows
    rows.sort = try sort(in: table, positions, with: &resolver)
    let limit = try groupLimit.map { limit throws(QueryError) in
      var keys: [Int] = []
      for key in limit.keys { keys.append(try resolver.position(of: meaning(of: key, in: table))) }
      let sort = try ResolvedSort(meaning(of: limit.order, in: table), with: &resolver)
      return ResolvedProjection.Limit(count: limit.count, keys: keys, sort: sort)
    }
    let request = try rows.resolved(with: &resolver, ofDistinctRows: isDistinct)
    return ResolvedProjection(
      request: request, columns: positions, names: columns.map(\.name), isDistinct: isDistinct, groupLimit: limit,
      scope: request.query.scope)
  }

  /// Returns the same request whose orders and groups contain only columns and expressions, and no names of the result: names
  /// are resolved against this table, so that another table, which has more columns, does not take a name for one of its
  /// columns.
  package func withMeaningsOfNames(in table: TableSchema) -> ProjectionRequest {
    var request = self
    request.rows.sort = meaning(of: rows.sort, in: table)
    if let limit = groupLimit {
      request.groupLimit = GroupLimit(
        limit.count, of: limit.keys.map { meaning(of: $0, in: table) }, sortedBy: meaning(of: limit.order, in: table))
    }
    return request
  }

  private func meaning(of sort: AnySort, in table: TableSchema) -> AnySort {
    AnySort(
      sort.terms.map { SortTerm(meaning(of: $0.key, in: table), direction: $0.direction, nulls: $0.nulls) })
  }

  /// Returns the order of the result. Distinct rows are sorted by the requested sort, and then by their columns from the
  /// first on.
  private func sort(
    in table: TableSchema, _ positions: [Int], with resolver: inout ScopeResolver
  ) throws(QueryError) -> AnySort {
    let sort = meaning(of: rows.sort, in: table)
    if !isDistinct { return sort }
    for term in sort.terms where try !positions.contains(resolver.position(of: term.key)) {
      throw QueryError(
        .unknownKey, "can't sort distinct rows by \(term.key)",
        reason: "\(term.key) is not a column of the result, and equal rows can differ in \(term.key)",
        suggestion: "sort by a column of the result, or add \(term.key) to the columns")
    }
    return sort + AnySort(columns.map { SortTerm($0.expression, direction: .ascending, nulls: .first) })
  }
}

extension ProjectionRequest {
  /// Returns the expression that a key of an order or of groups denotes: a name of the result denotes the expression of its
  /// column.
  ///
  /// - Parameter table: the table whose columns take precedence; `nil` if only names of the result are known.
  func meaning(of key: AnyExpression, in table: TableSchema? = nil) -> AnyExpression {
    guard let name = key.plainKey, table?.columns.contains(named: name) != true else { return key }
    return columns.first { Name($0.name) == name }?.expression ?? key
  }
}
