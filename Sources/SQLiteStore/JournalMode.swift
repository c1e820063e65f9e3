/// How a database file keeps its changes safe until they are complete.
public enum JournalMode: Hashable, Sendable {
  /// A write-ahead log: readers and a writer don't wait for each other. The file's mode is changed for good, and two
  /// more files stand beside it while it is open. ``Synchronous`` says what a loss of power may cost.
  case writeAheadLog
  /// Whatever the file says, a rollback journal for a new one.
  case unchanged
}
