import CSystemSQLite

/// What SQLite refused to do.
package struct RawError: Error, CustomStringConvertible {
  package let code: Int32
  package let description: String

  init(_ code: Int32, _ database: OpaquePointer?) {
    self.code = code
    description = "SQLite \(code): \(String(cString: sqlite3_errmsg(database)))"
  }
}
