import CSQLite
import Query

/// A prepared statement, finalised when nobody holds it.
final class RawStatement {
  private let handle: OpaquePointer
  private let database: RawDatabase
  /// The SQL from which it was prepared.
  let sql: String

  init(_ handle: OpaquePointer, database: RawDatabase, sql: String) {
    self.handle = handle
    self.database = database
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether it changes nothing in the database.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// How many values have to be bound.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { position in
      sqlite3_column_name(handle, position).map { String(cString: $0) } ?? ""
    }
  }

  /// Binds a value to each placeholder.
  func bind(_ values: [Value]) throws(ResultCode) {
    for (index, value) in values.enumerated() {
      let position = Int32(clamping: index + 1)
      let result: Int32
      switch value {
      case .null: result = sqlite3_bind_null(handle, position)
      case .integer(let integer): result = sqlite3_bind_int64(handle, position, integer)
      case .real(let real): result = sqlite3_bind_double(handle, position, real)
      case .text(var text):
        result = text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { bytes in
            csqlite_bind_text(handle, position, bytes.baseAddress, UInt64(bytes.count))
          }
        }
      case .blob(let bytes):
        result =
          bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, position, 0)  // A null pointer would bind null.
          : bytes.withUnsafeBytes { csqlite_bind_blob(handle, position, $0.baseAddress, UInt64($0.count)) }
      }
      try database.check(result, sql: sql)
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(ResultCode) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw ResultCode(of: database.handle, sql: sql)
    }
  }

  /// Makes the statement ready for other values.
  func reset() {
    // It returns the error of the latest step, which has been thrown then.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// The value of a column in the current row; `nil` for a text that is not UTF-8.
  func value(at position: Int) -> Value? {
    let position = Int32(clamping: position)
    switch sqlite3_column_type(handle, position) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, position))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, position))
    case SQLITE_TEXT:
      // The length has to be asked for after the text.
      guard let text = sqlite3_column_text(handle, position) else { return .text("") }
      let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, position)))
      return String(validating: bytes, as: UTF8.self).map(Value.text)
    case SQLITE_BLOB:
      guard let bytes = sqlite3_column_blob(handle, position) else { return .blob([]) }
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, position)))))
    default: return .null
    }
  }
}
