import Query

/// As much of a text as fits a number of columns of a terminal.
enum Excerpt {
  /// The text on one line, with `…` in the place of what does not fit.
  static func of(_ text: String, columns: Int) -> String {
    // A character takes at most some dozens of bytes; a text of megabytes is not looked at to its end.
    let start = text.utf8.count > columns * 32 ? String(text.prefix(columns + 1)) : text
    let visible = TerminalText.visible(start)
    if start.utf8.count == text.utf8.count, TerminalText.columns(of: visible) <= columns { return visible }
    var (kept, width) = ("", 0)
    for character in visible {
      width += TerminalText.columns(of: String(character))
      if width >= columns { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// A value for people: a real in short, the empty text as `''`.
  static func of(_ value: Value, columns: Int) -> String {
    switch value {
    case .null: "null"
    case .real(let real): ShortNumber.text(real)
    case .integer(let integer): "\(integer)"
    case .text(""): "''"
    case .text(let text): of(text, columns: columns)
    case .blob(let bytes): of(Value.blob(Array(bytes.prefix(columns))).description, columns: columns)
    }
  }
}
