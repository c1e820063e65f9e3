import CSQLite

/// What SQLite said about a call that failed: the extended result code and the message.
struct ResultCode: Error {
  let code: Int32
  let message: String
  let sql: String?
  /// The operating system's own number for an error of reading or writing, 0 where it had none.
  let systemCode: Int32

  init(_ code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemCode = systemCode
  }

  /// What SQLite says where it was stopped.
  static let interrupted = ResultCode(SQLITE_INTERRUPT, message: "interrupted")

  /// Reads the latest error of a database.
  init(of database: OpaquePointer?, sql: String? = nil) {
    let code = sqlite3_extended_errcode(database)
    let message = String(cString: sqlite3_errmsg(database))
    let isOfSystem = database != nil && code & 0xFF == SQLITE_IOERR
    self.init(code, message: message, sql: sql, systemCode: isOfSystem ? csqlite_system_error(database) : 0)
  }
}
