import CSQLite
import Query
import SQL

/// The functions that the dialect's SQL calls: what SQLite itself does differently from the contract, in the words of the
/// evaluator in memory.
enum RawFunctions {
  static func define(in database: OpaquePointer) throws(ResultCode) {
    try define(SQLiteDialect.foldFunction, arguments: 1, in: database) { context, arguments in
      guard let text = text(arguments, 0) else { return sqlite3_result_null(context) }
      result(CaseFolding.fold(text), context)
    }
    try define(SQLiteDialect.likeFunction, arguments: 2, in: database) { context, arguments in
      guard let text = utf8(arguments, 0) else { return sqlite3_result_null(context) }
      sqlite3_result_int(context, pattern(context, arguments).matches(text) ? 1 : 0)
    }
    try define(SQLiteDialect.itemFunction, arguments: 1, in: database) { context, arguments in
      guard let text = text(arguments, 0) else { return sqlite3_result_value(context, arguments?[0]) }
      result(JSONList.item(.text(text)), context)
    }
    try RawAggregates.define(in: database)
  }

  private static func define(
    _ name: String, arguments: Int32, in database: OpaquePointer,
    _ body: @escaping (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(ResultCode) {
    // Directly only: no view and no trigger of a database that somebody else made can call it.
    // The closure travels as SQLite's "application data" and is released with the function.
    let context = Unmanaged.passRetained(Body(body))
    let result = sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, context.toOpaque(),
      { context, _, arguments in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<Body>.fromOpaque(data).takeUnretainedValue().body(context, arguments)
      }, nil, nil,
      { data in data.map { Unmanaged<Body>.fromOpaque($0).release() } })
    if result != SQLITE_OK { throw ResultCode(of: database) }
  }

  private final class Body {
    let body: (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    init(_ body: @escaping (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Void) { self.body = body }
  }

  /// A pattern that was read once for all rows of a statement.
  private final class Pattern {
    let pattern: LikePattern
    init(_ pattern: LikePattern) { self.pattern = pattern }
  }

  /// Reads the second argument as a pattern; SQLite keeps it from row to row as long as the argument is the same.
  /// https://www.sqlite.org/c3ref/get_auxdata.html
  private static func pattern(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) -> LikePattern {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Pattern>.fromOpaque(kept).takeUnretainedValue().pattern
    }
    let pattern = LikePattern(text(arguments, 1) ?? "")
    sqlite3_set_auxdata(
      context, 1, Unmanaged.passRetained(Pattern(pattern)).toOpaque(),
      { data in data.map { Unmanaged<Pattern>.fromOpaque($0).release() } })
    return pattern
  }

  private static func utf8(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let argument = arguments?[index], sqlite3_value_type(argument) == SQLITE_TEXT else { return nil }
    let text = sqlite3_value_text(argument)
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
  }

  private static func text(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> String? {
    utf8(arguments, index).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a value from a function.
  static func result(_ value: Value, _ context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(let text): result(text, context)
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
      bytes.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, UInt64($0.count)) }
    }
  }

  private static func result(_ text: String, _ context: OpaquePointer?) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }
}
