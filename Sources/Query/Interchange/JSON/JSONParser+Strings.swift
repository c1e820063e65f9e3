extension JSONParser {
  /// Reads a string from its opening quote to its closing one.
  mutating func string() throws(InterchangeError) -> String {
    let opening = position
    position += 1
    var content: [UInt8] = []
    var start = position
    while true {
      guard let byte = current else {
        throw error("the string that starts here does not end", at: opening, suggestion: "close it with \"")
      }
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<position]
        position += 1
        // The text was valid UTF-8, and escapes stand for whole scalars.
        return content.isEmpty ? String(decoding: rest, as: UTF8.self) : String(decoding: content + rest, as: UTF8.self)
      case UInt8(ascii: "\\"):
        content += bytes[start..<position]
        position += 1
        content += try escaped().utf8
        start = position
      case 0..<0x20:
        throw error("a string holds a control character as it is", at: position, suggestion: escape(for: byte))
      default:
        position += 1
      }
    }
  }

  /// Reads what stands after a backslash.
  private mutating func escaped() throws(InterchangeError) -> String {
    let start = position - 1
    position += 1
    switch position <= bytes.count ? bytes[position - 1] : 0 {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      throw error("this is no escape", at: start, suggestion: #"a backslash is written \\"#)
    }
    let unit = try codeUnit(of: start)
    if let scalar = Unicode.Scalar(UInt32(unit)) { return String(scalar) }
    // Beyond U+FFFF, a scalar is written as a pair (RFC 8259, section 7).
    if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let trail = try codeUnit(of: position - 2)
      if UTF16.isTrailSurrogate(trail) { return String(decoding: [unit, trail], as: UTF16.self) }
    }
    throw error("half of a pair of escapes is no character", at: start)
  }

  /// Reads four hexadecimal digits.
  private mutating func codeUnit(of escape: Int) throws(InterchangeError) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.isHexadecimalDigit),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      throw error(#"`\u` takes four hexadecimal digits"#, at: escape)
    }
    position += 4
    return unit
  }

  private func escape(for byte: UInt8) -> String {
    switch byte {
    case 0x0A: #"write \n"#
    case 0x0D: #"write \r"#
    case 0x09: #"write \t"#
    default: #"write \u00"# + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
