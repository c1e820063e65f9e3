package import Repository

extension SQLiteStore {
  /// Describes a table or a view with all that the database says about it.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is none of this name;
  ///   the error suggests the nearest one.
  package func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition {
    try runBlocking(.read) { connection throws(RepositoryError) in
      guard let definition = try connection.definition(ofTable: name) else {
        throw .missingTable(name, among: try connection.tableNames())
      }
      return definition
    }
  }
}
