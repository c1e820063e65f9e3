package import Query

// What a profile of a table's columns is worked out of.
extension Compiler {
  /// Selects how many rows match a query, and of some columns how many values they have there, and their least and
  /// greatest finite number, in this order.
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

  /// A column's value where it is a finite number, and null elsewhere. Texts and bytes, which a column that is declared for
  /// numbers may hold in SQLite, stand behind all numbers there: https://www.sqlite.org/datatype3.html#sort_order
  private func finiteNumber(_ column: ColumnSchema) -> String {
    if column.type == .text || column.type == .blob { return "NULL" }
    let name = dialect.valueTerm(dialect.term(column))
    let (lower, upper) = (dialect.literal(.real(-.infinity)), dialect.literal(.real(.infinity)))
    return "CASE WHEN \(name) > \(lower) AND \(name) < \(upper) THEN \(name) END"
  }

  /// Selects the values of a column, each once and as it is written in one of its rows, with how many rows have it.
  package func values(of column: ColumnSchema, in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.scope, mayJoin: false)
    writer.write("SELECT \(dialect.groupKey(dialect.term(column))), count(*) FROM ")
    writer.writeTables(of: query.predicate)
    write(query, to: &writer)
    writer.write(" GROUP BY \(dialect.groupTerm(dialect.term(column)))")
    return writer.statement
  }
}
