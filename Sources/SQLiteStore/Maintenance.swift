public import Repository
import SQL
public import SQLStore

extension SQLiteStore {
  /// Rebuilds the database without the gaps that deleted rows have left, so that the file gets smaller.
  ///
  /// The rebuild takes time and space in proportion to the database, and no other connection can write meanwhile.
  ///
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/unsupported`` within a
  ///   transaction.
  @concurrent
  public func vacuum() async throws(RepositoryError) {
    try await run(.write) { connection throws(RepositoryError) in try vacuum(connection) }
  }

  /// Copies the write-ahead log into the database file, and empties the log.
  ///
  /// SQLite itself does so about every 1,000 pages, unless a long read prevents it.
  ///
  /// - Returns: whether the whole log could be copied, which a reader of an older snapshot prevents.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/unsupported`` within a
  ///   transaction.
  @discardableResult
  @concurrent
  public func checkpoint() async throws(RepositoryError) -> Bool {
    try await run(.write) { connection throws(RepositoryError) in try checkpoint(connection) }
  }

  fileprivate func vacuum(_ connection: Connection) throws(RepositoryError) {
    try checkIsOutsideTransaction("vacuum", connection)
    try connection.execute("VACUUM")
  }

  fileprivate func checkpoint(_ connection: Connection) throws(RepositoryError) -> Bool {
    try checkIsOutsideTransaction("checkpoint", connection)
    // The first column is 1 if readers blocked the checkpoint. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
    return try connection.integer(CompiledStatement(sql: "PRAGMA wal_checkpoint(TRUNCATE)", bindings: [])) == 0
  }

  private func checkIsOutsideTransaction(
    _ operation: String, _ connection: Connection
  ) throws(RepositoryError) {
    guard connection.isInTransaction else { return }
    throw RepositoryError(
      .unsupported, "\(operation) can't run within a transaction", reason: "\(operation) works on the whole file",
      suggestion: "run \(operation) after the transaction")
  }
}

extension BlockingStore<SQLiteStore> {
  /// Rebuilds the database as ``SQLiteStore/vacuum()`` does.
  ///
  /// - Throws: as ``SQLiteStore/vacuum()`` does.
  public func vacuum() throws(RepositoryError) {
    try base.runBlocking(.write) { connection throws(RepositoryError) in try base.vacuum(connection) }
  }

  /// Copies the write-ahead log into the database file as ``SQLiteStore/checkpoint()`` does.
  ///
  /// - Throws: as ``SQLiteStore/checkpoint()`` does.
  @discardableResult
  public func checkpoint() throws(RepositoryError) -> Bool {
    try base.runBlocking(.write) { connection throws(RepositoryError) in try base.checkpoint(connection) }
  }
}
