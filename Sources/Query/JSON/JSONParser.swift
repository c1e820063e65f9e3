/// Reads a JSON text (RFC 8259), in time that grows with its length alone, and however deep it is nested, without taking
/// stack.
///
/// Written by hand because Foundation's decoder refuses more than 512 levels, and does not show how a number is written.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  private(set) var tokens: [JSONToken] = []
  /// Where the containers begin, in ``tokens``, that are not closed yet.
  private var open: [Int] = []

  /// - Throws: ``JSONCodingError`` with the code ``JSONCodingError/Code/malformed``.
  static func parse(_ text: String) throws(JSONCodingError) -> JSONValue {
    var parser = JSONParser(bytes: Array(text.utf8))
    return try parser.parse()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark may be ignored (RFC 8259, section 8.1); editors of some systems write one.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private mutating func parse() throws(JSONCodingError) -> JSONValue {
    skipSpace()
    while true {
      switch current {
      case UInt8(ascii: "["):
        begin(.array(count: .max))
        if current != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        begin(.object(count: .max))
        if current != UInt8(ascii: "}") {
          try name()
          continue
        }
      default:
        tokens.append(try scalar())
        skipSpace()
      }
      if try endOfValue() { return JSONValue(tokens: tokens[...]) }
    }
  }

  /// Reads what follows a value, up to the next value.
  ///
  /// - Returns: whether that was the last one.
  private mutating func endOfValue() throws(JSONCodingError) -> Bool {
    while let start = open.last {
      let isObject = if case .object = tokens[start] { true } else { false }
      let isEmpty = start == tokens.count - 1
      if !isEmpty, current == UInt8(ascii: ",") {
        advance()
        if isObject { try name() }
        return false
      }
      guard current == UInt8(ascii: isObject ? "}" : "]") else {
        throw error(expected: isObject ? "`,` or `}`" : "`,` or `]`")
      }
      let count = tokens.count - 1 - start
      tokens[start] = isObject ? .object(count: count) : .array(count: count)
      open.removeLast()
      advance()
    }
    guard current == nil else { throw error(expected: "the end of the text") }
    return true
  }

  private mutating func begin(_ container: JSONToken) {
    open.append(tokens.count)
    tokens.append(container)
    advance()
  }

  /// Reads a field's name and the colon after it.
  private mutating func name() throws(JSONCodingError) {
    guard current == UInt8(ascii: "\"") else { throw error(expected: "a name in double quotes") }
    tokens.append(.text(try string()))
    skipSpace()
    guard current == UInt8(ascii: ":") else { throw error(expected: "`:`") }
    advance()
  }

  private mutating func scalar() throws(JSONCodingError) -> JSONToken {
    switch current {
    case UInt8(ascii: "\"")?: return .text(try string())
    case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
    default: break
    }
    for (word, token) in [("null", JSONToken.null), ("true", .boolean(true)), ("false", .boolean(false))]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return token
    }
    throw error(expected: "a value")
  }
}

extension JSONParser {
  /// The byte that comes next; `nil` at the end.
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Leaves out the current byte and the white space after it.
  private mutating func advance() {
    position += 1
    skipSpace()
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func number() throws(JSONCodingError) -> JSONToken {
    let start = position
    var isInteger = true
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let spelling = String(decoding: bytes[start..<position], as: UTF8.self)
    // The zero below zero is a real.
    if isInteger, spelling != "-0", let integer = Int64(spelling) { return .integer(integer) }
    guard let real = Double(spelling), real.isFinite else {
      throw error(
        "this number is greater than any real", at: start,
        suggestion: #"write {"real": "infinity"} if infinity is meant"#)
    }
    return .real(real)
  }

  private mutating func digits() throws(JSONCodingError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw error(expected: "a digit") }
  }
}

extension JSONParser {
  /// Reads a string from its opening quote to its closing one.
  mutating func string() throws(JSONCodingError) -> String {
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
  private mutating func escaped() throws(JSONCodingError) -> String {
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
  private mutating func codeUnit(of escape: Int) throws(JSONCodingError) -> UInt16 {
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

extension JSONParser {
  /// The error for what stands at the current position, which is something else than what was expected.
  func error(expected: String) -> JSONCodingError {
    let rest = bytes[position...]
    let word = rest.prefix { $0 > 0x20 && !#",:[]{}"#.utf8.contains($0) }
    let found =
      rest.isEmpty ? "the end of the text" : "`\(VisibleText.excerpt(of: word.isEmpty ? rest.prefix(1) : word))`"
    return error("expected \(expected), found \(found)", at: position, suggestion: suggestion(for: word))
  }

  /// An error at a position, and in the value that is read there.
  func error(_ summary: String, at position: Int, suggestion: String? = nil) -> JSONCodingError {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0A } + 1
    // Every scalar has exactly one byte that does not continue another (RFC 3629, section 3).
    let column = before[((before.lastIndex(of: 0x0A) ?? -1) + 1)...].count { $0 & 0xC0 != 0x80 } + 1
    return JSONCodingError(
      .malformed, "\(summary), at line \(line), column \(column)",
      path: JSONPointer.path(to: tokens.count, in: tokens[...]), suggestion: suggestion)
  }

  /// What to write instead of what other languages write.
  private func suggestion(for word: ArraySlice<UInt8>) -> String? {
    switch String(decoding: word.prefix(16), as: UTF8.self) {
    case "": current == UInt8(ascii: "]") || current == UInt8(ascii: "}") ? trailingComma : nil
    case "True": "write true"
    case "False": "write false"
    case "None", "nil", "undefined", "NULL": "write null"
    case "NaN": ValueError.notANumber.suggestion
    case "Infinity", "inf":
      #"write {"real": "\#(bytes[..<position].last == UInt8(ascii: "-") ? "-" : "")infinity"}"#
    case let word where word.hasPrefix("'") || word.hasPrefix("“"): "put names and texts in double quotes"
    case let word where word.hasPrefix("//") || word.hasPrefix("/*") || word.hasPrefix("#"): "JSON has no comments"
    default: nil
    }
  }

  private var trailingComma: String? {
    let before = bytes[..<position].last { $0 > 0x20 }
    return before == UInt8(ascii: ",") ? "leave the last comma out" : nil
  }
}
