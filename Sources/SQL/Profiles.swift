package import Query

// The statements of a profile of a table's columns.
extension Compiler {
  /// Returns a statement that selects the number of rows that match a query, and for some columns the number of values, and
  /// the smallest and largest finite number, in this order.
  package func ranges(of columns: [ColumnSchema], in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.scope, mayJoin: false)
    let parts = columns.flatMap { column in
      let number = finiteNumber(column)
      return ["count(\(dialect.quoted(column.name)))", "min(\(number))", "max(\(number))"]
    }
    writer.write("SELECT \((["count(*)"] + parts).joined(separator: ", ")) FROM ")
    writer.writeTables(of: query.predicate)
    write(query, to: &writer)
    return writer.statement
  }

  /// Returns a column's value if it is a finite number, and null otherwise. Texts and bytes, which a numeric column may hold
  /// in SQLite, sort after all numbers there: https://www.sqlite.org/datatype3.html#sort_order
  private func finiteNumber(_ column: ColumnSchema) -> String {
    if column.type == .text || column.type == .blob { return "NULL" }
    let name = dialect.valueTerm(dialect.term(column))
    let (lower, upper) = (dialect.literal(.real(-.infinity)), dialect.literal(.real(.infinity)))
    return "CASE WHEN \(name) > \(lower) AND \(name) < \(upper) THEN \(name) END"
  }

  /// Returns a statement that selects the distinct values of a column, spelled as in one of its rows, with the number of
  /// rows that have them.
  package func values(of column: ColumnSchema, in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.scope, mayJoin: false)
    writer.write("SELECT \(dialect.groupKey(dialect.term(column))), count(*) FROM ")
    writer.writeTables(of: query.predicate)
    write(query, to: &writer)
    writer.write(" GROUP BY \(dialect.groupTerm(dialect.term(column)))")
    return writer.statement
  }
}
