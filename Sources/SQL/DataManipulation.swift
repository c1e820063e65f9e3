public import Query

extension Compiler {
  /// Returns a statement that inserts one row, whose values are to be bound in the order of the table's columns.
  ///
  /// The statement returns the row's key if the dialect sets generated keys by an expression.
  public func insert(into table: TableSchema) -> String {
    insert(Array(table.columns.indices), into: table) + returningKey(of: table)
  }

  /// Returns a statement that inserts one row with given values in some columns, and returns all of its columns.
  package func insert(_ assignments: ResolvedAssignments, into table: TableSchema) -> CompiledStatement {
    CompiledStatement(
      sql: insert(assignments.columns, into: table) + " RETURNING \(results(table.columns))",
      bindings: assignments.values
    )
  }

  func insert(_ columns: [Int], into table: TableSchema, alias: String? = nil) -> String {
    let values = columns.enumerated().map { position, column in
      let placeholder = dialect.placeholder(position + 1)
      return generatedKey(table.columns[column], of: table, unless: placeholder) ?? placeholder
    }
    return insert(columns, values, into: table, alias: alias)
  }

  func insert(_ columns: [Int], _ values: [String], into table: TableSchema, alias: String?) -> String {
    let name = dialect.quoted(table.name) + (alias.map { " AS \(dialect.quoted($0))" } ?? "")
    let names = names(columns.map { table.columns[$0] })
    return "INSERT INTO \(name) (\(names))\(dialect.insertOverride) VALUES (\(values.joined(separator: ", ")))"
  }

  func generatedKey(_ column: ColumnSchema, of table: TableSchema, unless placeholder: String) -> String? {
    column.isGenerated ? dialect.generatedKey(column, of: table, unless: placeholder) : nil
  }

  func returningKey(of table: TableSchema) -> String {
    let keys = table.columns.filter { generatedKey($0, of: table, unless: "") != nil }
    return keys.isEmpty ? "" : " RETURNING \(results(keys))"
  }

  /// Returns a statement that updates columns of all rows that match a query.
  ///
  /// - Parameter isReturning: whether the statement returns these rows, with all columns and in no particular order.
  public func update(
    _ query: ResolvedQuery, set assignments: ResolvedAssignments, isReturning: Bool = false
  ) -> CompiledStatement {
    let computed = assignments.computed
    var writer = StatementWriter(dialect, query.scope, and: computed?.scope, mayJoin: false)
    if let computed, computed.scope.needsOtherRows, !query.scope.needsOtherRows {
      writer.frame = writer.makeFrame(of: query.scope, mayJoin: false)
    }
    writer.write("UPDATE ")
    writer.writeTables(of: query.predicate)
    writer.write(" SET ")
    let frame = writer.frame
    if let computed { writer.frame = StatementFrame(computed.scope, alias: frame.alias, joins: []) }
    for (index, position) in assignments.columns.enumerated() {
      let column = query.table.columns[position]
      let value: String
      if let source = computed?.positions[index] {
        // The database converts the computed value to the column's type, unless a null is of another type.
        let term = writer.term(source)
        value = term.constant == .null ? dialect.value(term, as: column) : term.sql
      } else {
        value = writer.bind(assignments.values[index])
      }
      writer.write("\(index == 0 ? "" : ", ")\(dialect.quoted(column.name)) = \(value)")
    }
    writer.frame = frame
    if query.scope.needsOtherRows || computed?.scope.needsOtherRows == true { writer.write(dialect.updateSource) }
    write(query, to: &writer)
    if isReturning { writer.write(" RETURNING \(results(query.table.columns))") }
    return writer.statement
  }

  /// Returns a statement that deletes all rows that match a query.
  ///
  /// - Parameter isReturning: whether the statement returns these rows, with all columns and in no particular order.
  public func delete(_ query: ResolvedQuery, isReturning: Bool = false) -> CompiledStatement {
    var writer = StatementWriter(dialect, query.scope, mayJoin: false)
    writer.write("DELETE FROM ")
    writer.writeTables(of: query.predicate)
    write(query, to: &writer)
    if isReturning { writer.write(" RETURNING \(results(query.table.columns))") }
    return writer.statement
  }
}
