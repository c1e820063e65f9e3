import ErrorDetails

/// A reader of the tokens of JSON (RFC 8259) in a buffer: a whole text, or as much of a file as was read.
///
/// It takes no stack for nested values. Strings are returned as they are written, without a copy; ``unescape(_:into:)``
/// replaces their escapes. Whether strings are valid UTF-8 is for the caller to check.
package struct JSONTokenizer {
  /// The reason why reading stops.
  package enum Failure: Error {
    /// The bytes end within a value, and more of them may follow.
    case incomplete
    /// The text at an offset is not JSON.
    case malformed(String, at: Int, suggestion: String?)
  }

  package let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  package var offset = 0
  private let isWhole: Bool

  /// - Parameters:
  ///   - bytes: the text, which has to outlive the tokenizer.
  ///   - isWhole: whether the bytes are the whole text.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool = false) {
    (self.bytes, self.isWhole) = (bytes, isWhole)
  }

  /// Returns the next byte; 0, which begins no token, at the end of a whole text.
  @inline(__always)
  package func peek() throws(Failure) -> UInt8 {
    if offset < bytes.count { return bytes[offset] }
    if isWhole { return 0 }
    throw .incomplete
  }

  package mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isJSONSpace { offset += 1 }
  }

  /// Reads a punctuation character, such as `{`, and throws for any other.
  package mutating func expect(_ mark: Unicode.Scalar) throws(Failure) {
    guard try peek() == UInt8(ascii: mark) else { throw failure(expected: "`\(mark)`") }
    offset += 1
  }

  /// Reads a word, such as `null`, if it comes next, and returns whether it does.
  package mutating func accept(word: StaticString) throws(Failure) -> Bool {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for (position, letter) in letters.enumerated() {
      guard offset + position < bytes.count else {
        if isWhole { return false }
        throw .incomplete
      }
      if bytes[offset + position] != letter { return false }
    }
    offset += letters.count
    return true
  }

  /// Reads a number, and returns how it is written.
  package mutating func number() throws(Failure) -> UnsafeBufferPointer<UInt8> {
    let start = offset
    if try peek() == UInt8(ascii: "-") { offset += 1 }
    if try peek() == UInt8(ascii: "0") { offset += 1 } else { try skipDigits() }
    if try peek() == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if try peek() | 0x20 == UInt8(ascii: "e") {
      offset += 1
      let sign = try peek()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
    // The only digits that can follow here are those after a leading zero; any other byte is for the caller to judge.
    if try peek().isDigit {
      throw .malformed(
        "a number has a leading zero", at: start, suggestion: "put the number in double quotes if the zero matters")
    }
    return UnsafeBufferPointer(rebasing: bytes[start..<offset])
  }

  private mutating func skipDigits() throws(Failure) {
    let start = offset
    while try peek().isDigit { offset += 1 }
    if offset == start { throw failure(expected: "a digit") }
  }
}

// MARK: - Strings

extension JSONTokenizer {
  /// The text between the quotes of a string, escapes included.
  package struct StringToken {
    package let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of ``bytes``.
    package let start: Int
    package let hasEscapes: Bool
  }

  /// Reads a string, from its opening quote on.
  package mutating func string() throws(Failure) -> StringToken {
    let opening = offset
    offset += 1
    var hasEscapes = false
    while true {
      if isWhole, offset >= bytes.count {
        throw .malformed("the string that starts here has no end", at: opening, suggestion: "close the string with \"")
      }
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 {
        throw .malformed(
          "a string contains an unescaped control character", at: offset,
          suggestion:
            "write the character as \(Self.escape(for: byte)), or close the string before the character with \"")
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        offset += 1
        _ = try peek()
      }
      offset += 1
    }
    offset += 1
    return StringToken(
      bytes: UnsafeBufferPointer(rebasing: bytes[opening + 1..<offset - 1]), start: opening + 1, hasEscapes: hasEscapes)
  }

  private static func escape(for byte: UInt8) -> String {
    switch byte {
    case 0x0A: #"\n"#
    case 0x0D: #"\r"#
    case 0x09: #"\t"#
    default: #"\u"# + Hexadecimal.digits(of: byte, atLeast: 4)
    }
  }

  /// Replaces the escapes of a string (RFC 8259, section 7).
  ///
  /// - Parameters:
  ///   - string: the string.
  ///   - buffer: room for as many bytes as ``StringToken/bytes`` has: an escape is longer than its character.
  /// - Returns: the number of bytes that were written.
  package static func unescape(
    _ string: StringToken, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(Failure) -> Int {
    let bytes = string.bytes
    var (index, written) = (0, 0)
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "\\") {
        buffer[written] = bytes[index]
        (index, written) = (index + 1, written + 1)
        continue
      }
      let escape = index
      index += 2
      if let byte = character(forEscape: bytes[escape + 1]) {
        buffer[written] = byte
        written += 1
        continue
      }
      guard bytes[escape + 1] == UInt8(ascii: "u") else {
        throw .malformed("this is not an escape", at: string.start + escape, suggestion: #"write a backslash as \\"#)
      }
      var scalar = try codeUnit(bytes, &index, of: string.start + escape)
      if 0xD800...0xDFFF ~= scalar {
        // A scalar beyond U+FFFF is written as a pair of surrogates.
        let isPair =
          scalar < 0xDC00 && index + 1 < bytes.count && bytes[index] == UInt8(ascii: "\\")
          && bytes[index + 1] == UInt8(ascii: "u")
        index += 2
        let trail = isPair ? try codeUnit(bytes, &index, of: string.start + index - 2) : 0
        guard 0xDC00...0xDFFF ~= trail else {
          throw .malformed("half of a surrogate pair is not a character", at: string.start + escape, suggestion: nil)
        }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (trail - 0xDC00)
      }
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
        buffer[written] = byte
        written += 1
      }
    }
    return written
  }

  /// Reads four hexadecimal digits.
  private static func codeUnit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, of escape: Int
  ) throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for position in index..<index + 4 {
      guard position < bytes.count, let digit = bytes[position].hexadecimalDigit else {
        throw .malformed(#"`\u` takes four hexadecimal digits"#, at: escape, suggestion: nil)
      }
      unit = unit << 4 | UInt32(digit)
    }
    index += 4
    return unit
  }

  private static func character(forEscape letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}

// MARK: - Nested values

extension JSONTokenizer {
  /// Reads an array or an object, and returns its text.
  package mutating func nested() throws(Failure) -> UnsafeBufferPointer<UInt8> {
    let start = offset
    var closers: [UInt8] = []
    repeat {
      switch try peek() {
      case UInt8(ascii: "["):
        closers.append(UInt8(ascii: "]"))
        offset += 1
        skipSpace()
        if try peek() != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        closers.append(UInt8(ascii: "}"))
        offset += 1
        skipSpace()
        if try peek() != UInt8(ascii: "}") {
          try skipName()
          continue
        }
      default: try skipScalar()
      }
      try skipEndOfValue(&closers)
    } while !closers.isEmpty
    return UnsafeBufferPointer(rebasing: bytes[start..<offset])
  }

  /// Skips a value of any kind.
  package mutating func skipValue() throws(Failure) {
    switch try peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["): _ = try nested()
    default: try skipScalar()
    }
  }

  /// Skips what follows a value in arrays and objects, up to the next value or the end of all of them.
  private mutating func skipEndOfValue(_ closers: inout [UInt8]) throws(Failure) {
    while let closer = closers.last {
      skipSpace()
      let byte = try peek()
      if byte == closer {
        closers.removeLast()
        offset += 1
      } else if byte == UInt8(ascii: ",") {
        offset += 1
        skipSpace()
        if closer == UInt8(ascii: "}") { try skipName() }
        return
      } else {
        throw failure(expected: "`,` or `\(Unicode.Scalar(closer))`")
      }
    }
  }

  private mutating func skipName() throws(Failure) {
    guard try peek() == UInt8(ascii: "\"") else { throw failure(expected: "a name in double quotes") }
    try skipString()
    skipSpace()
    try expect(":")
    skipSpace()
  }

  private mutating func skipString() throws(Failure) {
    let string = try string()
    guard string.hasEscapes else { return }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: string.bytes.count)
    defer { buffer.deallocate() }
    _ = try Self.unescape(string, into: buffer)
  }

  private mutating func skipScalar() throws(Failure) {
    switch try peek() {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default:
      if try accept(word: "null") { return }
      if try accept(word: "true") { return }
      if try accept(word: "false") { return }
      throw failure(expected: "a value")
    }
  }
}

// MARK: - Errors

extension JSONTokenizer {
  /// Returns the error for a next byte that differs from what was expected.
  package func failure(expected: String) -> Failure {
    let rest = bytes[offset...]
    let word = rest.prefix { $0 > 0x20 && !",:[]{}".utf8.contains($0) }
    let excerpt = VisibleText.excerpt(of: Array((word.isEmpty ? rest.prefix(1) : word).prefix(600))[...])
    let found = rest.isEmpty ? "the end of the text" : "`\(excerpt)`"
    return .malformed("expected \(expected), found \(found)", at: offset, suggestion: suggestion(for: word))
  }

  /// Returns what to write instead of a word from another language.
  private func suggestion(for word: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    switch String(decoding: word.prefix(16), as: UTF8.self) {
    case "":
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "]") || bytes[offset] == UInt8(ascii: "}"),
        bytes[..<offset].last(where: { !$0.isJSONSpace }) == UInt8(ascii: ",")
      else { return nil }
      return "remove the last comma"
    case "True": return "write true"
    case "False": return "write false"
    case "None", "nil", "undefined", "NULL", "NaN": return "write null"
    case let word where word.hasPrefix("'") || word.hasPrefix("“"): return "put names and texts in double quotes"
    case let word where word.hasPrefix("//") || word.hasPrefix("/*") || word.hasPrefix("#"):
      return "JSON can't contain comments"
    default: return nil
    }
  }
}

extension UInt8 {
  /// Whether this is white space of JSON.
  package var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
