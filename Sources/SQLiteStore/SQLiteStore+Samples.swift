import Query
import Repository

extension SQLiteStore {
  /// The different values of a column among the first rows of its table, where they are few: what completions offer.
  ///
  /// Long texts and blobs are left out, and no row is read beyond the limit. It is stopped when its task is cancelled.
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - table: the name of the table or view.
  ///   - rows: how many rows are looked at.
  ///   - count: how many values there may be.
  /// - Returns: the values in order; `nil` where there are more of them.
  package func sampledValues(
    of column: String, in table: String, rows: Int = 5_000, atMost count: Int = 200
  ) async throws(RepositoryError) -> [Value]? {
    let statement: SQLStatement = """
      SELECT DISTINCT value FROM (SELECT \(identifier: column) AS value FROM \(identifier: table) LIMIT \(rows))
      WHERE typeof(value) IN ('integer', 'real', 'text') AND length(value) <= 60 ORDER BY value LIMIT \(count + 1)
      """
    let values = try await sql.query(statement).compactMap { $0.values.first }
    return values.count > count ? nil : values
  }

  /// Stops what is being done with the store, and refuses what is asked of it later.
  ///
  /// It is for programs that give the store up, from any thread, also amid a call that does not suspend; what was to be
  /// changed by such a call is not changed.
  package func stop() { pool.stop() }
}
