public import Repository
import SQL

extension SQLiteStore {
  /// Writes the database anew without the gaps that deleted rows have left, so that the file gets smaller.
  ///
  /// It takes time and room in proportion to the database, and nobody else can write meanwhile.
  ///
  /// - Throws: ``RepositoryError``, with the code ``RepositoryError/Code/unsupported`` within a transaction.
  @concurrent
  public func vacuum() async throws(RepositoryError) {
    try await run(.write) { connection throws(RepositoryError) in try connection.vacuum() }
  }

  /// The same without suspending.
  public func vacuum() throws(RepositoryError) {
    try runBlocking(.write) { connection throws(RepositoryError) in try connection.vacuum() }
  }

  /// Writes what is in the write-ahead log into the database file, and empties the log.
  ///
  /// SQLite does so by itself every 1,000 pages or so, unless a long read keeps it from that.
  ///
  /// - Returns: whether all of it could be written: not where somebody still reads an older state.
  /// - Throws: ``RepositoryError``, with the code ``RepositoryError/Code/unsupported`` within a transaction.
  @discardableResult
  @concurrent
  public func checkpoint() async throws(RepositoryError) -> Bool {
    try await run(.write) { connection throws(RepositoryError) in try connection.checkpoint() }
  }

  /// The same without suspending.
  @discardableResult
  public func checkpoint() throws(RepositoryError) -> Bool {
    try runBlocking(.write) { connection throws(RepositoryError) in try connection.checkpoint() }
  }
}

extension Connection {
  fileprivate func vacuum() throws(RepositoryError) {
    try checkIsOutside("vacuum")
    try execute("VACUUM")
  }

  fileprivate func checkpoint() throws(RepositoryError) -> Bool {
    try checkIsOutside("checkpoint")
    // The first column is 1 where readers were in the way. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
    return try integer(CompiledStatement(sql: "PRAGMA wal_checkpoint(TRUNCATE)", bindings: [])) == 0
  }

  private func checkIsOutside(_ operation: String) throws(RepositoryError) {
    guard isInTransaction else { return }
    throw RepositoryError(
      .unsupported, "\(operation) can't run within a transaction", reason: "it works on the file as a whole",
      suggestion: "call it after the transaction")
  }
}
