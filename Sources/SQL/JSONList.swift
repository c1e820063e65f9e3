package import Query

/// A list of values as one JSON text, for databases that can read one as a table.
///
/// Integers and most texts are plain JSON. What JSON, or SQLite's reading of it, does not keep exactly (reals, blobs and
/// texts with an embedded NUL) is coded as a text whose first letter tells its kind, and then all texts of the list are.
package struct JSONList: Hashable, Sendable {
  /// The JSON array.
  package let json: String
  /// Whether the items have to be decoded with ``item(_:)``.
  package let isCoded: Bool

  /// Writes a list; it holds no null, since `in` never finds one in SQL.
  package init(_ values: [Value]) {
    let isCoded = values.contains { value in
      switch value {
      case .null, .integer: false
      case .text(let text): text.utf8.contains(0)
      case .real, .blob: true
      }
    }
    var json = "["
    for value in values {
      if json.utf8.count > 1 { json += "," }
      switch value {
      case .null: json += "null"
      case .integer(let integer): json += String(integer)
      case .text(let text): Self.append(isCoded ? Self.code(text) : text, to: &json)
      case .real(let real): Self.append("r" + String(real.bitPattern, radix: 16), to: &json)
      case .blob(let bytes): Self.append("b" + Self.hex(bytes), to: &json)
      }
    }
    self.json = json + "]"
    self.isCoded = isCoded
  }

  /// Decodes one item of a coded list; an item that is no coded text stands for itself.
  package static func item(_ item: Value) -> Value {
    guard case .text(let text) = item, let kind = text.utf8.first else { return item }
    // By scalars, not characters: the letter and a combining mark after it are one character.
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

  private static func code(_ text: String) -> String {
    text.utf8.contains(0) ? "h" + hex(Array(text.utf8)) : "s" + text
  }

  private static func append(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    var hex = ""
    hex.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      hex += byte < 16 ? "0" : ""
      hex += String(byte, radix: 16)
    }
    return hex
  }

  /// - Returns: `nil` where the text is not hexadecimal: a database may call the function with what it likes.
  private static func bytes(hex: Substring) -> [UInt8]? {
    let digits = hex.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
