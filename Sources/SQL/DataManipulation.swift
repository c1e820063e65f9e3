public import Query

extension Compiler {
  /// Inserts one row, whose values are to be bound in the order of the table's columns.
  public func insert(into table: TableSchema) -> String { insert(into: table, alias: nil) }

  private func insert(into table: TableSchema, alias: String?) -> String {
    let placeholders = table.columns.indices.map { dialect.placeholder($0 + 1) }.joined(separator: ", ")
    let name = dialect.quoted(table.name) + (alias.map { " AS \(dialect.quoted($0))" } ?? "")
    return "INSERT INTO \(name) (\(names(table.columns))) VALUES (\(placeholders))"
  }

  /// Inserts one row or replaces the one with the same key; its values are to be bound in the order of the table's
  /// columns. In a table without a key, it inserts.
  public func upsert(into table: TableSchema) -> String {
    if table.primaryKey.isEmpty { return insert(into: table) }
    // In the upsert, `excluded` is the row that could not be inserted, unless the table itself goes by that name.
    let isExcluded = Name(table.name).folded == Name("excluded").folded
    return insert(into: table, alias: isExcluded ? "target" : nil) + dialect.upsert(into: table)
  }

  /// Inserts one row of which some columns are given, and results in all columns of it.
  package func insert(_ assignments: ResolvedAssignments, into table: TableSchema) -> CompiledStatement {
    let placeholders = assignments.columns.indices.map { dialect.placeholder($0 + 1) }.joined(separator: ", ")
    let columns = names(assignments.columns.map { table.columns[$0] })
    return CompiledStatement(
      sql: "INSERT INTO \(dialect.quoted(table.name)) (\(columns)) VALUES (\(placeholders)) "
        + "RETURNING \(names(table.columns))", bindings: assignments.values)
  }

  /// Sets columns of all rows that a query means.
  public func update(_ query: ResolvedQuery, set assignments: ResolvedAssignments) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.table)
    writer.write("UPDATE \(dialect.quoted(query.table.name)) SET ")
    for (index, column) in assignments.columns.enumerated() {
      let placeholder = writer.bind(assignments.values[index])
      writer.write("\(index == 0 ? "" : ", ")\(writer.name(column)) = \(placeholder)")
    }
    write(query, to: &writer)
    return writer.statement
  }

  /// Deletes all rows that a query means.
  public func delete(_ query: ResolvedQuery) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.table)
    writer.write("DELETE FROM \(dialect.quoted(query.table.name))")
    write(query, to: &writer)
    return writer.statement
  }
}
