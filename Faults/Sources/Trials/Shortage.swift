/// What keeps a database from growing.
enum Shortage: String, Sendable {
  /// The system lets no file grow, as where a disk or a quota is full.
  case limitedFile
  /// SQLite itself lets the database have so many pages.
  case limitedPages
}
