/// Splits a text into tokens, one at a time and from left to right.
///
/// It works on UTF-8, not on characters: a quote that is followed by a combining accent is one `Character`, and still
/// ends a text.
struct Lexer {
  /// The text's UTF-8.
  let bytes: [UInt8]
  /// Where the next token is looked for.
  var offset = 0
  /// Where the last token ended.
  private var endOfLast = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Takes the next token; at the end of the text, again and again ``Token/Kind/end``.
  mutating func next() -> Token {
    while let byte = byte(), byte == UInt8(ascii: " ") || (0x09...0x0A).contains(byte) || byte == 0x0D { offset += 1 }
    let start = offset
    guard let byte = byte() else {
      // The end stands next to the last token, so that a caret does not point below an empty last line.
      return Token(kind: .end, range: endOfLast..<endOfLast)
    }
    let kind = kind(startingWith: byte)
    endOfLast = offset
    return Token(kind: kind, range: start..<offset)
  }

  /// The byte at a distance from where the lexer stands.
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
      if startsNumber { return number() }
      return byte == UInt8(ascii: "-") ? symbol(.minus) : symbol(.unknown)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if self.byte(at: 1) == UInt8(ascii: "'") { return blob() }
    case UInt8(ascii: ":"):
      if let parameter = parameter() { return parameter }
    default:
      if let (relation, length) = relation(startingWith: byte) { return symbol(.relation(relation), length: length) }
    }
    let scalar = scalar()
    if scalar.startsIdentifier {
      return word()
    }
    let isDoubled = (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "|")) && self.byte(at: 1) == byte
    return symbol(.unknown, length: isDoubled ? 2 : UTF8.width(scalar))
  }

  private mutating func symbol(_ kind: Token.Kind, length: Int = 1) -> Token.Kind {
    offset += length
    return kind
  }

  private func relation(startingWith first: UInt8) -> (Relation, length: Int)? {
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

  /// `:name`; `nil` where no name follows.
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

  /// Goes on while scalars may stand within an identifier.
  mutating func skipIdentifier() {
    while offset < bytes.count {
      let scalar = scalar()
      guard scalar.continuesIdentifier else { return }
      offset += UTF8.width(scalar)
    }
  }

  /// The scalar where the lexer stands, which is not the end and never amid a scalar.
  func scalar() -> Unicode.Scalar {
    if bytes[offset] < 0x80 { return Unicode.Scalar(bytes[offset]) }
    var decoder = UTF8()
    var iterator = bytes[offset...].makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
    return "\u{FFFD}"  // The UTF-8 of a `String` is always valid.
  }
}

extension Unicode.Scalar {
  /// Whether an identifier may start with this scalar.
  var startsIdentifier: Bool { self == "_" || properties.isXIDStart }

  /// Whether an identifier may go on with this scalar.
  var continuesIdentifier: Bool { properties.isXIDContinue }
}
