import CSQLite

/// A copy of a database in the making. https://www.sqlite.org/backup.html
final class RawBackup {
  private let handle: OpaquePointer
  private let target: RawDatabase

  init(of source: RawDatabase, to target: RawDatabase) throws(ResultCode) {
    guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw ResultCode(of: target.handle)
    }
    self.handle = handle
    self.target = target
  }

  deinit {
    sqlite3_backup_finish(handle)
  }

  /// Copies some pages.
  ///
  /// - Returns: whether there are more.
  func step(pages: Int32) throws(ResultCode) -> Bool {
    switch sqlite3_backup_step(handle, pages) {
    case SQLITE_OK: return true
    case SQLITE_DONE: return false
    // The error stands in neither database until the backup is finished.
    case let code: throw ResultCode(code, message: String(cString: sqlite3_errstr(code)))
    }
  }

  /// How many pages there are, known after the first step.
  var pageCount: Int { Int(sqlite3_backup_pagecount(handle)) }

  /// How many pages have still to be copied.
  var remainingCount: Int { Int(sqlite3_backup_remaining(handle)) }
}
