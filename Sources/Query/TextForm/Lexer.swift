/// A lexer that splits a text into tokens, one at a time and from left to right.
///
/// It works on UTF-8, not on characters: a quote that is followed by a combining accent is one `Character`, and still ends a
/// text.
struct Lexer {
  /// The text's UTF-8.
  let bytes: [UInt8]
  /// The position from which the next token is read.
  var offset = 0
  /// The end of the last token.
  private var endOfLast = 0
  /// Whether the last token is a word that is not a key.
  private var isLastReserved = false
  /// Whether the last token is the dot of a path.
  private var isLastDot = false

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Reads the next token; at the end of the text, always ``Token/Kind/end``.
  mutating func next() -> Token {
    while let byte = byte(), byte == UInt8(ascii: " ") || (0x09...0x0A).contains(byte) || byte == 0x0D { offset += 1 }
    let start = offset
    guard let byte = byte() else {
      // Directly after the last token, so that a caret does not point below an empty last line.
      return Token(kind: .end, range: endOfLast..<endOfLast)
    }
    let kind = isLastDot && start == endOfLast && byte.isDigit ? position() : kind(startingWith: byte)
    endOfLast = offset
    if case .dot = kind { isLastDot = true } else { isLastDot = false }
    if case .word(let keyword?) = kind { isLastReserved = keyword.isReserved } else { isLastReserved = false }
    return Token(kind: kind, range: start..<offset)
  }

  /// Returns the byte at a distance from the lexer's position.
  func byte(at distance: Int = 0) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func kind(startingWith byte: UInt8) -> Token.Kind {
    switch byte {
    case UInt8(ascii: "("): return symbol(.leftParenthesis)
    case UInt8(ascii: ")"): return symbol(.rightParenthesis)
    case UInt8(ascii: ","): return symbol(.comma)
    case UInt8(ascii: "'"): return text()
    case UInt8(ascii: "\""): return quotedKey()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "-"), UInt8(ascii: "."):
      // A dot that touches the name before it belongs to a path.
      if byte == UInt8(ascii: "."), offset > 0, offset == endOfLast, endsName, !isLastReserved { return symbol(.dot) }
      if startsNumber { return number() }
      return byte == UInt8(ascii: "-") ? symbol(.minus) : symbol(.unknown)
    case UInt8(ascii: "+"): return symbol(.operation(.add))
    case UInt8(ascii: "*"): return symbol(.operation(.multiply))
    case UInt8(ascii: "/"): return symbol(.operation(.divide))
    case UInt8(ascii: "%"): return symbol(.operation(.remainder))
    case UInt8(ascii: "|") where self.byte(at: 1) == byte: return symbol(.operation(.concatenate), length: 2)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if self.byte(at: 1) == UInt8(ascii: "'") { return blob() }
    case UInt8(ascii: ":"):
      if let parameter = parameter() { return parameter }
    default:
      if let (comparisonOperator, length) = comparisonOperator(startingWith: byte) {
        return symbol(.comparisonOperator(comparisonOperator), length: length)
      }
    }
    let scalar = scalar()
    if scalar.startsIdentifier {
      return word()
    }
    let isDoubled = (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "|")) && self.byte(at: 1) == byte
    return symbol(.unknown, length: isDoubled ? 2 : UTF8.width(scalar))
  }

  /// Whether the token that ends here is a name.
  private var endsName: Bool {
    let last = bytes[offset - 1]
    return last == UInt8(ascii: "\"") || last == UInt8(ascii: "]") || last >= 0x80 || last == UInt8(ascii: "_")
      || last.isLetterOrDigit
  }

  private mutating func symbol(_ kind: Token.Kind, length: Int = 1) -> Token.Kind {
    offset += length
    return kind
  }

  private func comparisonOperator(startingWith first: UInt8) -> (ComparisonOperator, length: Int)? {
    switch (first, byte(at: 1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): (.equal, 2)
    case (UInt8(ascii: "="), _): (.equal, 1)
    case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")): (.notEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): (.lessThanOrEqual, 2)
    case (UInt8(ascii: "<"), _): (.lessThan, 1)
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): (.greaterThanOrEqual, 2)
    case (UInt8(ascii: ">"), _): (.greaterThan, 1)
    default: nil
    }
  }

  /// Reads `:name`; `nil` if no name follows.
  private mutating func parameter() -> Token.Kind? {
    offset += 1
    if offset < bytes.count, scalar().startsIdentifier {
      skipIdentifier()
      return .parameter
    }
    offset -= 1
    return nil
  }

  private mutating func word() -> Token.Kind {
    let start = offset
    skipIdentifier()
    return .word(Keyword(word: bytes[start..<offset]))
  }

  /// Reads a step of a path that begins with a digit, such as a position in an array.
  private mutating func position() -> Token.Kind {
    let start = offset
    skipIdentifier()
    return .quotedKey(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  /// Advances over scalars that may continue an identifier.
  mutating func skipIdentifier() {
    while offset < bytes.count {
      let scalar = scalar()
      guard scalar.continuesIdentifier else { return }
      offset += UTF8.width(scalar)
    }
  }

  /// Returns the scalar at the lexer's position, which is neither the end nor within a scalar.
  func scalar() -> Unicode.Scalar {
    if bytes[offset] < 0x80 { return Unicode.Scalar(bytes[offset]) }
    var decoder = UTF8()
    var iterator = bytes[offset...].makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
    return "\u{FFFD}"  // The UTF-8 of a `String` is always valid.
  }
}

extension Unicode.Scalar {
  // Most names are ASCII, and the properties of a scalar take long to look up.

  /// Whether an identifier may start with this scalar.
  var startsIdentifier: Bool { isASCII ? continuesIdentifier && !("0"..."9" ~= self) : properties.isXIDStart }

  /// Whether an identifier may go on with this scalar.
  var continuesIdentifier: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: !isASCII && properties.isXIDContinue
    }
  }
}

// Each of these methods starts at the first byte of a literal, and leaves the lexer after the literal or, if that is malformed,
// at a position from which nothing more is read.

extension Lexer {
  /// Reads `'it''s'`.
  mutating func text() -> Token.Kind {
    let start = offset
    guard let text = quoted() else {
      return .malformed(
        TokenError(
          start, expected: "a closing `'`", found: bytes.count..<bytes.count,
          reason: "the text that starts here has no end",
          suggestion: "double a quote within text, such as 'it''s'"))
    }
    return .literal(.text(text))
  }

  /// Reads `"base attack"`.
  mutating func quotedKey() -> Token.Kind {
    let start = offset
    guard let key = quoted() else {
      return .malformed(
        TokenError(
          start, expected: "a closing `\"`", found: bytes.count..<bytes.count,
          reason: "the key that starts here has no end",
          suggestion: "put text in single quotes, and keys in double quotes"))
    }
    return .quotedKey(key)
  }

  /// Reads the text between two quotes, with doubled quotes unescaped; `nil` if the closing quote is missing.
  private mutating func quoted() -> String? {
    let quote = bytes[offset]
    offset += 1
    var content: [UInt8] = []
    while let end = bytes[offset...].firstIndex(of: quote) {
      content += bytes[offset..<end]
      offset = end + 1
      if byte() != quote { return String(decoding: content, as: UTF8.self) }
      content.append(quote)
      offset += 1
    }
    offset = bytes.count
    return nil
  }

  /// Reads `x'00ff'`.
  mutating func blob() -> Token.Kind {
    let start = offset
    offset += 2
    var blob: [UInt8] = []
    var high: UInt8?
    while let byte = byte(), byte != UInt8(ascii: "'") {
      guard let digit = byte.hexadecimalDigit else {
        return .malformed(
          TokenError(
            offset, expected: "a hexadecimal digit", found: offset..<(offset + UTF8.width(scalar())),
            reason: "write a blob as pairs of hexadecimal digits, such as x'00ff'"))
      }
      if let first = high {
        blob.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
      offset += 1
    }
    if offset == bytes.count {
      return .malformed(
        TokenError(
          start, expected: "a closing `'`", found: offset..<offset, reason: "the blob that starts here has no end"))
    }
    if high != nil {
      return .malformed(
        TokenError(
          offset, expected: "a hexadecimal digit", found: offset..<(offset + 1),
          reason: "write two digits for each byte of a blob, such as x'00ff'"))
    }
    offset += 1
    return .literal(.blob(blob))
  }
}

extension Lexer {
  /// Whether a digit follows, after at most a sign and a point.
  var startsNumber: Bool {
    var distance = 0
    if byte() == UInt8(ascii: "-") { distance += 1 }
    if byte(at: distance) == UInt8(ascii: ".") { distance += 1 }
    return byte(at: distance)?.isDigit ?? false
  }

  /// Reads `12` and `-1.5e3`.
  mutating func number() -> Token.Kind {
    let start = offset
    if byte() == UInt8(ascii: "-") { offset += 1 }
    var isWellFormed = skipDigits()
    var isInteger = true
    if byte() == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      isWellFormed = skipDigits() && isWellFormed
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { offset += 1 }
      isWellFormed = skipDigits() && isWellFormed
    }
    let end = offset
    skipRestOfNumber()
    let range = start..<offset
    let spelling = String(decoding: bytes[range], as: UTF8.self)
    guard isWellFormed, end == offset else {
      return .malformed(
        TokenError(
          start, expected: "a number", found: range, reason: "write a number such as 12 or -1.5e3",
          suggestion: CommonMistakes.number(spelling)))
    }
    if isInteger {
      if let integer = Int64(spelling) { return .literal(.integer(integer)) }
      return .malformed(
        TokenError(
          start, expected: "an integer from \(Int64.min) to \(Int64.max)", found: range,
          suggestion: range.count <= 32 ? "write the number as a real: \(spelling).0" : "write the number as a real"))
    }
    guard let real = Double(spelling) else {
      return .malformed(TokenError(start, expected: "a number", found: range))
    }
    // `9e999` is the text form of infinity; any other number beyond the greatest real is hardly meant as that.
    let infinity = real < 0 ? "-9e999" : "9e999"
    if real.isInfinite, spelling.lowercased() != infinity {
      return .malformed(
        TokenError(
          start, expected: "a number from -\(Double.greatestFiniteMagnitude) to \(Double.greatestFiniteMagnitude)",
          found: range,
          suggestion: "write `\(infinity)` for infinity"))
    }
    return .literal(.real(real))
  }

  /// - Returns: whether there was a digit.
  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte = byte(), byte.isDigit { offset += 1 }
    return offset > start
  }

  /// Skips what touches a number but is not part of it, such as the `kg` of `90kg`.
  private mutating func skipRestOfNumber() {
    while true {
      let start = offset
      if byte() == UInt8(ascii: ".") { offset += 1 }
      skipIdentifier()
      if offset == start { return }
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
