/// A position in a sorted result, at which another page begins or ends.
///
/// A cursor holds the sort keys of one row. Its text is opaque and consists only of letters, digits, `-` and `_`, so that it
/// can be used in a URL or on a command line:
///
/// ```swift
/// let cursor = try Cursor(at: row, in: table, sortedBy: sort)
/// let same = try Cursor(parsing: cursor.text)
/// ```
///
/// `Codable` encodes a cursor as this text.
///
/// A database seeks the cursor by the first sort key, if that has an index, and scans from there through the rows that have
/// the same value or null: later pages are as fast as the first if most rows have distinct values.
///
/// A cursor is valid only for the sort and the table that it was made for; a request with any other cursor is refused.
public struct Cursor: Hashable, Sendable {
  /// A hash that identifies the sort and the table.
  package let fingerprint: UInt64
  /// The row's sort keys, in the order of the resolved sort.
  package let values: [Value]

  init(fingerprint: UInt64, values: [Value]) {
    self.fingerprint = fingerprint
    self.values = values
  }
}

extension Cursor: CustomStringConvertible, Codable {
  /// The cursor's text.
  public var description: String { text }

  /// The cursor as a text that is safe in a URL; it parses back to the same cursor.
  public var text: String {
    var bytes = CursorBytes()
    bytes.append(fingerprint)
    for value in values { bytes.append(value) }
    return Base64.textForURLs(bytes.bytes)
  }

  /// Parses the text of a cursor.
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidCursor`` if the text is not a cursor.
  public init(parsing text: String) throws(QueryError) {
    guard let bytes = Base64.bytes(forURLText: text), let cursor = CursorBytes.cursor(bytes) else {
      throw QueryError(.invalidCursor, "this is not a cursor", suggestion: "pass the cursor unchanged and complete")
    }
    self = cursor
  }

  /// Parses the text of a cursor from any decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(parsing: try container.decode(String.self))
    } catch let error as QueryError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.summary)
    }
  }

  /// Writes the cursor's text to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The bytes of a cursor: the fingerprint, and for each value a letter for its kind and its content. Numbers take eight
/// bytes, in big-endian order; texts and blobs follow their length.
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

  /// - Returns: `nil` if the bytes are not those of a cursor.
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
