/// A word of SQL, as far as definitions of tables have to be taken apart.
///
/// https://www.sqlite.org/draft/tokenreq.html
struct SQLToken {
  enum Kind {
    /// A keyword, a name without quotes, or a number.
    case word
    /// A name or a text in quotes of whatever form.
    case quoted
    /// One character of anything else.
    case symbol
  }

  let kind: Kind
  /// The token as it stands there.
  let text: Substring

  /// Whether it is a keyword, in whatever case.
  func isKeyword(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

  /// Whether it is a character.
  func isSymbol(_ character: String) -> Bool { kind == .symbol && text == character }

  /// Takes SQL apart; blanks and comments are left out.
  static func tokens(of sql: String) -> [SQLToken] {
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
        kind = nil
      case "/" where rest.starts(with: "/*".unicodeScalars):
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(2)
        kind = nil
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

  /// A quote that is written twice stands for itself; a bracket can't.
  private static func skipQuoted(_ rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar) {
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      guard scalar == quote else { continue }
      if quote == "]" || rest.first != quote { return }
      rest.removeFirst()
    }
  }
}
