import Dispatch
import Repository

// How the write-ahead log is kept from growing without end.
//
// SQLite copies it into the database every thousand pages, as far as no reader still needs the older state, and begins it
// anew when no reader needs any of it. Where readers come and go without a pause there is no such moment: the log of eight
// readers and four writers grew by 3 MB a second. https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
extension ConnectionPool {
  /// Begins the log anew if it has grown too big, after a commit.
  func relieveLog(of connection: Connection) async {
    guard hasLog, connection.isLogTooBig else { return }
    // It blocks a thread for some milliseconds, which must not be one of those that tasks run on.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        connection.restartLog()
        continuation.resume()
      }
    }
  }

  /// The same with the thread blocked.
  func relieveLogBlocking(of connection: Connection) {
    if hasLog, connection.isLogTooBig { connection.restartLog() }
  }
}

extension Connection {
  /// How big a log is tried to be kept. It is cut to ``smallLog`` with the first commit after it began anew.
  static let bigLog = 2 * smallLog
  /// To how many bytes a log is cut: twice as much as it grows to if nobody reads for long.
  static let smallLog = 8_388_608
  /// Writers are held up for so long at most, to let readers go.
  private static let holdUp: Int32 = 50
  /// Commits between two looks at the log, which take half a microsecond.
  private static let commitsInARow = 16

  /// Whether the log has to be begun anew. It counts as a commit.
  fileprivate var isLogTooBig: Bool {
    commits += 1
    return commits.isMultiple(of: Self.commitsInARow) && logSize > patientLogSize
  }

  /// Begins the log anew, with other writers held up until the readers of older states are gone.
  fileprivate func restartLog() {
    // A reader that stays longer is asked again when the log has grown by as much once more.
    patientLogSize = restartLog(within: Self.holdUp) ? Self.bigLog : logSize + Self.smallLog
  }
}
