/// What the reader of the output can do with it.
struct TextStyle: Hashable {
  /// Whether it is read by a person at a terminal, which would obey the escapes that a text holds.
  let isTerminal: Bool
  /// Whether escapes of this tool's own may change how text looks.
  let hasColor: Bool
  /// How many columns a line has; `nil` where lines are as long as what they hold.
  var width: Int?

  /// Output that goes to a file or another program.
  static let plain = TextStyle(isTerminal: false, hasColor: false)

  /// A text in less than full brightness, where that is possible.
  func dim(_ text: String) -> String {
    hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text
  }
}

extension TextStyle {
  /// A text for formats that give texts exactly: exactly, unless a terminal would obey it.
  func raw(_ text: String) -> String {
    isTerminal ? TerminalText.visible(text) : text
  }
}
