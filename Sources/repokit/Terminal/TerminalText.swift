import Query

/// Text as a terminal shows it, with a short way for the plain ASCII that most texts are.
enum TerminalText {
  /// Replaces what a terminal would obey or not show: an escape becomes `␛`, a line feed `␊`.
  static func visible(_ text: String) -> String {
    isPlain(text) ? text : VisibleText.visible(text.unicodeScalars)
  }

  /// How many columns of a terminal a visible text takes: two for each East Asian wide character and each emoji, none
  /// for a combining mark.
  static func columns(of visible: String) -> Int {
    if isPlain(visible) { return visible.utf8.count }
    return visible.reduce(0) { $0 + VisibleText.columns(of: $1) }
  }

  /// Whether a terminal would obey a scalar, or show nothing for it.
  static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    !(" "..."~" ~= scalar) && VisibleText.visible(CollectionOfOne(scalar)).unicodeScalars.first != scalar
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }
}

extension TerminalText {
  /// The start of a text for a message, in quotes.
  static func quoted(_ text: String) -> String {
    "\"\(VisibleText.excerpt(of: Array(text.utf8)[...]))\""
  }
}
