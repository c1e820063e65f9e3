/// What may happen to a database file when it is opened.
public enum OpenMode: Hashable, Sendable {
  /// It is read and written, and made if it does not exist.
  case create
  /// It is read and written, and has to exist.
  case existing
  /// It is read alone, and has to exist.
  case readOnly
}
