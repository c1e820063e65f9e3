import Dispatch
public import Repository
import SQL

// How the write-ahead log is kept from growing without end.
//
// SQLite copies it into the database every thousand pages, as far as no reader still needs the older state, and begins it
// anew when no reader needs any of it. Where readers come and go without a pause there is no such moment: the log of eight
// readers and four writers grew by 3 MB a second. https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
extension ConnectionPool {
  /// Begins the log anew if it has grown too big, after a commit.
  func checkpointIfNeeded(of connection: Connection) async {
    guard hasWAL, connection.isWALTooBig else { return }
    // It blocks a thread for some milliseconds, which must not be one of those that tasks run on.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        connection.restartWAL()
        continuation.resume()
      }
    }
  }

  /// The same with the thread blocked.
  func checkpointIfNeededBlocking(of connection: Connection) {
    if hasWAL, connection.isWALTooBig { connection.restartWAL() }
  }
}

extension Connection {
  /// Beyond which size the log is begun anew. It is cut to ``walTargetSize`` with the first commit after that.
  static let walLimit = 2 * walTargetSize
  /// To how many bytes a log is cut: as many as it grows to if nobody reads for long.
  static let walTargetSize = 4_194_304
  /// Writers are held up for so many milliseconds at most, to let readers go.
  private static let holdUp: Int32 = 100
  /// Commits between two looks at the log, which take half a microsecond.
  private static let commitsInARow = 16

  /// Whether the log has to be begun anew. It counts as a commit.
  fileprivate var isWALTooBig: Bool {
    log.commits += 1
    return log.commits.isMultiple(of: Self.commitsInARow) && walSize > log.checkpointThreshold
  }

  /// Begins the log anew, with other writers held up until the readers of older states are gone.
  fileprivate func restartWAL() {
    log.failures = restartWAL(within: Self.holdUp) ? 0 : log.failures + 1
    // A reader who stays is asked again soon, and ever more rarely: writers are held up in vain as long as he does.
    log.checkpointThreshold = log.failures == 0 ? Self.walLimit : walSize + log.failures * Self.walTargetSize / 2
  }

  /// What a connection that writes knows of the log.
  struct WALState {
    var commits = 0
    /// How often in a row the log could not be begun anew.
    var failures = 0
    /// Up to which size it may grow before that is tried.
    var checkpointThreshold = Connection.walLimit
  }
}

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
