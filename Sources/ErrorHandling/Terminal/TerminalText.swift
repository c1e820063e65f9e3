/// Text in the columns of a terminal.
enum TerminalText {
  /// A text in lines of a width, broken between words, and within a word that is longer than a line.
  ///
  /// A line that fits stays as it is, with the blanks by which it may stand below another one.
  static func lines(of text: String, width: Int) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      let whole = visible(String(line.map { $0 == "\t" ? " " : $0 }))
      if whole.reduce(0, { $0 + self.columns(of: $1) }) <= width { return [whole] }
      var lines: [String] = []
      var (last, used) = ("", 0)
      for word in line.split(whereSeparator: \.isWhitespace) {
        let word = visible(word)
        let columns = word.reduce(0) { $0 + self.columns(of: $1) }
        if used > 0, used + 1 + columns <= width {
          last += " "
          used += 1
        } else if used > 0 {
          lines.append(last)
          (last, used) = ("", 0)
        }
        for character in word {
          let columns = self.columns(of: character)
          if used > 0, used + columns > width {
            lines.append(last)
            (last, used) = ("", 0)
          }
          last.append(character)
          used += columns
        }
      }
      return used > 0 || !last.isEmpty ? lines + [last] : lines
    }
  }

  /// Replaces what a terminal would obey or not show: an escape becomes `␛`.
  static func visible(_ text: some StringProtocol) -> String {
    var visible = ""
    visible.unicodeScalars.append(contentsOf: text.unicodeScalars.lazy.map { $0.isObeyed ? $0.picture : $0 })
    return visible
  }

  /// How many columns a character takes: two for wide ones and emoji, none for what only changes another.
  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // U+FE0F asks for the colourful form of a character that has a narrow one too.
    if first.isWide || scalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal takes it for a command, or for one about the direction of text. Joiners hold emoji together.
  fileprivate var isObeyed: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// What is shown in its place: Unicode has pictures of the oldest control characters.
  fileprivate var picture: Unicode.Scalar {
    value < 0x20 ? Unicode.Scalar(0x2400 + value) ?? Self.replacement : Self.replacement
  }

  /// Whether terminals give it two columns: the East Asian Width W and F of UAX #11, by blocks.
  /// https://www.unicode.org/reports/tr11/
  fileprivate var isWide: Bool {
    switch value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
