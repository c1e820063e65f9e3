/// A result of libpq, freed with its last reference: a row in single-row mode, or all rows of a statement.
final class QueryResult {
  private let library: LibPQ
  private(set) var pointer: OpaquePointer

  init(_ pointer: OpaquePointer, _ library: LibPQ) {
    self.pointer = pointer
    self.library = library
  }

  deinit { library.clear(pointer) }

  /// Frees libpq's result, and takes ownership of another.
  func replace(by pointer: OpaquePointer) {
    library.clear(self.pointer)
    self.pointer = pointer
  }

  /// https://www.postgresql.org/docs/15/libpq-exec.html#LIBPQ-PQRESULTSTATUS
  enum Status: Int32 {
    case emptyQuery = 0
    case commandDone = 1
    case allRows = 2
    case copiesIn = 4
    case oneRow = 9
    case pipelineSync = 10
  }

  /// The status; `nil` for a failure, and for a status that does not answer a statement.
  var status: Status? { Status(rawValue: library.resultStatus(pointer)) }

  var rowCount: Int { Int(library.rowCount(pointer)) }

  /// The number of rows that the statement inserted, updated or deleted; `nil` for a statement of another kind.
  var changedRows: Int? {
    guard let text = library.changedRows(pointer), text[0] != 0 else { return nil }
    return Int(String(cString: text))
  }

  /// The command tag: `COMMIT`, `INSERT 0 1`.
  var command: String { library.commandStatus(pointer).map { String(cString: $0) } ?? "" }

  var columns: [ResultColumn] {
    (0..<library.columnCount(pointer)).map { position in
      ResultColumn(
        name: library.columnName(pointer, position).map { String(cString: $0) } ?? "",
        type: TypeID(library.columnType(pointer, position)), modifier: library.columnModifier(pointer, position))
    }
  }

  var parameterTypes: [TypeID] {
    (0..<library.parameterCount(pointer)).map { TypeID(library.parameterType(pointer, $0)) }
  }

  /// Returns the text of a value that was sent as text; `nil` for null, and if there is no such row.
  func text(row: Int, column: Int) -> String? {
    self.row(row).bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a row of the result, which is valid until the result is replaced.
  func row(_ number: Int) -> ResultRow {
    ResultRow(of: pointer, Int32(clamping: number), count: library.rowCount(pointer), library)
  }

  /// The SQLSTATE of a failure; empty for one that is not the server's.
  var sqlState: String { errorField("C") ?? "" }

  private func errorField(_ letter: Character) -> String? {
    library.resultErrorField(pointer, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
  }

  /// Returns the error of the server, or of the library about the connection.
  func error(isConnectionLost: Bool, message: String) -> PostgresError {
    // The error that ends the session is reported before the connection is closed, with "FATAL" in any language of the
    // server. https://www.postgresql.org/docs/15/protocol-error-fields.html
    let isFatal = ["FATAL", "PANIC"].contains(errorField("V"))
    return PostgresError(
      sqlState: sqlState, message: errorField("M") ?? message, detail: errorField("D"), hint: errorField("H"),
      table: errorField("t"), column: errorField("c"), constraint: errorField("n"),
      isConnectionLost: isConnectionLost || isFatal)
  }
}

/// A row of a result, which does not retain the result: a reference would be counted for each value that is read.
struct ResultRow {
  private let result: OpaquePointer
  private let count: Int32
  private var number: Int32
  private let value: @convention(c) (OpaquePointer, Int32, Int32) -> LibPQ.Text?
  private let valueLength: @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  private let isNull: @convention(c) (OpaquePointer, Int32, Int32) -> Int32

  fileprivate init(of result: OpaquePointer, _ number: Int32, count: Int32, _ library: LibPQ) {
    self.result = result
    self.number = number
    self.count = count
    (value, valueLength, isNull) = (library.value, library.valueLength, library.isNull)
  }

  /// Whether there is a row, rather than the end of the result.
  var isThere: Bool { number < count }

  mutating func advance() { number += 1 }

  /// Returns the bytes of a value; `nil` for null.
  @inline(__always)
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let column = Int32(truncatingIfNeeded: column)
    let length = valueLength(result, number, column)
    // Most values are not empty, and need no further check.
    if length == 0, isNull(result, number, column) != 0 { return nil }
    return UnsafeRawBufferPointer(start: value(result, number, column), count: Int(length))
  }
}

/// A column of a result.
struct ResultColumn {
  let name: String
  let type: TypeID
  /// The type modifier, such as the number of digits; -1 for none.
  var modifier: Int32 = -1
}
