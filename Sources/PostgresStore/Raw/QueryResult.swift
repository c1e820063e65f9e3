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
        type: TypeID(library.columnType(pointer, position)))
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

  /// Returns the error of the server, or of the library about the connection.
  func error(isConnectionLost: Bool, message: String) -> PostgresError {
    func field(_ letter: Character) -> String? {
      library.resultErrorField(pointer, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
    }
    // The error that ends the session is reported before the connection is closed, with "FATAL" in any language of the
    // server. https://www.postgresql.org/docs/15/protocol-error-fields.html
    let isFatal = ["FATAL", "PANIC"].contains(field("V"))
    return PostgresError(
      sqlState: field("C") ?? "", message: field("M") ?? message, detail: field("D"), hint: field("H"),
      table: field("t"), column: field("c"), constraint: field("n"),
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
}

/// A type of PostgreSQL by its OID, which is the same in all databases for the built-in types below.
/// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat
struct TypeID: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The OID by which a parameter leaves its type to the server.
  static let inferred = TypeID(0)

  static let bool = TypeID(16)
  static let bytea = TypeID(17)
  static let name = TypeID(19)
  static let int8 = TypeID(20)
  static let int2 = TypeID(21)
  static let int4 = TypeID(23)
  static let text = TypeID(25)
  static let oid = TypeID(26)
  static let json = TypeID(114)
  static let float4 = TypeID(700)
  static let float8 = TypeID(701)
  static let unknown = TypeID(705)
  static let bpchar = TypeID(1042)
  static let varchar = TypeID(1043)
  static let date = TypeID(1082)
  static let timestamp = TypeID(1114)
  static let timestamptz = TypeID(1184)
  static let numeric = TypeID(1700)
  static let uuid = TypeID(2950)
  static let jsonb = TypeID(3802)

  /// The type of the items of an array; `nil` for other types.
  var item: TypeID? { Self.items[self] }

  private static let items: [TypeID: TypeID] = [
    TypeID(1000): bool, TypeID(1001): bytea, TypeID(1005): int2, TypeID(1007): int4, TypeID(1009): text,
    TypeID(1014): bpchar, TypeID(1015): varchar, TypeID(1016): int8, TypeID(1021): float4, TypeID(1022): float8,
    TypeID(1115): timestamp, TypeID(1182): date, TypeID(1185): timestamptz, TypeID(1231): numeric, TypeID(2951): uuid,
  ]
  /// The name of the array type of a type whose binary format is supported here; `nil` for other types.
  var arrayName: String? {
    switch self {
    case .bool: "bool[]"
    case .int2: "int2[]"
    case .int4: "int4[]"
    case .int8: "int8[]"
    case .float4: "float4[]"
    case .float8: "float8[]"
    case .text: "text[]"
    case .varchar: "varchar[]"
    case .bpchar: "bpchar[]"
    case .bytea: "bytea[]"
    case .date: "date[]"
    case .timestamp: "timestamp[]"
    case .timestamptz: "timestamptz[]"
    case .numeric: "numeric[]"
    case .uuid: "uuid[]"
    default: nil
    }
  }

  /// Returns the array of a type of items.
  static func array(of item: TypeID) -> TypeID { items.first { $0.value == item }?.key ?? .inferred }

  /// Whether the bytes of a value are those of a UTF-8 text, also in the binary format.
  var isText: Bool {
    switch self {
    case .text, .varchar, .bpchar, .name, .unknown, .json: true
    default: false
    }
  }
}
