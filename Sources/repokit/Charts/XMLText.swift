/// Texts as XML has them.
enum XMLText {
  /// Escapes what XML takes for its own, and shows pictures of what it can't hold at all, such as control characters.
  /// https://www.w3.org/TR/xml/#charsets
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
