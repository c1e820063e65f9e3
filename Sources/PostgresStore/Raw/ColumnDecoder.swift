import Query

/// How the values of a result's column are read.
///
/// The server sends all columns of a result in their types' own forms, or all as texts. Types whose own form is not read here
/// come as texts, with all columns beside them.
enum ColumnDecoder: Hashable, Sendable {
  // In the types' own forms.
  case int2, int4, int8, oid, bool, float4, float8, text, bytea, uuid
  // As texts.
  case integerText, realText, boolText, byteaText, numericText, timestampText

  /// The way to read a column's own form; `nil` for types that are read as texts.
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
    case let type where type.isText: self = .text
    default: return nil
    }
  }

  /// The way to read a column that is sent as a text.
  init(text type: TypeID) {
    switch type {
    case .int2, .int4, .int8, .oid: self = .integerText
    case .float4, .float8: self = .realText
    case .bool: self = .boolText
    case .bytea: self = .byteaText
    case .numeric: self = .numericText
    case .timestamptz: self = .timestampText
    default: self = .text
    }
  }

  /// The ways to read the columns of a result, and whether they are to be sent in their own forms.
  static func decoders(of columns: [ResultColumn]) -> (decoders: [ColumnDecoder], isBinary: Bool) {
    let binary = columns.compactMap { ColumnDecoder(binary: $0.type) }
    if binary.count == columns.count { return (binary, true) }
    return (columns.map { ColumnDecoder(text: $0.type) }, false)
  }

  // MARK: Values

  /// The value of some bytes.
  ///
  /// - Throws: ``/Query/ValueError`` for what is no number.
  func value(_ bytes: UnsafeRawBufferPointer) throws(ValueError) -> Value {
    switch self {
    case .int2, .int4, .int8, .oid, .bool, .integerText, .boolText: return .integer(integer(bytes) ?? 0)
    case .float4, .float8, .realText:
      let real = real(bytes) ?? .nan
      if real.isNaN { throw .notANumber }
      return .real(real)
    case .bytea, .byteaText: return .blob(blob(bytes))
    case .text, .uuid, .timestampText: return .text(text(bytes) ?? "")
    case .numericText:
      if let integer = integer(bytes) { return .integer(integer) }
      guard let real = real(bytes), !real.isNaN else { throw .notANumber }
      return .real(real)
    }
  }

  /// The integer of some bytes; `nil` where the column holds none.
  @inline(__always)
  func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    switch self {
    case .int8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case .int4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case .int2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case .oid: Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    case .bool: Int64(bytes[0])
    case .integerText, .numericText: Int64(String(decoding: bytes, as: UTF8.self))
    case .boolText: bytes.first == UInt8(ascii: "t") ? 1 : 0
    default: nil
    }
  }

  /// The real of some bytes; `nil` where the column holds none.
  @inline(__always)
  func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    switch self {
    case .float8: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    case .float4: Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    // PostgreSQL writes `Infinity` and `NaN` as Swift reads them.
    case .realText, .numericText: Double(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }

  /// The text of some bytes; `nil` where the column holds none. The server sees to it that all texts are UTF-8.
  @inline(__always)
  func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .text: String(decoding: bytes, as: UTF8.self)
    case .uuid: Self.uuid(bytes)
    case .timestampText: Self.date(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }

  private func blob(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard self == .byteaText else { return [UInt8](bytes) }
    // `\x` and two digits a byte: https://www.postgresql.org/docs/15/datatype-binary.html
    let digits = bytes.dropFirst(2).map { UInt8($0 & 0xF) + ($0 >= UInt8(ascii: "a") ? 9 : 0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func uuid(_ bytes: UnsafeRawBufferPointer) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (position, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(position) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// An instant as this toolkit writes dates, from `2026-11-23 04:47:05.12+00`, which the server writes in a session whose
  /// time zone is UTC. Years beyond 9999 or before our era, and infinities, stay as they are.
  private static func date(_ text: String) -> String {
    guard text.utf8.count >= 22, text.hasSuffix("+00"), text.utf8.dropFirst(10).first == UInt8(ascii: " ") else {
      return text
    }
    let (day, time, fraction) = (text.prefix(10), text.dropFirst(11).prefix(8), text.dropFirst(20).dropLast(3))
    return "\(day)T\(time).\(fraction)\(String(repeating: "0", count: max(0, 9 - fraction.count)))Z"
  }
}
