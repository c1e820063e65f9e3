import CSQLite
import Query

/// An open database, closed with its last reference. It has no policy: its methods are calls of SQLite with checked results.
final class RawDatabase {
  let handle: OpaquePointer
  /// The statement `ROLLBACK`, prepared in advance: there may be no memory to prepare it when it is needed.
  private var rollback: OpaquePointer?

  /// Returns the URI that opens a file as immutable, which only a URI can request. https://www.sqlite.org/uri.html
  private static func immutableURI(of path: String) -> String {
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
    // The text after two slashes would be the name of a host.
    return "file:\(escaped.hasPrefix("//") ? "/." : "")\(escaped)?immutable=1"
  }

  /// Opens a file.
  init(path: String, mode: OpenMode) throws(ResultCode) {
    let flags =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .existing: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let path = mode == .immutable ? Self.immutableURI(of: path) : path
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else { throw ResultCode(result, message: "out of memory") }
    if result != SQLITE_OK {
      // Even a database that could not be opened has to be closed.
      let error = ResultCode(of: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    try check(csqlite_refuse_double_quoted_strings(handle))
    try check(csqlite_be_defensive(handle))
    try RawFunctions.define(in: handle)
    prepareRollback()
  }

  deinit {
    sqlite3_finalize(rollback)
    sqlite3_close_v2(handle)
  }

  /// The number of rows that the latest statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The number of rows that have been changed since the database was opened, including those of triggers and foreign keys.
  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// The number of the last inserted row.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether no transaction is open.
  var isAutocommitting: Bool { sqlite3_get_autocommit(handle) != 0 }

  private func prepareRollback() {
    var prepared: OpaquePointer?
    sqlite3_prepare_v3(handle, "ROLLBACK", 8, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    // Without memory the former statement stays, which SQLite tries to prepare again when it is run.
    guard let prepared else { return }
    sqlite3_finalize(rollback)
    rollback = prepared
  }

  /// Rolls back the open transaction, even if SQLite gets no memory, unless the transaction changed the schema.
  func rollBack() {
    sqlite3_step(rollback)
    sqlite3_reset(rollback)
  }

  /// Enforces foreign keys from now on, even if SQLite gets no memory.
  func enforceForeignKeys() { _ = csqlite_enforce_foreign_keys(handle) }

  /// Whether the file can only be read.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The path of the file, empty for a database in memory.
  var path: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "" }

  /// The size of the write-ahead log's file, or of the rollback journal's, in bytes.
  var walSize: Int { Int(csqlite_journal_size(handle)) }

  /// Copies the write-ahead log into the database, and restarts the log once no reader needs it. The thread is blocked meanwhile.
  ///
  /// - Returns: whether the readers finished in time; `nil` where another connection is copying the log, which is not waited for.
  func restartWAL(within milliseconds: Int32) -> Bool? {
    csqlite_wait_while_busy(handle, milliseconds)
    defer { csqlite_wait_while_busy(handle, 0) }
    // SQLite does not wait for another checkpoint. The number of frames stays -1 then, as after an error.
    // https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
    var frames: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_RESTART, &frames, nil)
    return code == SQLITE_OK ? true : code & 0xFF == SQLITE_BUSY && frames < 0 ? nil : false
  }

  /// Interrupts the running statement; the only call that other threads may make.
  func interrupt() { sqlite3_interrupt(handle) }

  /// Copies the database into another one, in memory. https://www.sqlite.org/c3ref/serialize.html
  func copy(toMemory copy: RawDatabase) throws(ResultCode) {
    var size: Int64 = 0
    let bytes = sqlite3_serialize(handle, "main", &size, 0)
    // A database without pages has no bytes.
    if size == 0 {
      sqlite3_free(bytes)
      return
    }
    guard let bytes else { throw ResultCode(SQLITE_NOMEM, message: "out of memory") }
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
    // SQLite frees the bytes itself, even if the call fails.
    try copy.check(sqlite3_deserialize(copy.handle, "main", bytes, size, size, flags))
  }

  /// Prepares the single statement of a text.
  func prepare(_ sql: String, isKept: Bool = false) throws(ResultCode) -> RawStatement {
    var statement: OpaquePointer?
    var sql = sql
    var isAlone = true
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let result = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var rest: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(clamping: text.count), flags, &statement, &rest)
        if let start = text.baseAddress, let rest {
          isAlone = text[(rest - start)...].allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }
        return result
      }
    }
    guard result == SQLITE_OK else { throw ResultCode(of: handle, sql: sql) }
    guard let statement else { throw ResultCode(SQLITE_MISUSE, message: "the SQL contains no statement", sql: sql) }
    guard isAlone else {
      sqlite3_finalize(statement)
      throw ResultCode(SQLITE_MISUSE, message: "the SQL contains more than one statement", sql: sql)
    }
    return RawStatement(statement, database: self, sql: sql)
  }

  /// Prepares a statement that may not create temporary objects: a temporary table is visible to only one connection, and
  /// hides the shared table with the same name. https://www.sqlite.org/c3ref/set_authorizer.html
  func prepareWithoutTemporaries(_ sql: String) throws(ResultCode) -> RawStatement {
    sqlite3_set_authorizer(
      handle,
      { _, _, _, _, schema, _ in
        guard let schema else { return SQLITE_OK }
        return sqlite3_stricmp(schema, "temp") == 0 ? SQLITE_DENY : SQLITE_OK
      }, nil)
    // The authorizer is removed again. Setting it has expired all kept statements, which SQLite prepares again when they are
    // run: for the rollback, there may be no memory then.
    defer {
      sqlite3_set_authorizer(handle, nil, nil)
      prepareRollback()
    }
    return try prepare(sql)
  }

  /// Runs a closure while SQLite refuses to resolve the file's views.
  /// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html (`SQLITE_DBCONFIG_ENABLE_VIEW`)
  ///
  /// Views stay as they are while another statement of the connection is running: a change of the setting would end it with
  /// an error as soon as it opens another cursor.
  func withoutViews<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isRunningStatement { return try body() }
    // Where the setting can't be made, SQLite takes longer, and returns the same.
    _ = csqlite_set_views(handle, 0)
    defer {
      _ = csqlite_set_views(handle, 1)
      // Each change expires all kept statements: for the rollback, there may be no memory later.
      prepareRollback()
    }
    return try body()
  }

  private var isRunningStatement: Bool {
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { return true }
      statement = sqlite3_next_stmt(handle, current)
    }
    return false
  }

  /// Returns the collation of a column; `nil` if SQLite knows none, as for a view's column.
  func collation(table: String, column: String) -> String? {
    var collation: UnsafePointer<CChar>?
    let result = sqlite3_table_column_metadata(handle, "main", table, column, nil, &collation, nil, nil, nil)
    return result == SQLITE_OK ? collation.map { String(cString: $0) } : nil
  }

  /// Forbids changes of the file, and keeps its log when the database is closed.
  func promiseNotToWrite() throws {
    _ = try prepare("PRAGMA query_only = ON").step()
    try check(csqlite_keep_log(handle))
  }

  /// Sets whether "text" in double quotes may be a text in definitions of tables, views and triggers.
  func setDoubleQuotedTexts(allowed: Bool) throws(ResultCode) {
    try check(csqlite_set_double_quoted_texts_in_definitions(handle, allowed ? 1 : 0))
  }

  func check(_ result: Int32, sql: String? = nil) throws(ResultCode) {
    if result != SQLITE_OK { throw ResultCode(of: handle, sql: sql) }
  }
}

/// A running copy of a database. https://www.sqlite.org/backup.html
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
    // Neither database reports the error until the backup is finished.
    case let code: throw ResultCode(code, message: String(cString: sqlite3_errstr(code)))
    }
  }

  /// The number of pages, known after the first step.
  var pageCount: Int { Int(sqlite3_backup_pagecount(handle)) }

  /// The number of remaining pages.
  var remainingCount: Int { Int(sqlite3_backup_remaining(handle)) }
}
