/// The smallest piece of a text that means something.
struct Token {
  enum Kind {
    /// An identifier; the keyword that it may be.
    case word(Keyword?)
    /// A key in double quotes, without them.
    case quotedKey(String)
    /// A number, a text or a blob.
    case literal(Value)
    /// `:name`, a parameter.
    case parameter
    case relation(Relation)
    case leftParenthesis
    case rightParenthesis
    case comma
    case minus
    /// The dot between the steps of a path.
    case dot
    /// An operation other than `-`, which may be a sign.
    case operation(ExpressionFunction)
    /// The start of a token that goes wrong later.
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

/// The words that mean something in the text form, in upper or lower case.
enum Keyword: String, CaseIterable {
  case and, or, not
  case `true`, `false`, null
  case between, `in`, `is`, like, contains, starts, ends, with
  case ignoring, `case`
  case asc, desc, nulls, first, last
  case now, today

  /// Reads a word; case counts in ASCII alone.
  init?(word: ArraySlice<UInt8>) {
    // Compared as ASCII, because Swift's `==` takes the Kelvin sign for a K.
    guard word.count <= 8, word.allSatisfy({ $0 < 0x80 }) else { return nil }
    self.init(rawValue: String(decoding: word, as: UTF8.self).lowercased())
  }

  /// Whether a key of this name is quoted.
  ///
  /// The first eight could not be told from a key where a condition or a value starts; the next four could, but a query
  /// such as `weight = between 1 and 5` would fail far from the slip. The other words only follow a key or a text, so
  /// a column called `first` or `case` is written as it is.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .true, .false, .null, .now, .today, .between, .in, .is, .like: true
    case .contains, .starts, .ends, .with, .ignoring, .case, .asc, .desc, .nulls, .first, .last: false
    }
  }
}

/// What is wrong within a token.
struct TokenError {
  /// Where it goes wrong: an offset in the text's UTF-8.
  let offset: Int
  /// What was expected there.
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

/// A text of the text form, cut at its tokens, for what puts others in the place of some.
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
      // Nothing is read any more behind what is malformed.
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
