/// A text split into words as the shells of Unix do: at blanks, with quotes and backslashes.
///
/// POSIX, Shell Command Language, 2.2 Quoting. Nothing is expanded.
struct ShellWords {
  /// A word, and its range.
  struct Word: Hashable {
    /// The word without its quotes.
    var text = ""
    /// Its range in the scalars, quotes included.
    var range: Range<Int>
    /// Whether one pair of quotes encloses all of it.
    var isQuoted = false
  }

  /// The state in which a text ends.
  enum End: Hashable {
    case complete
    /// Within quotes that began at a position.
    case quoted(Unicode.Scalar, at: Int)
    /// With a backslash.
    case escaped
    /// Within parentheses, the first of which is at a position.
    case parenthesized(at: Int)
  }

  let scalars: [Unicode.Scalar]
  private(set) var words: [Word] = []
  private(set) var end = End.complete

  init(_ text: some StringProtocol) {
    self.init(Array(text.unicodeScalars))
  }

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    var position = 0
    var openParentheses: [Int] = []
    while position < scalars.count {
      let scalar = scalars[position]
      if scalar.isShellBlank {
        position += 1
      } else if scalar == "\\", position + 1 < scalars.count, scalars[position + 1] == "\n" {
        // The line continues on the next one.
        position += 2
      } else {
        readWord(&position, &openParentheses)
      }
    }
    if end == .complete, let first = openParentheses.first { end = .parenthesized(at: first) }
  }

  private mutating func readWord(_ position: inout Int, _ openParentheses: inout [Int]) {
    let start = position
    var text = String.UnicodeScalarView()
    var quotes: [Range<Int>] = []
    loop: while position < scalars.count, !scalars[position].isShellBlank {
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "'", "\"":
        let opening = position - 1
        readQuoted(by: scalar, from: &position, into: &text)
        quotes.append(opening..<position)
      case "\\":
        guard position < scalars.count else {
          end = .escaped
          break loop
        }
        if scalars[position] != "\n" { text.append(scalars[position]) }
        position += 1
      default:
        if scalar == "(" { openParentheses.append(position - 1) }
        if scalar == ")" { _ = openParentheses.popLast() }
        text.append(scalar)
      }
    }
    let range = start..<position
    words.append(Word(text: String(text), range: range, isQuoted: quotes == [range]))
  }

  private mutating func readQuoted(
    by quote: Unicode.Scalar, from position: inout Int, into text: inout String.UnicodeScalarView
  ) {
    let opening = position - 1
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar == quote { return }
      if scalar == "\\", quote == "\"", position < scalars.count, Self.escapable.contains(scalars[position]) {
        if scalars[position] != "\n" { text.append(scalars[position]) }
        position += 1
      } else {
        text.append(scalar)
      }
    }
    end = .quoted(quote, at: opening)
  }

  /// The characters that a backslash escapes within double quotes.
  private static let escapable: Set<Unicode.Scalar> = ["\"", "\\", "$", "`", "\n"]

  /// A part of the text as it was written.
  func source(_ range: Range<Int>) -> String {
    var source = String.UnicodeScalarView()
    source.append(contentsOf: scalars[range])
    return String(source)
  }
}

extension Unicode.Scalar {
  /// Whether words end here.
  var isShellBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}

/// Writes words so that bash and zsh read them as they are.
enum ShellQuoting {
  /// Whether a word needs no quotes.
  static func isPlain(_ word: String.UnicodeScalarView) -> Bool { word.first != "=" && word.allSatisfy(isPlain) }

  /// A part of a word within quotes of a kind, or with backslashes.
  ///
  /// - Returns: `nil` for what can't be written so: a control character, or in double quotes, the `!` of the
  ///   history of an interactive shell.
  static func quoted(_ word: String.UnicodeScalarView, by quote: Unicode.Scalar?) -> String? {
    guard TerminalText.visible(String(word)) == String(word) else { return nil }
    switch quote {
    case "\"":
      if word.contains("!") { return nil }
      return escaped(word, "\\") { "\"\\$`".unicodeScalars.contains($0) }
    // Nothing can be escaped within single quotes: they end before a quote, and begin anew with another.
    case "'": return escaped(word, "'\\'") { $0 == "'" }
    // Where a word starts with it, zsh puts the path of a command there.
    default: return (word.first == "=" ? "\\" : "") + escaped(word, "\\") { !isPlain($0) }
    }
  }

  private static func escaped(
    _ word: String.UnicodeScalarView, _ escape: String, where isSpecial: (Unicode.Scalar) -> Bool
  ) -> String {
    var text = String.UnicodeScalarView()
    for scalar in word {
      if isSpecial(scalar) { text.append(contentsOf: escape.unicodeScalars) }
      text.append(scalar)
    }
    return String(text)
  }

  /// Returns whether a character has no other meaning to any shell within a word.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ",", "/", "+", ":", "@", "%", "=": true
    default: !scalar.isASCII && !scalar.properties.isWhitespace
    }
  }
}

/// Whole words as shells read them.
enum ShellWord {
  /// A word as it is where that is safe, and else in single quotes; `nil` for one that can't be shown on a line.
  static func quoted(_ word: String) -> String? {
    guard let quoted = ShellQuoting.quoted(word.unicodeScalars, by: "'") else { return nil }
    return !word.isEmpty && ShellQuoting.isPlain(word.unicodeScalars) ? word : "'\(quoted)'"
  }

  /// A command; `nil` where one of its words can't be shown.
  static func line(_ words: [String]) -> String? {
    let quoted = words.compactMap(quoted)
    return quoted.count == words.count ? quoted.joined(separator: " ") : nil
  }
}
