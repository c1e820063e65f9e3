import Query
package import Repository
import SQL
package import SQLStore

// Rows that have the same values as another row in some columns.
extension SQLDatabase {
  /// Returns the values of the single key column of all rows that have the same values in some columns but one of each; `nil` for a
  /// table without such a key.
  package func duplicateKeys(
    of columns: [String], in table: TableSchema, keepingLast keepsLast: Bool
  ) throws(RepositoryError) -> [Value]? {
    guard table.primaryKey.count == 1, let key = table.primaryKeyColumns.first else { return nil }
    return try runBlocking(.read) { connection throws(RepositoryError) in
      let sql = try connection.duplicates(
        of: columns, in: table, by: connection.compiler.dialect.quoted(key.name), keepsLast)
      var keys: [Value] = []
      try connection.query(CompiledStatement(sql: sql, bindings: [])) { keys.append($0.values(count: 1)[0]) }
      return keys
    }
  }
}

extension SQLTransaction {
  /// Deletes all rows that have the same values in some columns but one: that with the lowest key or, without a key, the first that
  /// was inserted. Nulls are the same value.
  ///
  /// - Parameter keepsLast: whether the row with the highest key stays instead.
  /// - Returns: the number of deleted rows.
  /// - Throws: ``/Repository/RepositoryError`` for a table whose rows can't be told apart.
  package func deleteDuplicates(
    of columns: [String], in table: TableSchema, keepingLast keepsLast: Bool
  ) throws(RepositoryError) -> Int {
    try performBlocking(.write) { connection throws(RepositoryError) in
      let dialect = connection.compiler.dialect
      let key = table.primaryKeyColumns.map { dialect.quoted($0.name) }
      // A single key identifies a row; elsewhere the database's own row number does, where it has one.
      guard let identity = key.count == 1 ? key[0] : try connection.inspection.rowIdentity(of: table) else {
        throw RepositoryError(
          .unsupported, "can't distinguish equal rows of \(table.name)",
          reason: "the table has no key of one column and no row numbers")
      }
      let duplicates = try connection.duplicates(of: columns, in: table, by: identity, keepsLast)
      return try connection.execute("DELETE FROM \(dialect.quoted(table.name)) WHERE \(identity) IN (\(duplicates))")
    }
  }
}

extension Connection {
  /// Returns a statement for what identifies the rows with the same values as an earlier row, or a later one.
  fileprivate func duplicates(
    of columns: [String], in table: TableSchema, by identity: String, _ keepsLast: Bool
  ) throws(RepositoryError) -> String {
    let dialect = compiler.dialect
    let terms = try RepositoryError.translating { () throws(QueryError) in
      try columns.map { name throws(QueryError) in
        dialect.groupTerm(dialect.term(table.columns[try table.position(of: name)]))
      }
    }
    let key = table.primaryKeyColumns.map { dialect.quoted($0.name) }
    let order = (key.isEmpty ? [identity] : key).map { "\($0)\(keepsLast ? " DESC" : "")" }.joined(separator: ", ")
    return """
      SELECT i FROM (SELECT \(identity) AS i, row_number() OVER (PARTITION BY \(terms.joined(separator: ", ")) \
      ORDER BY \(order)) AS n FROM \(dialect.quoted(table.name))) AS r WHERE n > 1
      """
  }
}
