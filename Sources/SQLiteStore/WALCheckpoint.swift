public import Repository
import SQL
import SQLStore

// How the write-ahead log is kept from growing without end.
//
// SQLite copies it into the database every thousand pages, as far as no reader still needs the older state, and begins it
// anew when no reader needs any of it. Where readers come and go without a pause there is no such moment: the log of eight
// readers and four writers grew by 3 MB a second. https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files

/// The state of the write-ahead log, as a writing connection sees it.
struct WALState {
  /// Beyond which size in bytes the log is begun anew. It is cut to ``targetSize`` with the first commit after that.
  static let limit = 2 * targetSize
  /// To how many bytes a log is cut: as many as it grows to without long readers.
  static let targetSize = 4_194_304
  /// Writers are held up for so many milliseconds at most, to let readers finish.
  private static let timeout: Int32 = 100
  /// Commits between two looks at the log, which take half a microsecond.
  private static let commitsBetweenLooks = 16

  private var commits = 0
  /// How often in a row the log could not be begun anew.
  private var failures = 0
  /// Up to which size it may grow before that is tried.
  private var threshold = limit

  /// Whether the log has to be begun anew. It counts as a commit.
  mutating func isTooBig(_ database: RawDatabase) -> Bool {
    commits += 1
    return commits.isMultiple(of: Self.commitsBetweenLooks) && database.walSize > threshold
  }

  /// Begins the log anew, with other writers held up until the readers of older states are gone.
  mutating func restart(_ database: RawDatabase) {
    failures = database.restartWAL(within: Self.timeout) ? 0 : failures + 1
    // A reader that stays is waited for again soon, and ever more rarely: writers are held up in vain as long as it does.
    threshold = failures == 0 ? Self.limit : database.walSize + failures * Self.targetSize / 2
  }
}

extension SQLiteStore {
  /// Writes the database anew without the gaps that deleted rows have left, so that the file gets smaller.
  ///
  /// It takes time and room in proportion to the database, and no other connection can write meanwhile.
  ///
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/unsupported`` within a transaction.
  @concurrent
  public func vacuum() async throws(RepositoryError) {
    try await run(.write) { connection throws(RepositoryError) in try vacuum(connection) }
  }

  /// Rebuilds the file without free pages, blocking the thread.
  public func vacuum() throws(RepositoryError) {
    try runBlocking(.write) { connection throws(RepositoryError) in try vacuum(connection) }
  }

  /// Writes what is in the write-ahead log into the database file, and empties the log.
  ///
  /// SQLite does so by itself every 1,000 pages or so, unless a long read keeps it from that.
  ///
  /// - Returns: whether all of it could be written: not while a reader uses an older state.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/unsupported`` within a transaction.
  @discardableResult
  @concurrent
  public func checkpoint() async throws(RepositoryError) -> Bool {
    try await run(.write) { connection throws(RepositoryError) in try checkpoint(connection) }
  }

  /// Writes what is in the write-ahead log into the database file, blocking the thread.
  @discardableResult
  public func checkpoint() throws(RepositoryError) -> Bool {
    try runBlocking(.write) { connection throws(RepositoryError) in try checkpoint(connection) }
  }

  private func vacuum(_ connection: Connection) throws(RepositoryError) {
    try checkIsOutsideTransaction("vacuum", connection)
    try connection.execute("VACUUM")
  }

  private func checkpoint(_ connection: Connection) throws(RepositoryError) -> Bool {
    try checkIsOutsideTransaction("checkpoint", connection)
    // The first column is 1 where readers were in the way. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
    return try connection.integer(CompiledStatement(sql: "PRAGMA wal_checkpoint(TRUNCATE)", bindings: [])) == 0
  }

  private func checkIsOutsideTransaction(
    _ operation: String, _ connection: Connection
  ) throws(RepositoryError) {
    guard connection.isInTransaction else { return }
    throw RepositoryError(
      .unsupported, "\(operation) can't run within a transaction", reason: "it works on the file as a whole",
      suggestion: "call it after the transaction")
  }
}
