/// The smallest piece of a text that means something.
struct Token {
  enum Kind {
    /// An identifier; the keyword that it may be.
    case word(Keyword?)
    /// A key in double quotes, without them.
    case quotedKey(String)
    /// A number, a text or a blob.
    case literal(Value)
    /// `:name`, which stands for a value.
    case parameter
    case relation(Relation)
    case leftParenthesis
    case rightParenthesis
    case comma
    case minus
    /// The start of a token that goes wrong later.
    indirect case malformed(Malformation)
    /// A character that starts no token.
    case unknown
    /// What stands after the last token.
    case end
  }

  let kind: Kind
  /// Where the token stands in the text's UTF-8.
  let range: Range<Int>

  /// The keyword that the token is.
  var keyword: Keyword? {
    if case .word(let keyword) = kind { keyword } else { nil }
  }
}
