import ErrorDetails

extension FetchRequest {
  /// Returns the same request, for a client that may name only some columns.
  ///
  /// ```swift
  /// let request = try FetchRequest(queryItems: items).restricted(to: ["name", "weight"])
  /// ```
  ///
  /// A query reveals the content of columns that the answer does not contain: whether `salary > 5000` finds a row depends on
  /// the salary. A request from a client is therefore restricted to the columns that are documented for it, in conditions
  /// and sorts.
  ///
  /// A path is allowed if its text form is one of the columns, as `"album_id.title"`. Referring rows are not allowed.
  ///
  /// - Parameter columns: the names of the columns.
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/columnNotAllowed`` for any other column, which it names.
  public func restricted(to columns: [String]) throws(QueryError) -> FetchRequest {
    for term in sort.terms { try columns.check(term.key) }
    try columns.check(query)
    return self
  }
}

extension AggregateRequest {
  /// Returns the same request, for a client that may name only some columns, see ``FetchRequest/restricted(to:)``.
  ///
  /// - Parameter columns: the names of the columns that the client may use in conditions, groups and aggregates.
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/columnNotAllowed`` for any other column, which it names.
  public func restricted(to columns: [String]) throws(QueryError) -> AggregateRequest {
    for key in groupKeys { try columns.check(key) }
    for aggregate in aggregates { try columns.check(.group(aggregate)) }
    try columns.check(query)
    try columns.check(having)
    return self
  }
}

extension ProjectionRequest {
  /// Returns the same request, for a client that may read only some columns, see ``FetchRequest/restricted(to:)``.
  ///
  /// - Parameter columns: the names of the columns that the client may read, and use in conditions and sorts.
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/columnNotAllowed`` for any other column, which it names.
  public func restricted(to columns: [String]) throws(QueryError) -> ProjectionRequest {
    for column in self.columns { try columns.check(column.expression) }
    let sorts = [rows.sort, groupLimit?.order ?? .primaryKey]
    for term in sorts.flatMap(\.terms) { try columns.check(meaning(of: term.key)) }
    for key in groupLimit?.keys ?? [] { try columns.check(meaning(of: key)) }
    try columns.check(rows.query)
    return self
  }
}

extension [String] {
  /// Checks that a query names only columns of the list.
  func check(_ query: AnyQuery) throws(QueryError) {
    for condition in query.conditions { try condition.forEachKey { key throws(QueryError) in try check(key) } }
  }

  /// Checks that an expression names only columns of the list.
  func check(_ expression: AnyExpression) throws(QueryError) {
    switch expression.form {
    case .key(let key): try check(key)
    case .path: try check(expression.description)
    case .aggregate(_, _, let rows), .exists(let rows):
      throw QueryError(
        .columnNotAllowed,
        "queries of \(VisibleText.excerpt(of: Array<UInt8>(rows.table.utf8)[...])) are not allowed here",
        suggestion: "allowed: \(joined(separator: ", "))")
    case .invalid(let error): throw error
    case .value, .function, .conditional, .group:
      let (queries, expressions) = expression.form.operands
      for query in queries { try check(query) }
      for expression in expressions { try check(expression) }
    }
  }

  /// Checks that a column is in the list.
  private func check(_ key: String) throws(QueryError) {
    if contains(where: { Name($0) == key }) { return }
    throw QueryError(
      .columnNotAllowed, "the column \(VisibleText.excerpt(of: Array<UInt8>(key.utf8)[...])) is not allowed here",
      suggestion: NearestName.nearest(to: key, in: self).map { "did you mean \($0)?" }
        ?? "allowed: \(joined(separator: ", "))")
  }
}
