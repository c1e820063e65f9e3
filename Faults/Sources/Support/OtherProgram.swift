import CSQLite

/// Another program that uses a database by SQLite alone, and knows nothing of this package.
final class OtherProgram {
  private var handle: OpaquePointer?

  init(_ path: String) throws(OtherProgramError) {
    let result = sqlite3_open(path, &handle)
    if result != SQLITE_OK { throw error(result) }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements.
  func run(_ sql: String) throws(OtherProgramError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw error(result) }
  }

  /// The first column of what a statement results in, as texts.
  func texts(_ sql: String) throws(OtherProgramError) -> [String] {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    if result != SQLITE_OK { throw error(result) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
      case SQLITE_DONE: return texts
      case let result: throw error(result)
      }
    }
  }

  /// The number that a statement results in.
  func number(_ sql: String) throws(OtherProgramError) -> Int { Int(try texts(sql).first ?? "") ?? 0 }

  /// Whether SQLite finds the database whole.
  func isWhole() throws(OtherProgramError) -> Bool { try texts("PRAGMA integrity_check") == ["ok"] }

  private func error(_ result: Int32) -> OtherProgramError {
    OtherProgramError(code: result, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// What SQLite told the other program.
struct OtherProgramError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String { "SQLite \(code): \(message)" }
}
