package import Query
package import Repository

extension SQLiteStore {
  /// Works out what the values of a table's columns are like, from one state of the database.
  ///
  /// Exact, and so it costs: the rows are sorted once by each column, in a temporary file where they are many, but for the
  /// columns that an index begins with.
  ///
  /// - Parameters:
  ///   - name: the table or view.
  ///   - query: of which rows; of all by default.
  ///   - columns: the names of the columns; all by default.
  ///   - commonCount: how many of the most common values are found.
  ///   - progress: is given each profile as soon as it is worked out.
  /// - Throws: ``RepositoryError`` where there is no such table or column, and where the query is refused.
  package func profiles(
    ofTable name: String, where query: AnyQuery = .true, columns: [String]? = nil, commonCount: Int = 5,
    progress: (ColumnProfile) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let table = try schema(ofTable: name)
    let query = try table.resolve(query)
    var chosen = table.columns
    if let columns {
      chosen = []
      do throws(QueryError) {
        for column in columns { chosen.append(table.columns[try table.position(of: column)]) }
      } catch {
        throw RepositoryError(error)
      }
    }
    try runBlocking(.read) { connection throws(RepositoryError) in
      let isAlone = !connection.isInTransaction
      if isAlone { try connection.begin(.reading) }
      defer { if isAlone { connection.rollBack(.reading) } }
      try connection.profiles(of: chosen, in: query, commonCount: commonCount, progress: progress)
    }
  }
}
