import CSQLite
import Query
import Repository

// Functions and collations of the program, which its statements and other programs' tables may use.
extension RawFunctions {
  /// - Parameter count: the number of arguments; `nil` for any number.
  static func define(
    _ name: String, arguments count: Int?, isDeterministic: Bool, isInnocuous: Bool, in database: OpaquePointer,
    _ body: @escaping ([Value]) throws -> Value
  ) throws(ResultCode) {
    let context = Unmanaged.passRetained(ProgramFunction(body))
    // SQLite releases the context with the function, even if the function can't be defined.
    let flags = (isDeterministic ? SQLITE_DETERMINISTIC : 0) | (isInnocuous ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
    let result = sqlite3_create_function_v2(
      database, name, Int32(clamping: count ?? -1), SQLITE_UTF8 | flags, context.toOpaque(),
      { context, count, arguments in RawFunctions.call(context, Int(count), arguments) }, nil, nil,
      { data in data.map { Unmanaged<ProgramFunction>.fromOpaque($0).release() } })
    if result != SQLITE_OK { throw ResultCode(of: database) }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<ProgramFunction>.fromOpaque(data).takeUnretainedValue()
    do {
      result(try function.body((0..<count).map { value(arguments?[$0]) }), context)
    } catch {
      var message = (error as? RepositoryError)?.summary ?? "\(error)"
      message.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_error(context, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
    }
  }

  /// - Parameter compare: returns a number less than, equal to or greater than 0.
  static func define(
    collation name: String, in database: OpaquePointer, _ compare: @escaping (String, String) -> Int32
  ) throws(ResultCode) {
    let context = Unmanaged.passRetained(ProgramCollation(compare))
    let result = sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, context.toOpaque(),
      { data, leftCount, left, rightCount, right in
        guard let data else { return 0 }
        return Unmanaged<ProgramCollation>.fromOpaque(data).takeUnretainedValue()
          .compare(RawFunctions.text(left, leftCount), RawFunctions.text(right, rightCount))
      }, { data in data.map { Unmanaged<ProgramCollation>.fromOpaque($0).release() } })
    if result != SQLITE_OK {
      // SQLite does not release the context of a collation that it refuses, unlike that of a function:
      // https://www.sqlite.org/c3ref/create_collation.html
      context.release()
      throw ResultCode(of: database)
    }
  }

  /// Removes a collation of the program.
  ///
  /// - Throws: ``ResultCode`` while a statement runs, for which SQLite keeps the collation.
  static func remove(collation name: String, in database: OpaquePointer) throws(ResultCode) {
    if sqlite3_create_collation_v2(database, name, SQLITE_UTF8, nil, nil, nil) != SQLITE_OK {
      throw ResultCode(of: database)
    }
  }

  private final class ProgramFunction {
    let body: ([Value]) throws -> Value
    init(_ body: @escaping ([Value]) throws -> Value) { self.body = body }
  }

  private final class ProgramCollation {
    let compare: (String, String) -> Int32
    init(_ compare: @escaping (String, String) -> Int32) { self.compare = compare }
  }

  private static func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// Returns an argument; a text that is not UTF-8 is repaired.
  private static func value(_ value: OpaquePointer?) -> Value {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // The length has to be read after the text.
      let text = sqlite3_value_text(value)
      return .text(
        String(decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(value)
      return .blob([UInt8](UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value)))))
    default: return .null
    }
  }
}
