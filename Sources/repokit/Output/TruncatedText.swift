import Query

/// As much of a text as fits in a number of terminal columns.
enum TruncatedText {
  /// The text on one line, with `…` instead of what does not fit.
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

  /// A value in short form: a rounded real, the empty text as `''`.
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
