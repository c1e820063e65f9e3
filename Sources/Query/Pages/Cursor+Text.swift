extension Cursor: CustomStringConvertible {
  /// The cursor as a text that can stand in a URL; it parses back to the same cursor.
  public var description: String {
    var bytes = CursorBytes()
    bytes.append(fingerprint)
    for value in values { bytes.append(value) }
    return Base64.textForURLs(bytes.bytes)
  }

  /// Reads the text of a cursor.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidCursor`` where the text is none.
  public init(parsing text: String) throws(QueryError) {
    guard let bytes = Base64.bytes(forURLText: text), let cursor = CursorBytes.cursor(bytes) else {
      throw QueryError(.invalidCursor, "this is no cursor", suggestion: "pass a cursor on as it came, in full")
    }
    self = cursor
  }
}

/// The bytes of a cursor: the fingerprint, and for each value a letter for its case and what it holds. Numbers stand in
/// eight bytes, the highest first; texts and blobs after their length.
private struct CursorBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  mutating func append(_ value: Value) {
    switch value {
    case .null:
      bytes.append(UInt8(ascii: "n"))
    case .integer(let integer):
      bytes.append(UInt8(ascii: "i"))
      append(UInt64(bitPattern: integer))
    case .real(let real):
      bytes.append(UInt8(ascii: "r"))
      append(real.bitPattern)
    case .text(let text):
      append(UInt8(ascii: "t"), Array(text.utf8))
    case .blob(let blob):
      append(UInt8(ascii: "b"), blob)
    }
  }

  private mutating func append(_ letter: UInt8, _ content: [UInt8]) {
    bytes.append(letter)
    append(UInt64(content.count))
    bytes += content
  }

  /// - Returns: `nil` where the bytes are none of a cursor.
  static func cursor(_ bytes: [UInt8]) -> Cursor? {
    var rest = bytes[...]
    guard let fingerprint = number(&rest) else { return nil }
    var values: [Value] = []
    while let letter = rest.popFirst() {
      guard let value = value(letter, &rest) else { return nil }
      values.append(value)
    }
    return Cursor(fingerprint: fingerprint, values: values)
  }

  private static func value(_ letter: UInt8, _ rest: inout ArraySlice<UInt8>) -> Value? {
    switch letter {
    case UInt8(ascii: "n"):
      return Value.null
    case UInt8(ascii: "i"):
      return number(&rest).map { .integer(Int64(bitPattern: $0)) }
    case UInt8(ascii: "r"):
      guard let real = number(&rest).map(Double.init(bitPattern:)), !real.isNaN else { return nil }
      return .real(real)
    case UInt8(ascii: "t"):
      return content(&rest).flatMap { String(validating: $0, as: UTF8.self) }.map(Value.text)
    case UInt8(ascii: "b"):
      return content(&rest).map { .blob(Array($0)) }
    default:
      return nil
    }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func content(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let count = number(&rest), count <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }
}
