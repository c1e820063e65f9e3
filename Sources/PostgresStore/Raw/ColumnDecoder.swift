import Query

/// A decoder of the values of a result's column.
///
/// The server sends all columns of a result in binary format, or all as texts. If the binary format of one column is not
/// supported here, all columns are sent as texts.
enum ColumnDecoder: Hashable, Sendable {
  // In binary format.
  case int2, int4, int8, oid, bool, float4, float8, text, padded, bytea, uuid, timestamp, day, jsonb
  // As texts.
  case integerText, singleText, realText, boolText, byteaText, numericText, decimalText, timestampText, dayText

  /// Makes the decoder of a column in binary format; `nil` for types that are read as texts.
  init?(binary type: TypeID) {
    switch type {
    case .int2: self = .int2
    case .int4: self = .int4
    case .int8: self = .int8
    case .oid: self = .oid
    case .bool: self = .bool
    case .float4: self = .float4
    case .float8: self = .float8
    case .bytea: self = .bytea
    case .uuid: self = .uuid
    case .timestamp, .timestamptz: self = .timestamp
    case .date: self = .day
    case .jsonb: self = .jsonb
    case .bpchar: self = .padded
    case let type where type.isText: self = .text
    default: return nil
    }
  }

  /// Makes the decoder of a column that is sent as a text.
  ///
  /// - Parameter modifier: the type modifier: a `numeric` of a few digits is read as a number, and any other as a decimal.
  init(text type: TypeID, modifier: Int32 = -1) {
    switch type {
    case .int2, .int4, .int8, .oid: self = .integerText
    case .float4: self = .singleText
    case .float8: self = .realText
    case .bool: self = .boolText
    case .bytea: self = .byteaText
    case .numeric:
      let digits = TypeID.digits(ofNumeric: modifier)
      self =
        NativeColumnType(precision: digits?.precision, scale: digits?.scale ?? 0).isNumeric
        ? .decimalText : .numericText
    case .timestamp, .timestamptz: self = .timestampText
    case .date: self = .dayText
    case .bpchar: self = .padded
    default: self = .text
    }
  }

  /// Returns the decoders of the columns of a result, and whether they are to be sent in binary format.
  static func decoders(of columns: [ResultColumn]) -> (decoders: [ColumnDecoder], isBinary: Bool) {
    let binary = columns.compactMap { ColumnDecoder(binary: $0.type) }
    if binary.count == columns.count { return (binary, true) }
    return (columns.map { ColumnDecoder(text: $0.type, modifier: $0.modifier) }, false)
  }

  // MARK: Values

  /// Returns the value of some bytes.
  ///
  /// - Throws: ``/Query/ValueError`` for bytes that are not of the column's type, for a number that is none or too great, and for
  ///   an instant or a day outside of the years 1 to 9999.
  func value(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Value {
    if let size, bytes.count != size { throw Self.malformed }
    switch self {
    case .int2, .int4, .int8, .oid, .bool, .integerText, .boolText:
      guard let integer = integer(bytes) else { throw Self.malformed }
      return .integer(integer)
    case .float4, .float8, .singleText, .realText:
      guard let real = real(bytes) else { throw Self.notANumber }
      return .real(real)
    case .bytea, .byteaText: return .blob(blob(bytes))
    case .text, .padded, .uuid, .jsonb: return .text(text(bytes) ?? "")
    case .timestamp, .timestampText, .day, .dayText:
      guard let text = text(bytes) else {
        throw ValueError(
          "the time is before the year 1 or after 9999",
          suggestion: "read other columns, or the text of the date with SQL: CAST(column AS text)")
      }
      return .text(text)
    case .numericText:
      if let integer = integer(bytes) { return .integer(integer) }
      guard let real = number(bytes) else { throw Self.tooLarge }
      if real.isNaN { throw Self.notANumber }
      return .real(real)
    case .decimalText:
      guard let real = number(bytes) else { throw Self.tooLarge }
      if real.isNaN { throw Self.notANumber }
      guard let text = DecimalText.unlimited(String(decoding: bytes, as: UTF8.self)) else { throw Self.tooLarge }
      return .text(text)
    }
  }

  private static let notANumber = ValueError(
    "the value is NaN", suggestion: "read other columns, or set NaN to null with SQL")

  private static let tooLarge = ValueError(
    "the number is too large for a real", suggestion: "read the column with SQL, as text: CAST(column AS text)")

  /// Returns the number of some bytes in plain notation; `nil` for a column of another type than `numeric`.
  func decimal(_ bytes: UnsafeRawBufferPointer) -> String? {
    self == .numericText || self == .decimalText ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The number of bytes of each value in binary format; `nil` if they differ.
  ///
  /// The server's are always as long, but something between it and this program may not be sound.
  private var size: Int? {
    switch self {
    case .bool: 1
    case .int2: 2
    case .int4, .oid, .float4, .day: 4
    case .int8, .float8, .timestamp: 8
    case .uuid: 16
    default: nil
    }
  }

  private static let malformed = ValueError(
    "the server sent bytes that do not fit the type of the column",
    suggestion: "check the programs between the program and the server, such as a pooler")

  /// Returns a number of a fixed size, in the byte order of the protocol; `nil` for bytes of another number.
  @inline(__always)
  private func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, as type: Number.Type
  ) -> Number? {
    bytes.count == MemoryLayout<Number>.size ? Number(bigEndian: bytes.loadUnaligned(as: type)) : nil
  }

  /// Returns the integer of some bytes; `nil` for a column of another type, and for bytes that are none.
  @inline(__always)
  func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    switch self {
    case .int8: load(bytes, as: Int64.self)
    case .int4: load(bytes, as: Int32.self).map(Int64.init)
    case .int2: load(bytes, as: Int16.self).map(Int64.init)
    case .oid: load(bytes, as: UInt32.self).map(Int64.init)
    case .bool: load(bytes, as: UInt8.self).map(Int64.init)
    // A column of a few digits after the point has reals: `12.00` is not an integer there.
    case .integerText, .numericText: Int64(String(decoding: bytes, as: UTF8.self))
    case .decimalText: Self.integer(ofNumeric: String(decoding: bytes, as: UTF8.self))
    case .boolText: bytes.first == UInt8(ascii: "t") ? 1 : 0
    default: nil
    }
  }

  /// Returns the real of some bytes; `nil` for a column of another type, for bytes that are none, for NaN, and for a number that
  /// is too great.
  @inline(__always)
  func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let real = number(bytes), !real.isNaN else { return nil }
    return real
  }

  @inline(__always)
  private func number(_ bytes: UnsafeRawBufferPointer) -> Double? {
    switch self {
    case .float8: load(bytes, as: UInt64.self).map(Double.init(bitPattern:))
    case .float4: load(bytes, as: UInt32.self).map { Double(Float(bitPattern: $0)) }
    // PostgreSQL writes `Infinity` and `NaN` as Swift reads them, and the fewest digits that identify a number of the type.
    case .singleText: Float(String(decoding: bytes, as: UTF8.self)).map(Double.init)
    case .realText: Double(String(decoding: bytes, as: UTF8.self))
    case .numericText, .decimalText: Self.numeric(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }

  /// Returns the integer of a number such as `30.00`; `nil` for a number with a fraction, and for one that is too great.
  private static func integer(ofNumeric text: String) -> Int64? {
    guard let point = text.firstIndex(of: ".") else { return Int64(text) }
    return text[point...].dropFirst().allSatisfy { $0 == "0" } ? Int64(text[..<point]) : nil
  }

  /// Returns the number of a text that may have 131,072 digits before the point; `nil` for one that no real holds.
  private static func numeric(_ text: String) -> Double? {
    guard let real = Double(text), real.isInfinite, !text.hasSuffix("Infinity") else { return Double(text) }
    return nil
  }

  /// Returns the text of some bytes; `nil` for a column of another type, and for a time outside of the years 1 to 9999. The
  /// server ensures that all texts are UTF-8.
  @inline(__always)
  func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .text: String(decoding: bytes, as: UTF8.self)
    default: convertedText(bytes)
    }
  }

  /// Returns the text of a value whose bytes are not the text itself.
  private func convertedText(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .padded:
      // All blanks at the end are removed: the type does not distinguish those of the padding from others.
      String(
        decoding: bytes[..<((bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1)], as: UTF8.self)
    case .uuid: bytes.count == 16 ? String(decoding: UUIDText.text(of: bytes), as: UTF8.self) : nil
    // The first byte is the version of the format, and the text follows.
    case .jsonb: String(decoding: bytes.dropFirst(), as: UTF8.self)
    case .timestamp: load(bytes, as: Int64.self).flatMap { TimestampText.text(microseconds: $0) }
    case .day: load(bytes, as: Int32.self).flatMap { DayText.text(day: Int64($0)) }
    case .timestampText: Self.timestamp(String(decoding: bytes, as: UTF8.self))
    case .dayText: Self.day(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }

  private func blob(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard self == .byteaText else { return [UInt8](bytes) }
    // `\x` and two digits a byte: https://www.postgresql.org/docs/15/datatype-binary.html
    let digits = bytes.dropFirst(2).map { UInt8($0 & 0xF) + ($0 >= UInt8(ascii: "a") ? 9 : 0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Returns an instant as this toolkit writes dates, from `2026-11-23 04:47:05.12+00`, which the server writes in a session
  /// whose time zone is UTC.
  private static func timestamp(_ text: String) -> String? {
    if [TimestampText.infinity, TimestampText.pastInfinity].contains(text) { return text }
    let text = text.hasSuffix("+00") ? text.dropLast(3) : text[...]
    // Other years have five digits, or `BC` at the end.
    guard text.utf8.count >= 19, text.utf8.last != UInt8(ascii: "C"), text.utf8.dropFirst(10).first == UInt8(ascii: " ")
    else { return nil }
    let (day, time, fraction) = (text.prefix(10), text.dropFirst(11).prefix(8), text.dropFirst(20))
    return "\(day)T\(time).\(fraction)\(String(repeating: "0", count: max(0, 9 - fraction.count)))Z"
  }

  private static func day(_ text: String) -> String? {
    let isInfinite = [TimestampText.infinity, TimestampText.pastInfinity].contains(text)
    return isInfinite || text.utf8.count == 10 ? text : nil
  }
}
