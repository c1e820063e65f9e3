extension ResolvedSort {
  /// The rows that stand after a cursor.
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

  /// The rows that stand before a cursor.
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

  /// A row stands after another where its first key does, or where that is the same and the others do.
  private static func rows(after place: [(term: Term, value: Value)], in table: TableSchema) -> AnyQuery {
    var rows = AnyQuery.false
    for (index, (term, value)) in place.enumerated().reversed() {
      let column = table.columns[term.column]
      let further = term.keys(beyond: value, of: column)
      if index == place.count - 1 {
        rows = further
        continue
      }
      rows = further || .equal(key: column.name, value: value) && rows
      // Says less than what follows, and lets a database start to read an index at the cursor.
      if index == 0, !value.isNull, !(column.isNullable && term.nulls == .last) {
        rows =
          .compare(
            key: column.name, term.direction == .ascending ? .greaterThanOrEqual : .lessThanOrEqual, value: value)
          && rows
      }
    }
    return rows
  }
}

extension ResolvedSort.Term {
  /// The keys that stand after one value.
  fileprivate func keys(beyond value: Value, of column: ColumnSchema) -> AnyQuery {
    if value.isNull { return nulls == .first ? .isNotNull(key: column.name) : .false }
    let further = AnyQuery.compare(
      key: column.name, direction == .ascending ? .greaterThan : .lessThan, value: value)
    return column.isNullable && nulls == .last ? further || .isNull(key: column.name) : further
  }
}
