// The prevention of unlimited growth of the write-ahead log.
//
// SQLite makes a checkpoint every thousand pages: it copies the log into the database, as far as no reader still needs the
// older state. It restarts the log when no reader needs any of it. If readers come and go without a pause there is no such
// moment: the log of eight readers and four writers grew by 3 MB a second.
// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files

/// The state of the write-ahead log, as a writing connection sees it.
struct WALState {
  /// The size in bytes beyond which the log is restarted. The first commit after a restart truncates it to ``targetSize``.
  static let limit = 2 * targetSize
  /// The size in bytes to which a log is truncated, which it also reaches without long readers.
  static let targetSize = 4_194_304
  /// The maximum time in milliseconds for which writers are blocked, to let readers finish.
  private static let timeout: Int32 = 100
  /// The number of commits between two checks of the log's size, each of which takes half a microsecond.
  private static let commitsBetweenChecks = 16

  private var commits = 0
  /// The number of failed restarts in a row.
  private var failures = 0
  /// The size from which the next restart is attempted.
  private var threshold = limit

  /// Returns whether the log has to be restarted. Each call counts as a commit.
  mutating func isTooBig(_ database: RawDatabase) -> Bool {
    commits += 1
    return commits.isMultiple(of: Self.commitsBetweenChecks) && database.walSize > threshold
  }

  /// Restarts the log, with other writers blocked until the readers of older states are finished.
  mutating func restart(_ database: RawDatabase) {
    // One that is refused at once has cost nothing, and is made again after some commits.
    guard let isRestarted = database.restartWAL(within: Self.timeout) else { return }
    failures = isRestarted ? 0 : failures + 1
    // Each failed restart has blocked the writers in vain, so the log has to grow by more before the next attempt.
    threshold = failures == 0 ? Self.limit : database.walSize + failures * Self.targetSize / 2
  }
}
