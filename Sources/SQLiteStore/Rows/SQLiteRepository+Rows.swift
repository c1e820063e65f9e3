import Query
package import Repository

// What those ask for who want values rather than elements.
extension SQLiteRepository {
  /// Hands out rows as they are read, so that a result of any length takes the memory of one row.
  ///
  /// The connection is had until the last row, and others may have to wait meanwhile before they can write.
  ///
  /// - Parameter body: takes a row's values in the order of the request's columns, and says whether to go on.
  /// - Throws: ``RepositoryError`` where the request makes no sense, before any row; and where a value can't be read, or
  ///   the database fails, after those before it.
  package func forEachRow(_ request: RowRequest, _ body: ([Value]) -> Bool) throws(RepositoryError) {
    let resolved = try table.resolve(request.fetch)
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      let statement = try table.compile(request, resolved, for: connection)
      try table.readRows(of: statement, request, with: connection, body)
    }
  }

  /// Counts the different rows that a request means; its limit and its offset don't count.
  package func countRows(_ request: RowRequest) throws(RepositoryError) -> Int {
    try table.result(.read, table.counting(request))
  }
}
