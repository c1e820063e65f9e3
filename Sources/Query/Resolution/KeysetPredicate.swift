extension ResolvedSort {
  /// The rows after a cursor.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidCursor`` where it was made for another sort or table.
  func rows(after cursor: Cursor, in table: TableSchema) throws(QueryError) -> AnyQuery {
    if table.primaryKey.isEmpty {
      throw QueryError(
        .invalidCursor, "\(table.name) has no primary key, so there are no cursors in it",
        reason: "a page could end between rows that can't be told apart", suggestion: "ask for pages with an offset")
    }
    guard cursor.fingerprint == fingerprint(in: table), cursor.values.count == terms.count else {
      throw QueryError(
        .invalidCursor, "the cursor belongs to another sort or another table",
        suggestion: "ask for the next page with the sort of the page before, or begin anew without a cursor")
    }
    return Self.rows(after: Array(zip(terms, cursor.values)), in: table)
  }

  /// The rows before a cursor.
  ///
  /// - Throws: as ``rows(after:in:)`` does.
  func rows(before cursor: Cursor, in table: TableSchema) throws(QueryError) -> AnyQuery {
    // Checks the cursor, which was made for this sort and not for its reverse.
    _ = try rows(after: cursor, in: table)
    return Self.rows(after: Array(zip(reversed.terms, cursor.values)), in: table)
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

  /// The rows after a position, in lexicographic order of the keys: the first key is after, or it is equal and the
  /// second one is after, and so on.
  ///
  /// Written flat, as an `or` of `and`s: it is nested three levels deep, however many keys there are.
  private static func rows(after place: [(term: Term, value: Value)], in table: TableSchema) -> AnyQuery {
    let rows = AnyQuery.any(
      of: place.indices.map { index in
        let (term, value) = place[index]
        let same = place[..<index].map { AnyQuery.equal(key: table.columns[$0.term.column].name, value: $0.value) }
        return .all(of: same + [term.keys(beyond: value, of: table.columns[term.column])])
      })
    guard let (term, value) = place.first, place.count > 1 else { return rows }
    let column = table.columns[term.column]
    if value.isNull || column.isNullable && term.nulls == .last { return rows }
    // Says less than the rest, and lets a database start to read an index at the cursor.
    return .compare(
      key: column.name, term.direction == .ascending ? .greaterThanOrEqual : .lessThanOrEqual, value: value) && rows
  }
}

extension ResolvedSort.Term {
  /// The keys after one value.
  fileprivate func keys(beyond value: Value, of column: ColumnSchema) -> AnyQuery {
    if value.isNull { return nulls == .first ? .isNotNull(key: column.name) : .false }
    let further = AnyQuery.compare(
      key: column.name, direction == .ascending ? .greaterThan : .lessThan, value: value)
    return column.isNullable && nulls == .last ? further || .isNull(key: column.name) : further
  }
}
