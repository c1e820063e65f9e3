package import Query

/// A list of values as one JSON text, for SQLite, which reads such a text as a table.
///
/// Integers and most texts are plain JSON. Values that JSON, or SQLite's reading of it, does not preserve (reals, blobs and
/// texts with an embedded NUL) are encoded as a text whose first letter is its kind; in a list with such a value, all texts are
/// encoded.
package struct JSONList: Hashable, Sendable {
  /// The JSON array.
  package let json: String
  /// Whether the items have to be decoded with ``item(_:)``.
  package let isCoded: Bool

  /// Makes a list; the values contain no null, since SQL's `IN` never finds one.
  package init(_ values: [Value]) {
    let isCoded = Self.isCoded(values)
    var json = Array("[".utf8)
    for value in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      switch value {
      case .null: json += "null".utf8
      case .integer(let integer): json += String(integer).utf8
      case .text(let text) where !isCoded: JSONString.append(text, to: &json)
      case .text(let text) where !text.utf8.contains(0): JSONString.append("s" + text, to: &json)
      case .text(let text): Self.append("h", Array(text.utf8), to: &json)
      case .real(let real): json += "\"r\(String(real.bitPattern, radix: 16))\"".utf8
      case .blob(let bytes): Self.append("b", bytes, to: &json)
      }
    }
    json.append(UInt8(ascii: "]"))
    self.json = String(decoding: json, as: UTF8.self)
    self.isCoded = isCoded
  }

  /// Returns whether the items of a list have to be decoded.
  static func isCoded(_ values: [Value]) -> Bool {
    values.contains { value in
      switch value {
      case .null, .integer: false
      case .text(let text): text.utf8.contains(0)
      case .real, .blob: true
      }
    }
  }

  /// Decodes one item of an encoded list; an item that is not an encoded text is the value itself.
  package static func item(_ item: Value) -> Value {
    guard case .text(let text) = item, let kind = text.utf8.first else { return item }
    // Scalars are split, not characters: the letter and a combining mark after it are one character.
    let rest = Substring(text.unicodeScalars.dropFirst())
    switch kind {
    case UInt8(ascii: "r"):
      return UInt64(rest, radix: 16).map { .real(Double(bitPattern: $0)) } ?? item
    case UInt8(ascii: "b"):
      return bytes(hex: rest).map(Value.blob) ?? item
    case UInt8(ascii: "h"):
      return bytes(hex: rest).flatMap { String(validating: $0, as: UTF8.self) }.map(Value.text) ?? item
    default:
      return .text(String(rest))
    }
  }

  private static func append(_ kind: Unicode.Scalar, _ bytes: [UInt8], to json: inout [UInt8]) {
    json += "\"\(kind)".utf8
    Hexadecimal.append(bytes, to: &json)
    json.append(UInt8(ascii: "\""))
  }

  /// - Returns: `nil` if the text is not hexadecimal: a database may call the function with any argument.
  private static func bytes(hex: Substring) -> [UInt8]? {
    let digits = hex.utf8.compactMap(\.hexadecimalDigit)
    guard digits.count.isMultiple(of: 2), digits.count == hex.utf8.count else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
