import ErrorDetails

/// A reader of tokens, which makes the error for a token that is not expected.
struct TokenReader {
  /// The text that is read.
  let text: String
  private var lexer: Lexer
  /// The next token.
  private(set) var current: Token
  /// The previous token, if there is one.
  private(set) var previous: Token?

  init(_ text: String) {
    self.text = text
    lexer = Lexer(text)
    current = lexer.next()
  }

  /// The token after the current one.
  var following: Token {
    var lexer = lexer
    return lexer.next()
  }

  /// Advances to the next token.
  mutating func advance() {
    previous = current
    current = lexer.next()
  }

  /// Consumes the current token if it is this keyword.
  mutating func accept(_ keyword: Keyword) -> Bool {
    guard current.keyword == keyword else { return false }
    advance()
    return true
  }

  /// Whether the current token is this word, which may be a key elsewhere.
  func isAt(word: String) -> Bool {
    if case .word(nil) = current.kind { spelling(of: current).lowercased() == word } else { false }
  }

  /// Consumes the current token if it is this word, which may be a key elsewhere.
  mutating func accept(word: String) -> Bool {
    guard isAt(word: word) else { return false }
    advance()
    return true
  }

  /// Consumes the current token if it is a key.
  mutating func acceptKey() -> String? {
    let key: String
    switch current.kind {
    case .quotedKey(let quoted): key = quoted
    case .word(let keyword) where keyword?.isReserved != true: key = spelling(of: current)
    default: return nil
    }
    advance()
    return key
  }

  /// Consumes the current token if it is a literal.
  mutating func acceptLiteral() -> Value? {
    let value: Value
    switch current.kind {
    case .literal(let literal): value = literal
    case .word(.null): value = .null
    case .word(.true): value = 1
    case .word(.false): value = 0
    default: return nil
    }
    advance()
    return value
  }

  /// Whether the current token touches the one before.
  var isAdjacent: Bool { previous?.range.upperBound == current.range.lowerBound }
}

extension TokenReader {
  /// Returns a token as it is written.
  func spelling(of token: Token) -> String { String(decoding: lexer.bytes[token.range], as: UTF8.self) }

  /// Returns a token as it is written, for a message.
  func excerpt(of token: Token) -> String { excerpt(token.range) }

  /// Returns the name that a key has, without its quotes, for a message.
  func name(of key: Token) -> String {
    if case .quotedKey(let name) = key.kind { VisibleText.excerpt(of: Array(name.utf8)[...]) } else { excerpt(of: key) }
  }

  /// The text from the current token to the next white space, for a message.
  var excerptOfRun: String { excerptOfRun(from: current) }

  /// Returns the text from a token to the white space after the current one, for a message.
  func excerptOfRun(from start: Token) -> String {
    let end = lexer.bytes[current.range.lowerBound...].firstIndex { $0 <= 0x20 } ?? lexer.bytes.count
    return excerpt(start.range.lowerBound..<end)
  }

  private func excerpt(_ range: Range<Int>) -> String { VisibleText.excerpt(of: lexer.bytes[range]) }

  /// Returns the number of Unicode scalars before an offset in the text's UTF-8.
  func position(of offset: Int) -> Int {
    // Every scalar has exactly one byte that does not continue another (RFC 3629, section 3).
    lexer.bytes[..<offset].count { $0 & 0xC0 != 0x80 }
  }

  /// Returns the reason for the error that a parenthesis lacks its end. People count characters from one.
  func reason(unclosed parenthesis: Token) -> String {
    "the `(` at character \(position(of: parenthesis.range.lowerBound) + 1) is not closed"
  }

  /// Returns the error for a current token that differs from what was expected.
  func error(expected: String, reason: String? = nil, suggestion: String? = nil) -> ParseError {
    if case .malformed(let malformation) = current.kind {
      return ParseError(
        text: text, position: position(of: malformation.offset), expected: malformation.expected,
        found: found(malformation.found), reason: malformation.reason, suggestion: malformation.suggestion)
    }
    return ParseError(
      text: text, position: position(of: current.range.lowerBound), expected: expected, found: found(current.range),
      reason: reason, suggestion: suggestion ?? CommonMistakes.character(spelling(of: current)))
  }

  private func found(_ range: Range<Int>) -> String {
    if range.isEmpty { return "the end of the text" }
    let spelling = String(decoding: lexer.bytes[range], as: UTF8.self)
    let scalars = spelling.unicodeScalars
    if let scalar = scalars.first, scalars.count == 1, scalar.isInvisible {
      return "the character U+" + Hexadecimal.digits(of: scalar.value, atLeast: 4, inUppercase: true)
    }
    return "`\(excerpt(range))`"
  }
}
