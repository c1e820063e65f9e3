import CSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The result of a failed call of SQLite: the extended result code and the message.
struct ResultCode: Error {
  let code: Int32
  let message: String
  let sql: String?
  /// The operating system's error number for a failed read or write, or a file that can't be opened; 0 if there is none.
  let systemCode: Int32

  init(_ code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemCode = systemCode
  }

  /// The result of an interrupted statement.
  static let interrupted = ResultCode(SQLITE_INTERRUPT, message: "interrupted")

  /// Reads the latest error of a database.
  init(of database: OpaquePointer?, sql: String? = nil) {
    let code = sqlite3_extended_errcode(database)
    let message = String(cString: sqlite3_errmsg(database))
    let systemCode =
      switch code & 0xFF {
      case _ where database == nil: Int32(0)
      case SQLITE_IOERR: csqlite_system_error(database)
      case SQLITE_CANTOPEN: sqlite3_system_errno(database)
      default: Int32(0)
      }
    self.init(code, message: message, sql: sql, systemCode: systemCode)
  }

  /// Whether the file to open does not exist, and could not be made.
  var isOfMissingFile: Bool { meaning == .cannotOpen && systemCode == ENOENT }

  /// Whether the index of a virtual table, such as a full-text table, differs from its rows.
  /// https://www.sqlite.org/rescode.html#corrupt_vtab
  var isOfVirtualTable: Bool { Int(code) == CSQLITE_CORRUPT_VTAB }

  /// The message, with the operating system's message if a file can't be opened.
  var words: String {
    guard meaning == .cannotOpen, systemCode != 0, let text = strerror(systemCode).map({ String(cString: $0) }) else {
      return message
    }
    return "\(message) (\(text.prefix(1).lowercased())\(text.dropFirst()))"
  }
}

extension ResultCode {
  /// The meaning of a result code, independent of SQLite.
  enum Meaning {
    case conflict, busy, readOnly, cannotOpen, notADatabase, corrupt, full, inputOutput, constraint, tooBig, cancelled
    case nullValue, check, reference, cascadeTooDeep, missingTable, invalidStatement, tooComplex, untrusted, other
  }

  /// Source of the codes: https://www.sqlite.org/rescode.html
  var meaning: Meaning {
    switch Int(code) {
    case CSQLITE_CONSTRAINT_UNIQUE, CSQLITE_CONSTRAINT_PRIMARYKEY, CSQLITE_CONSTRAINT_ROWID: return .conflict
    case CSQLITE_CONSTRAINT_NOTNULL: return .nullValue
    case CSQLITE_CONSTRAINT_CHECK: return .check
    case CSQLITE_CONSTRAINT_FOREIGNKEY: return .reference
    default: break
    }
    // A foreign key with an immediate restriction has the code of a trigger.
    if code & 0xFF == SQLITE_CONSTRAINT, message.hasPrefix("FOREIGN KEY constraint failed") { return .reference }
    // An untrusted function that prevents SQLite from reading the schema is reported with the code of a damaged file.
    if message.contains("unsafe use of ") { return .untrusted }
    // The last byte is the code without its details.
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    case SQLITE_READONLY: return .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM: return .cannotOpen
    case SQLITE_AUTH: return .invalidStatement
    case SQLITE_NOTADB: return .notADatabase
    case SQLITE_CORRUPT: return .corrupt
    case SQLITE_FULL: return .full
    // SQLite itself only distinguishes a full disk, not a file that may not grow or a quota.
    case SQLITE_IOERR: return csqlite_is_lack_of_space(systemCode) != 0 ? .full : .inputOutput
    case SQLITE_CONSTRAINT: return .constraint
    case SQLITE_TOOBIG: return .tooBig
    case SQLITE_INTERRUPT: return .cancelled
    default: break
    }
    // All other errors of a statement share one code, and differ in the message.
    if message.hasPrefix("no such table") { return .missingTable }
    if message.hasPrefix("too many levels of trigger recursion") { return .cascadeTooDeep }
    let mistakes = [
      "syntax error", "incomplete input", "unrecognized token", "no such column", "no such function",
      "ambiguous column",
      "wrong number of arguments", "misuse of", "the SQL contains ",
    ]
    if mistakes.contains(where: message.contains) { return .invalidStatement }
    let limits = ["parser stack overflow", "Expression tree is too large", "too many SQL variables"]
    return limits.contains(where: message.contains) ? .tooComplex : .other
  }
}
