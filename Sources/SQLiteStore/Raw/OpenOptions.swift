/// What may happen to a database file when it is opened.
public enum OpenMode: Hashable, Sendable {
  /// It is read and written, and made if it does not exist.
  case create
  /// It is read and written, and has to exist.
  case existing
  /// It is read alone, and has to exist.
  case readOnly
  /// The same of a file that nothing changes meanwhile: no lock is taken, and what a write-ahead log holds is not seen, so that one
  /// with such a log can be read in a folder that can't be written. https://www.sqlite.org/uri.html#uriimmutable
  case immutable
}

/// How a database file keeps its changes safe until they are complete.
public enum JournalMode: Hashable, Sendable {
  /// A write-ahead log: readers and a writer don't wait for each other. The file's mode is changed permanently, and two
  /// more files exist beside it while it is open. ``Synchronous`` says what a loss of power may cost.
  case writeAheadLog
  /// Whatever the file says, a rollback journal for a new one.
  case unchanged
}

/// When the changes of a database with a write-ahead log are on the disk, and not only with the operating system.
///
/// It matters when the machine loses power. A program that crashes or is killed loses nothing that it was told is saved,
/// either way. A database without a log, and one whose journal is left ``JournalMode/unchanged``, waits for the disk at each
/// change either way, though not for the folder that its journal was removed from: only ``full`` does, so that the power can't
/// take back the latest change.
public enum Synchronous: Hashable, Sendable {
  /// The disk is waited for now and then, when the log is copied into the database. The latest changes may be lost with
  /// the power, never a part of one (`synchronous=NORMAL`, https://www.sqlite.org/pragma.html#pragma_synchronous).
  case normal
  /// Each change waits for the disk, which makes small ones much slower (`synchronous=FULL`, without a log `EXTRA`).
  case full
}
