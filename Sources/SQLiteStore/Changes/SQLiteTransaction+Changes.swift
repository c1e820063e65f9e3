package import Repository

extension SQLiteTransaction {
  /// Changes rows of a table of any kind, and tells what that came to.
  ///
  /// - Parameters:
  ///   - change: what is done.
  ///   - table: the table's name.
  ///   - detail: how much is found out on the way. All but counts means to read the rows first.
  /// - Throws: ``RepositoryError`` where there is no such table or column, a value does not fit or a rule is broken;
  ///   nothing of the change is left then.
  package func change(
    _ change: RowChange, in table: String, detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    try performBlocking(.write) { connection throws(RepositoryError) in
      guard let schema = try connection.schema(ofTable: table) else {
        throw .missingTable(table, among: try connection.tableNames())
      }
      return try connection.atomically { () throws(RepositoryError) in
        try connection.change(change, in: schema, detail: detail)
      }
    }
  }
}
