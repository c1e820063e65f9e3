import Query

/// The order of a result's rows.
package enum ResultOrder {
  /// The requested order.
  case sort
  /// The order of a column outside the schema, such as SQLite's rowid.
  case column(String)
  /// The order in which the database finds the rows.
  case any
}

extension Dialect {
  /// Returns the sort key with its direction, and with `NULLS FIRST` or `NULLS LAST` if the column is nullable: these would
  /// prevent PostgreSQL from using an index even without nulls, as `NULLS LAST` in ascending order does in SQLite.
  public func sortTerm(_ column: SQLTerm, ascending: Bool, nullsFirst: Bool) -> String {
    let term = sortKey(column) + (ascending ? " ASC" : " DESC")
    return column.isNullable ? term + (nullsFirst ? " NULLS FIRST" : " NULLS LAST") : term
  }
}

// `ORDER BY`. A dialect writes each key with the place of its nulls: ``Dialect/sortTerm(_:ascending:nullsFirst:)``.
extension Compiler {
  /// Writes the order of a projection's rows.
  func write(_ order: ResultOrder, of projection: ResolvedProjection, to writer: inout StatementWriter) {
    switch order {
    case .sort:
      write(
        projection.request.sort.terms.filter { !projection.isDistinct || projection.columns.contains($0.column) },
        to: &writer)
    case .column(let name):
      let table = writer.frame.alias.map { dialect.quoted($0) + "." } ?? ""
      writer.write(" ORDER BY \(table)\(dialect.quoted(name))")
    case .any: break
    }
  }

  /// Writes the order by the terms of a sort, if there are any.
  func write(_ terms: [ResolvedSort.Term], to writer: inout StatementWriter) {
    writer.write(order(terms, &writer))
  }

  /// Returns the order by the terms of a sort; empty without terms.
  func order(_ terms: [ResolvedSort.Term], _ writer: inout StatementWriter) -> String {
    if terms.isEmpty { return "" }
    let terms = terms.map { term in
      dialect.sortTerm(
        writer.term(term.column), ascending: term.direction == .ascending, nullsFirst: term.nulls == .first)
    }
    return " ORDER BY " + terms.joined(separator: ", ")
  }
}
