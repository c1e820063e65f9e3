public import Query

extension Compiler {
  /// Works figures out: selects, for each group, its keys and then its figures.
  ///
  /// Groups come in any order: there are fewer of them than rows, so they are sorted and cut where every store does it,
  /// in ``ResolvedFigures``.
  public func select(_ figures: ResolvedFigures) -> CompiledStatement {
    let table = figures.query.table
    var writer = StatementWriter(dialect, table)
    let keys = figures.groups.map { table.columns[$0] }
    let columns =
      keys.map(dialect.groupKey)
      + figures.figures.map { figure in
        dialect.figure(figure.function, of: figure.column.map { table.columns[$0] }, isReal: figure.isReal)
      }
    writer.write("SELECT \(columns.joined(separator: ", ")) FROM \(dialect.quoted(table.name))")
    write(figures.query, to: &writer)
    if !keys.isEmpty { writer.write(" GROUP BY \(keys.map(dialect.groupTerm).joined(separator: ", "))") }
    return writer.statement
  }
}
