/// Writes words so that bash and zsh read them as they are.
enum ShellQuoting {
  /// Whether a word stands for itself without quotes.
  static func isPlain(_ word: String.UnicodeScalarView) -> Bool { word.first != "=" && word.allSatisfy(isPlain) }

  /// A part of a word within quotes of a kind, or with backslashes.
  ///
  /// - Returns: `nil` for what can't be written so: a control character, or in double quotes, the `!` that stands for the
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

  /// What no shell takes for anything else within a word.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ",", "/", "+", ":", "@", "%", "=": true
    default: !scalar.isASCII && !scalar.properties.isWhitespace
    }
  }
}
