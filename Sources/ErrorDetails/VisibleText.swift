/// Text that is safe to write to a terminal, whatever it contains.
package enum VisibleText {
  /// Returns the start of a text for a message: at most 32 characters, on one line.
  package static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
    // 512 bytes are more than 32 ordinary characters take; the rest of a long text is not decoded.
    let start = String(decoding: bytes.prefix(512), as: UTF8.self)
    if bytes.count <= 512, start.count <= 32 { return visible(start.unicodeScalars) }
    return visible(start.prefix(31).unicodeScalars) + "…"
  }

  /// The number of characters of a name that a message shows: more than databases other than SQLite allow.
  package static let maximumNameLength = 64
  /// The number of names that a message lists.
  package static let maximumNameCount = 50

  /// Returns a name for a message, cut where it is longer than ``maximumNameLength``: SQLite takes names of any length.
  package static func name(_ name: String) -> String {
    let limit = maximumNameLength
    // A character takes at most some dozens of bytes; a name of megabytes is not counted to its end.
    if name.utf8.count <= limit { return name }
    let start = name.prefix(limit + 1)
    return start.count <= limit && name.utf8.count <= 16 * limit ? name : cut(start.dropLast())
  }

  /// Returns names for a message, separated by commas; the rest of a long list is counted.
  package static func names(_ names: some Collection<String>) -> String {
    let shown = names.prefix(maximumNameCount).map(name).joined(separator: ", ")
    return names.count > maximumNameCount ? "\(shown) and \(names.count - maximumNameCount) more" : shown
  }

  /// A character may hold any number of combining scalars.
  private static func cut(_ name: Substring) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(2 * maximumNameLength))) + "…"
  }

  /// Replaces characters that a terminal does not show or interprets as control sequences.
  package static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var visible = ""
    visible.unicodeScalars.append(contentsOf: scalars.lazy.map(\.visible))
    return visible
  }

  /// Returns the number of terminal columns of a character.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // U+FE0F selects the emoji form of a character that has a narrow one too.
    if first.isWide || scalars.contains("\u{FE0F}") { return 2 }
    // The halfwidth voicing marks of Japanese belong to the character before them, and still take a column.
    let marks = scalars.dropFirst().count { $0 == "\u{FF9E}" || $0 == "\u{FF9F}" }
    return marks + (first.isCombining ? 0 : 1)
  }
}

extension Unicode.Scalar {
  /// The scalar itself, or a picture of it if a terminal would show nothing or interpret it.
  fileprivate var visible: Unicode.Scalar {
    switch value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    // Most texts are ASCII, and the properties of a scalar take long to look up.
    case 0x20...0x7E: self
    case 0x7F: "\u{2421}"
    default: isControl ? "\u{FFFD}" : self
    }
  }

  /// Whether the scalar is not visible or not recognizable.
  package var isInvisible: Bool { isControl || isCombining || properties.isWhitespace }

  /// Joiners are not control characters here: they hold emoji and the letters of some scripts together.
  private var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }

  fileprivate var isCombining: Bool {
    if isASCII { return false }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  /// Whether terminals give this scalar two columns: Unicode's East Asian Width W and F (UAX #11, EastAsianWidth.txt), by
  /// blocks. Emoji in colour belong to them.
  fileprivate var isWide: Bool {
    switch value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
