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
