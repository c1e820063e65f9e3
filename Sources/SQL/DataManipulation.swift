public import Query

extension Compiler {
  /// Returns a statement that inserts one row, whose values are to be bound in the order of the table's columns.
  ///
  /// The statement returns the row's key if the dialect sets generated keys by an expression.
  public func insert(into table: TableSchema) -> String {
    insert(Array(table.columns.indices), into: table) + returningKey(of: table)
  }

  /// Returns a statement that inserts one row or replaces the one with the same key; its values are to be bound in the order
  /// of the table's columns. In a table without a key, it inserts.
  public func upsert(into table: TableSchema) -> String {
    if table.primaryKey.isEmpty { return insert(into: table) }
    // In the upsert, `excluded` is the row that could not be inserted, unless the table itself has that name.
    let isExcluded = Name(table.name).folded == Name("excluded").folded
    return insert(Array(table.columns.indices), into: table, alias: isExcluded ? "target" : nil)
      + dialect.upsert(into: table) + returningKey(of: table)
  }

  /// Returns a statement that inserts one row with given values in some columns, and returns all of its columns.
  package func insert(_ assignments: ResolvedAssignments, into table: TableSchema) -> CompiledStatement {
    CompiledStatement(
      sql: insert(assignments.columns, into: table) + " RETURNING \(names(table.columns))", bindings: assignments.values
    )
  }

  /// Returns a statement that inserts one row, unless a row exists that has the same values in some columns or, for `nil`, in
  /// the columns of any unique constraint.
  package func insert(into table: TableSchema, unlessSameIn columns: [Int]?) -> String {
    let target = columns.map { " (\(names($0.map { table.columns[$0] })))" } ?? ""
    return insert(Array(table.columns.indices), into: table) + " ON CONFLICT\(target) DO NOTHING"
      + returningKey(of: table)
  }

  /// Returns a statement that inserts one row with given values in some columns, or updates these columns of the row with the
  /// same values in unique columns; the primary key of that row is kept.
  ///
  /// - Parameters:
  ///   - columns: the positions of the columns whose values are to be bound, in order.
  ///   - unique: the positions of the unique columns, which are among `columns`.
  ///   - kept: the positions of columns that are not given, are not nullable and have no default. A database refuses nulls
  ///     before it looks for the existing row, so their values are taken from that row.
  package func upsert(_ columns: [Int], into table: TableSchema, by unique: [Int], keeping kept: [Int]) -> String {
    let isExcluded = Name(table.name).folded == Name("excluded").folded
    func quoted(_ column: Int) -> String { dialect.quoted(table.columns[column].name) }
    let values = columns.enumerated().map { position, column in
      let placeholder = dialect.repeatablePlaceholder(position + 1)
      return generatedKey(table.columns[column], of: table, unless: placeholder) ?? placeholder
    }
    let condition = unique.map { column in
      "\(quoted(column)) = \(dialect.repeatablePlaceholder((columns.firstIndex(of: column) ?? 0) + 1))"
    }.joined(separator: " AND ")
    let present = kept.map { "(SELECT \(quoted($0)) FROM \(dialect.quoted(table.name)) WHERE \(condition))" }
    let set = columns.filter { !unique.contains($0) && !table.primaryKey.contains($0) }
      .map { "\(quoted($0)) = excluded.\(quoted($0))" }.joined(separator: ", ")
    return insert(columns + kept, values + present, into: table, alias: isExcluded ? "target" : nil)
      + " ON CONFLICT (\(names(unique.map { table.columns[$0] }))) DO \(set.isEmpty ? "NOTHING" : "UPDATE SET \(set)")"
  }

  private func insert(_ columns: [Int], into table: TableSchema, alias: String? = nil) -> String {
    let values = columns.enumerated().map { position, column in
      let placeholder = dialect.placeholder(position + 1)
      return generatedKey(table.columns[column], of: table, unless: placeholder) ?? placeholder
    }
    return insert(columns, values, into: table, alias: alias)
  }

  private func insert(_ columns: [Int], _ values: [String], into table: TableSchema, alias: String?) -> String {
    let name = dialect.quoted(table.name) + (alias.map { " AS \(dialect.quoted($0))" } ?? "")
    let names = names(columns.map { table.columns[$0] })
    return "INSERT INTO \(name) (\(names))\(dialect.insertOverride) VALUES (\(values.joined(separator: ", ")))"
  }

  private func generatedKey(_ column: ColumnSchema, of table: TableSchema, unless placeholder: String) -> String? {
    column.isGenerated ? dialect.generatedKey(column, of: table, unless: placeholder) : nil
  }

  private func returningKey(of table: TableSchema) -> String {
    let keys = table.columns.filter { generatedKey($0, of: table, unless: "") != nil }
    return keys.isEmpty ? "" : " RETURNING \(names(keys))"
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
        // The database converts the computed value to the column's type.
        value = writer.term(source).sql
      } else {
        value = writer.bind(assignments.values[index])
      }
      writer.write("\(index == 0 ? "" : ", ")\(dialect.quoted(column.name)) = \(value)")
    }
    writer.frame = frame
    write(query, to: &writer)
    if isReturning { writer.write(" RETURNING \(names(query.table.columns))") }
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
    if isReturning { writer.write(" RETURNING \(names(query.table.columns))") }
    return writer.statement
  }
}
