package import Query

/// In which order the rows of a result come.
package enum ResultOrder {
  /// In the order that was asked for.
  case sort
  /// As a column has them that is none of the table's, such as the number of a row.
  case column(String)
  /// As the database finds them.
  case any
}

// Rows of some columns.
extension Compiler {
  /// Selects some columns of the rows that a request means.
  ///
  /// - Parameter columns: their positions in the table, in the order in which they are read.
  package func select(_ columns: [Int], of request: ResolvedRequest, in order: ResultOrder) -> CompiledStatement {
    var writer = StatementWriter(dialect, request.table)
    write("SELECT", names(columns.map { request.table.columns[$0] }), request.query, to: &writer)
    switch order {
    case .sort: write(request.sort.terms, of: request.table, to: &writer)
    case .column(let name): writer.write(" ORDER BY \(dialect.quoted(name))")
    case .any: break
    }
    writer.write(dialect.range(limit: request.limit, offset: request.offset, bind: { writer.bind($0) }))
    return writer.statement
  }

  /// Selects what is different in some columns of the rows that a request means, sorted by these columns alone.
  package func selectDistinct(_ columns: [Int], of request: ResolvedRequest) -> CompiledStatement {
    var writer = StatementWriter(dialect, request.table)
    let selected = columns.map { request.table.columns[$0] }
    write("SELECT", selected.map(dialect.groupKey).joined(separator: ", "), request.query, to: &writer)
    writer.write(groups(selected))
    write(request.sort.terms.filter { columns.contains($0.column) }, of: request.table, to: &writer)
    writer.write(dialect.range(limit: request.limit, offset: request.offset, bind: { writer.bind($0) }))
    return writer.statement
  }

  /// Counts what is different in some columns of the rows that a query means.
  package func countDistinct(_ columns: [Int], of query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.table)
    write("SELECT count(*) FROM (SELECT", "1", query, to: &writer)
    writer.write(groups(columns.map { query.table.columns[$0] }) + ") AS \(dialect.quoted("different"))")
    return writer.statement
  }

  private func write(_ verb: String, _ columns: String, _ query: ResolvedQuery, to writer: inout StatementWriter) {
    writer.write("\(verb) \(columns) FROM \(dialect.quoted(query.table.name))")
    write(query, to: &writer)
  }

  private func groups(_ columns: [ColumnSchema]) -> String {
    " GROUP BY \(columns.map(dialect.groupTerm).joined(separator: ", "))"
  }

  private func write(_ terms: [ResolvedSort.Term], of table: TableSchema, to writer: inout StatementWriter) {
    let terms = terms.map { term in
      dialect.sortTerm(
        table.columns[term.column], ascending: term.direction == .ascending, nullsFirst: term.nulls == .first)
    }
    writer.write(" ORDER BY " + terms.joined(separator: ", "))
  }
}
