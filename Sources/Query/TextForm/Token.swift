/// A token: the smallest meaningful piece of a text.
struct Token {
  enum Kind {
    /// An identifier, with the keyword that it may be.
    case word(Keyword?)
    /// A key that is written in double quotes, without the quotes.
    case quotedKey(String)
    /// A number, a text or a blob.
    case literal(Value)
    /// `:name`, a parameter.
    case parameter
    case comparisonOperator(ComparisonOperator)
    case leftParenthesis
    case rightParenthesis
    case comma
    case minus
    /// The dot between the steps of a path.
    case dot
    /// An operation other than `-`, which may be a sign.
    case operation(ExpressionFunction)
    /// The start of a token with an error.
    indirect case malformed(TokenError)
    /// A character that starts no token.
    case unknown
    /// The end of the text.
    case end
  }

  let kind: Kind
  /// The token's range in the text's UTF-8.
  let range: Range<Int>

  /// The keyword that the token is.
  var keyword: Keyword? {
    if case .word(let keyword) = kind { keyword } else { nil }
  }
}

/// The keywords of the text form, in uppercase or lowercase.
enum Keyword: String, CaseIterable {
  case and, or, not
  case `true`, `false`, null
  case between, `in`, `is`, like, contains, starts, ends, with
  case ignoring, `case`
  case asc, desc, nulls, first, last
  case now, today

  /// Makes the keyword of a word; case is ignored only in ASCII.
  init?(word: ArraySlice<UInt8>) {
    // Only ASCII is compared, because Swift's `==` treats the Kelvin sign as a K.
    guard word.count <= 8, word.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Whether a key of this name is quoted.
  ///
  /// The words from `and` to `today` would be ambiguous with a key where a condition or a value starts. `between`, `in`, `is`
  /// and `like` would not, but the error in a query such as `weight = between 1 and 5` would be reported far from the mistake.
  /// The other words only follow a key or a text, so a column called `first` or `case` needs no quotes.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .true, .false, .null, .now, .today, .between, .in, .is, .like: true
    case .contains, .starts, .ends, .with, .ignoring, .case, .asc, .desc, .nulls, .first, .last: false
    }
  }
}

/// An error within a token.
struct TokenError {
  /// The position of the error: an offset in the text's UTF-8.
  let offset: Int
  /// The description of what was expected there.
  let expected: String
  /// The range of the unexpected text; empty at the end of the text.
  let found: Range<Int>
  var reason: String?
  var suggestion: String?

  /// - Parameters:
  ///   - found: the text at the offset; empty at the end of the text.
  init(_ offset: Int, expected: String, found: Range<Int>, reason: String? = nil, suggestion: String? = nil) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.reason = reason
    self.suggestion = suggestion
  }
}

/// A text cut at its tokens, for code that replaces some of them.
package enum TokenText {
  /// The tokens of a text as they are written, and the white space between them, in their order.
  package static func pieces(of text: some StringProtocol) -> [(text: String, isLiteral: Bool)] {
    var lexer = Lexer(String(text))
    var pieces: [(text: String, isLiteral: Bool)] = []
    var end = 0
    func add(_ range: Range<Int>, isLiteral: Bool = false) {
      if !range.isEmpty { pieces.append((String(decoding: lexer.bytes[range], as: UTF8.self), isLiteral)) }
    }
    while true {
      let token = lexer.next()
      switch token.kind {
      // Nothing more is read after a malformed token.
      case .end, .malformed:
        add(end..<lexer.bytes.count)
        return pieces
      case .literal:
        add(end..<token.range.lowerBound)
        add(token.range, isLiteral: true)
      default:
        add(end..<token.range.lowerBound)
        add(token.range)
      }
      end = token.range.upperBound
    }
  }
}
