extension ResolvedSort {
  /// Returns a query for the rows after a cursor.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidCursor`` if the cursor was made for another sort or table.
  func rows(after cursor: Cursor, in scope: RowScope) throws(QueryError) -> AnyQuery {
    let table = scope.table
    if table.primaryKey.isEmpty {
      throw QueryError(
        .invalidCursor, "\(table.name) has no primary key, which cursors need",
        reason: "a page could end between equal rows", suggestion: "use pages with an offset")
    }
    guard cursor.fingerprint == fingerprint(in: scope), cursor.values.count == terms.count else {
      throw QueryError(
        .invalidCursor, "the cursor belongs to another sort or another table",
        suggestion: "request the next page with the sort of the previous page, or start again without a cursor")
    }
    return Self.rows(after: Array(zip(terms, cursor.values)), in: scope)
  }

  /// Returns a query for the rows before a cursor.
  ///
  /// - Throws: as ``rows(after:in:)`` does.
  func rows(before cursor: Cursor, in scope: RowScope) throws(QueryError) -> AnyQuery {
    // Checks the cursor, which was made for this sort and not for its reverse.
    _ = try rows(after: cursor, in: scope)
    return Self.rows(after: Array(zip(reversed.terms, cursor.values)), in: scope)
  }

  /// The opposite order.
  var reversed: ResolvedSort {
    ResolvedSort(
      terms: terms.map { term in
        Term(
          column: term.column, direction: term.direction == .ascending ? .descending : .ascending,
          nulls: term.nulls == .first ? .last : .first)
      })
  }

  /// Returns a query for the rows after a position, in lexicographic order of the keys: the first key is after, or it is
  /// equal and the second one is after, and so on.
  ///
  /// The query is written flat, as an `or` of `and`s: it is nested three levels deep, however many keys there are.
  private static func rows(after place: [(term: Term, value: Value)], in scope: RowScope) -> AnyQuery {
    let rows = AnyQuery.any(
      of: place.indices.map { index in
        let (term, value) = place[index]
        let same = place[..<index].map { AnyQuery.compare(scope.requested($0.term.column), .equal, .value($0.value)) }
        return .all(of: same + [term.keys(beyond: value, in: scope)])
      })
    guard let (term, value) = place.first, place.count > 1 else { return rows }
    let column = scope.column(term.column)
    if value.isNull || column.isNullable && term.nulls == .last { return rows }
    // This comparison is implied by `rows`; with it, a database starts to read an index at the cursor.
    return .compare(
      scope.requested(term.column), term.direction == .ascending ? .greaterThanOrEqual : .lessThanOrEqual, .value(value)
    )
      && rows
  }
}

extension ResolvedSort.Term {
  /// Returns a query for the keys after one value.
  fileprivate func keys(beyond value: Value, in scope: RowScope) -> AnyQuery {
    let key = scope.requested(column)
    if value.isNull { return nulls == .first ? .compare(key, .notEqual, .value(Value.null)) : .false }
    let further = AnyQuery.compare(key, direction == .ascending ? .greaterThan : .lessThan, .value(value))
    let mayFollow = scope.column(column).isNullable && nulls == .last
    return mayFollow ? further || .compare(key, .equal, .value(Value.null)) : further
  }
}
