package import Query

// What a profile of a table's columns is worked out of. It asks for the types of values, which other databases don't know.
extension SQLiteDialect {
  /// Selects how many rows a query means, and of some columns how many values they have there, and their least and
  /// greatest finite number, in this order.
  package func ranges(of columns: [ColumnSchema], in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(self, query.table)
    let parts = columns.flatMap { column in
      let name = quoted(column.name)
      let number =
        "CASE WHEN typeof(\(name)) IN ('integer', 'real') AND \(name) NOT IN (9e999, -9e999) THEN \(name) END"
      return ["count(\(name))", "min(\(number))", "max(\(number))"]
    }
    writer.write("SELECT \((["count(*)"] + parts).joined(separator: ", ")) FROM \(quoted(query.table.name))")
    Compiler(for: self).write(query, to: &writer)
    return writer.statement
  }

  /// Selects the values of a column, each once and as it is written in one of its rows, with how many rows have it.
  package func values(of column: ColumnSchema, in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(self, query.table)
    writer.write("SELECT \(groupKey(column)), count(*) FROM \(quoted(query.table.name))")
    Compiler(for: self).write(query, to: &writer)
    writer.write(" GROUP BY \(groupTerm(column))")
    return writer.statement
  }

  /// Selects the types that a column's values are kept in, with how many rows have them.
  package func types(of column: ColumnSchema, in query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(self, query.table)
    writer.write("SELECT typeof(\(quoted(column.name))), count(*) FROM \(quoted(query.table.name))")
    Compiler(for: self).write(query, to: &writer)
    writer.write(" GROUP BY 1")
    return writer.statement
  }
}
