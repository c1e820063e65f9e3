public import Query

// Inserts of rows that may conflict with existing ones: `ON CONFLICT`.
extension Compiler {
  /// Returns a statement that inserts one row or replaces the one with the same key; its values are to be bound in the order
  /// of the table's columns. In a table without a key, it inserts.
  public func upsert(into table: TableSchema) -> String {
    if table.primaryKey.isEmpty { return insert(into: table) }
    // In the upsert, `excluded` is the row that could not be inserted, unless the table itself has that name.
    let isExcluded = Name(table.name).equalsFolded("excluded")
    return insert(Array(table.columns.indices), into: table, alias: isExcluded ? "target" : nil)
      + dialect.upsert(into: table) + returningKey(of: table)
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
    let isExcluded = Name(table.name).equalsFolded("excluded")
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
}

extension Dialect {
  /// Returns `ON CONFLICT`, as in SQLite and PostgreSQL. A conflict in another unique column remains an error.
  public func upsert(into table: TableSchema) -> String {
    let others = table.columns.indices.filter { !table.primaryKey.contains($0) }.map { quoted(table.columns[$0].name) }
    let action =
      others.isEmpty
      ? "NOTHING" : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return " ON CONFLICT (\(table.primaryKeyColumns.map { quoted($0.name) }.joined(separator: ", "))) DO \(action)"
  }
}
