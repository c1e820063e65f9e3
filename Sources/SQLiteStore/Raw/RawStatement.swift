import CSQLite
import Query
import Repository
import SQL
import SQLStore

/// A prepared statement, finalised with its last reference.
final class RawStatement {
  private let handle: OpaquePointer
  private let database: RawDatabase
  private var texts = TextArena()
  /// The SQL from which the statement was prepared.
  let sql: String

  init(_ handle: OpaquePointer, database: RawDatabase, sql: String) {
    self.handle = handle
    self.database = database
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether the statement changes nothing in the database.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The number of values to bind.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { position in
      sqlite3_column_name(handle, position).map { String(cString: $0) } ?? ""
    }
  }

  /// The error that SQLite reports about the last call.
  private var failure: RepositoryError { RepositoryError(ResultCode(of: database.handle, sql: sql)) }

  /// Binds a value to each placeholder.
  func bind(_ values: [Value]) throws(RepositoryError) {
    for index in values.indices { try bind(values[index], at: index) }
  }

  /// Binds a value to one placeholder, counted from 0.
  func bind(_ value: Value, at index: Int) throws(RepositoryError) {
    let position = Int32(clamping: index + 1)
    let result: Int32
    switch value {
    case .null: result = sqlite3_bind_null(handle, position)
    case .integer(let integer): result = sqlite3_bind_int64(handle, position, integer)
    case .real(let real): result = sqlite3_bind_double(handle, position, real)
    case .text(var text): result = text.withUTF8 { bind($0, at: position) }
    case .blob(let bytes):
      result =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, position, 0)  // A null pointer would bind null.
        : bytes.withUnsafeBytes { csqlite_bind_blob(handle, position, $0.baseAddress, UInt64($0.count)) }
    }
    if result != SQLITE_OK { throw failure }
  }

  /// Binds a list as the JSON array that ``SQLiteDialect/list(_:bind:)`` reads as a table.
  func bind(_ list: [Value], of type: ValueType, at index: Int) throws(RepositoryError) {
    try bind(.text(JSONList(list).json), at: index)
  }

  /// Binds a text that remains valid until the statement is rewound.
  func bind(borrowedText bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(RepositoryError) {
    let position = Int32(clamping: index + 1)
    let result = bytes.withMemoryRebound(to: CChar.self) { text in
      // A null pointer would bind null.
      text.isEmpty
        ? csqlite_bind_text(handle, position, nil, 0)
        : csqlite_bind_kept_text(handle, position, text.baseAddress, UInt64(text.count))
    }
    if result != SQLITE_OK { throw failure }
  }

  /// Binds a text. Short texts are copied into ``texts`` until the statement is reset, since SQLite would allocate memory for
  /// each copy of its own.
  private func bind(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int32) -> Int32 {
    if let kept = texts.keep(bytes) {
      return csqlite_bind_kept_text(handle, position, kept, UInt64(bytes.count))
    }
    return bytes.withMemoryRebound(to: CChar.self) { bytes in
      csqlite_bind_text(handle, position, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(RepositoryError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure
    }
  }

  /// Prepares the statement for other values, which then have to be bound to all placeholders.
  func rewind() {
    // `sqlite3_reset` returns the error of the latest step, which has already been thrown.
    sqlite3_reset(handle)
    texts.forget()
  }

  /// Resets the statement for other values, and releases its current ones.
  func reset() {
    rewind()
    sqlite3_clear_bindings(handle)
  }
}

// The current row.
//
// The value of a column is read through its `sqlite3_value`, which is looked up once: each call of `sqlite3_column_*` would
// look it up again, and check for a lack of memory. Only one thread at a time may use the value, as the whole connection.
// https://www.sqlite.org/c3ref/column_blob.html
extension RawStatement: PreparedStatement {
  /// - Throws: ``/Query/ValueError`` for a text that is not UTF-8.
  func value(at position: Int) throws(ValueError) -> Value {
    let value = column(position)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let text = Self.text(value) else {
        throw sqlite3_errcode(database.handle) == SQLITE_NOMEM ? .outOfMemory : .invalidUTF8
      }
      return .text(text)
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else {
        // An empty blob has no address either.
        if sqlite3_value_bytes(value) > 0 { throw .outOfMemory }
        return .blob([])
      }
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))))
    default: return .null
    }
  }

  func isNull(at position: Int) -> Bool { sqlite3_value_type(column(position)) == SQLITE_NULL }

  func integer(at position: Int) -> Int64? {
    let value = column(position)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  func real(at position: Int) -> Double? {
    let value = column(position)
    return sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
  }

  func text(at position: Int) -> String? {
    let value = column(position)
    return sqlite3_value_type(value) == SQLITE_TEXT ? Self.text(value) : nil
  }

  /// Returns the bytes of a text or a blob.
  func bytes(at position: Int) -> [UInt8] {
    let value = column(position)
    guard let bytes = sqlite3_value_blob(value) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
  }

  private func column(_ position: Int) -> OpaquePointer? {
    sqlite3_column_value(handle, Int32(truncatingIfNeeded: position))
  }

  /// - Returns: `nil` if the bytes are not UTF-8, and if there is no memory for them.
  private static func text(_ value: OpaquePointer?) -> String? {
    // The length has to be read after the text.
    guard let text = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    // A text without a NUL is a valid C string, which is decoded faster: the other decoder is generic over encodings, which
    // costs more than the decoding of most texts.
    let whole = text.withMemoryRebound(to: CChar.self, capacity: count + 1) { String(validatingCString: $0) }
    if let whole, whole.utf8.count == count { return whole }
    return String(validating: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

extension ValueError {
  /// The error for a value that SQLite could not return.
  static let outOfMemory = ValueError("out of memory while reading the value")
}

/// Memory for the short texts that are bound to a statement, until it is reset.
struct TextArena: ~Copyable {
  private static let capacity = 4_096
  private var start: UnsafeMutablePointer<CChar>?
  private var count = 0

  /// Copies a text.
  ///
  /// - Returns: `nil` if there is no room for it.
  mutating func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard let source = text.baseAddress, text.count <= Self.capacity - count else { return nil }
    let start = start ?? .allocate(capacity: Self.capacity)
    self.start = start
    let place = start + count
    source.withMemoryRebound(to: CChar.self, capacity: text.count) { place.update(from: $0, count: text.count) }
    count += text.count
    return UnsafePointer(place)
  }

  /// Frees the buffer for reuse; pointers into it are invalid afterwards.
  mutating func forget() { count = 0 }

  deinit { start?.deallocate() }
}
