import Query

/// A word of SQLite's SQL, as far as definitions of tables and triggers have to be taken apart.
///
/// https://www.sqlite.org/draft/tokenreq.html
package struct SQLToken {
  package enum Kind {
    /// A keyword, a name without quotes, or a number.
    case word
    /// A name or a text in quotes of whatever form.
    case quoted
    /// One character of anything else.
    case symbol
    /// A comment, which SQLite does not read.
    case comment
  }

  package let kind: Kind
  /// The token's text.
  package let text: Substring

  /// Returns whether the token is a keyword, in whatever case.
  package func isKeyword(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

  /// Returns whether the token is a character.
  package func isSymbol(_ character: String) -> Bool { kind == .symbol && text == character }

  /// Returns whether the token is a name, which may be in quotes.
  package func isName(_ name: String) -> Bool {
    let folded = Name(name).folded
    switch kind {
    case .symbol, .comment: return false
    case .word: return Name(String(text)).folded == folded
    case .quoted:
      return Name(unquoted).folded == folded
    }
  }

  /// The word, or the name or text in quotes.
  package var name: String { kind == .quoted ? unquoted : String(text) }

  /// The name or the text in quotes.
  private var unquoted: String {
    guard let quote = text.first else { return "" }
    let inner = String(text.dropFirst().dropLast())
    return quote == "[" ? inner : inner.replacing("\(quote)\(quote)", with: "\(quote)")
  }

  /// The token without a line break outside of quotes: a comment that ends with its line becomes one that ends with a mark.
  package var line: String {
    guard kind == .comment else { return String(text) }
    let isBlock = text.unicodeScalars.starts(with: "/*".unicodeScalars)
    var comment = "/*".unicodeScalars
    for scalar in text.unicodeScalars.dropFirst(2).dropLast(isBlock ? 2 : 0) {
      // What was no end of the comment is none now.
      if scalar == "/", comment.last == "*" { comment.append(" ") }
      comment.append(["\n", "\r", "\0"].contains(scalar) ? " " : scalar)
    }
    return String(comment) + " */"
  }

  /// The quote that would have to end the token; empty where it has ended.
  package var missingQuote: String {
    guard kind == .quoted, let quote = text.unicodeScalars.first else { return "" }
    if quote == "[" { return text.unicodeScalars.last == "]" ? "" : "]" }
    return text.unicodeScalars.count { $0 == quote }.isMultiple(of: 2) ? "" : String(quote)
  }

  /// The token in canonical form: equal for tokens with the same meaning.
  package var normalForm: String {
    switch kind {
    case .symbol, .comment: return String(text)
    case .word: return Name(String(text)).foldedText
    case .quoted:
      if text.unicodeScalars.first == "'" { return String(text) }
      let name = Name(unquoted).foldedText
      let isPlain = !name.isEmpty && name.unicodeScalars.allSatisfy(Self.isWordScalar)
      return isPlain ? name : Self.quoted(name)
    }
  }

  /// A name in quotes.
  package static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// Takes SQL apart; blanks are left out.
  package static func tokens(of sql: String) -> [SQLToken] {
    var tokens: [SQLToken] = []
    var rest = sql[...].unicodeScalars
    while let first = rest.first {
      let start = rest.startIndex
      let kind: Kind?
      switch first {
      case " ", "\t", "\n", "\r", "\u{C}":
        rest.removeFirst()
        kind = nil
      case "-" where rest.starts(with: "--".unicodeScalars):
        rest = rest.drop { $0 != "\n" }
        kind = .comment
      case "/" where rest.starts(with: "/*".unicodeScalars):
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(2)
        kind = .comment
      case "'", "\"", "`", "[":
        skipQuoted(&rest, until: first == "[" ? "]" : first)
        kind = .quoted
      case _ where isWordScalar(first):
        rest = rest.drop(while: isWordScalar)
        kind = .word
      default:
        rest.removeFirst()
        kind = .symbol
      }
      if let kind { tokens.append(SQLToken(kind: kind, text: sql[start..<rest.startIndex])) }
    }
    return tokens
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value >= 0x80
    }
  }

  /// Skips a quoted name or text. A doubled quote is an escaped one; a bracket can't be escaped.
  private static func skipQuoted(_ rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar) {
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      guard scalar == quote else { continue }
      if quote == "]" || rest.first != quote { return }
      rest.removeFirst()
    }
  }
}
