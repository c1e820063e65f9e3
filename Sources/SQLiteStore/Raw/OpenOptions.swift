/// The mode in which a database file is opened.
public enum OpenMode: Hashable, Sendable {
  /// Reading and writing; the file is made if it does not exist.
  case create
  /// Reading and writing; the file has to exist.
  case existing
  /// Only reading; the file has to exist.
  case readOnly
  /// Only reading a file that does not change meanwhile: no lock is taken, and the content of a write-ahead log is not seen, so
  /// that a database with such a log can be read in a read-only folder. https://www.sqlite.org/uri.html#uriimmutable
  case immutable
}

/// The journal of a database file, which makes commits atomic.
public enum JournalMode: Hashable, Sendable {
  /// A write-ahead log: readers and a writer don't wait for each other. The file's mode is changed permanently, and two more
  /// files exist next to it while it is open. ``Synchronous`` determines which changes a loss of power may undo.
  case writeAheadLog
  /// The mode of the file, with a rollback journal for a new one.
  case unchanged
}

/// The time at which the changes of a database with a write-ahead log are on the disk, and not only with the operating system.
///
/// The choice matters when the machine loses power: a program that crashes or is killed loses no saved changes in either case.
/// A database without a log, and one whose journal is left ``JournalMode/unchanged``, waits for the disk at each change in both
/// cases. Without a log, only ``full`` also waits for the folder from which the journal was removed, so that a loss of power
/// can't undo the latest change.
public enum Synchronous: Hashable, Sendable {
  /// Waits for the disk when the log is copied into the database. A loss of power may undo the latest changes, but never a
  /// part of a change (`synchronous=NORMAL`, https://www.sqlite.org/pragma.html#pragma_synchronous).
  case normal
  /// Waits for the disk at each change, which makes small ones much slower (`synchronous=FULL`, without a log `EXTRA`).
  case full
}
