import Query

extension TableSchema {
  /// Checks that the references of a table that is about to be created lead to keys.
  ///
  /// - Parameter target: finds a table by its name.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is no such table, and
  ///   with ``RepositoryError/Code/invalidSchema`` where the columns are not its key.
  package func checkReferences(
    among names: [String], _ target: (String) throws(RepositoryError) -> TableSchema?
  ) throws(RepositoryError) {
    for reference in references {
      guard let target = try target(reference.table) else { throw .missingTable(reference.table, among: names) }
      let key = target.primaryKeyColumns
      let columns = positions(of: reference).map { self.columns[$0] }
      let names = reference.columns.joined(separator: " and ")
      if key.map(\.name) != reference.key {
        throw RepositoryError(
          .invalidSchema, "the schema of \(name) is not valid",
          reason: "\(names) refers to \(reference.key.joined(separator: " and ")) of \(target.name), "
            + "whose key is \(key.map(\.name).joined(separator: " and "))")
      }
      for (column, keyColumn) in zip(columns, key) where column.type != keyColumn.type {
        throw RepositoryError(
          .invalidSchema, "the schema of \(name) is not valid",
          reason: "\(column.name) is of the type \(column.type) and refers to \(keyColumn.name) of \(target.name), "
            + "which is of the type \(keyColumn.type)")
      }
    }
  }
}
