package import Repository

extension SQLiteStore {
  /// What tables and views there are, in alphabetical order; the one that remembers the migrations is left out.
  ///
  /// - Parameter measuring: whether rows are counted and sizes are added up. That reads every page of the file.
  /// - Throws: ``RepositoryError`` where the database can't be read.
  package func tableOverviews(measuring: Bool = true) throws(RepositoryError) -> [TableOverview] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.overviews(measuring: measuring) }
  }
}
