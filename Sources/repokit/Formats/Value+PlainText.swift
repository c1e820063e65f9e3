import Query

extension Value {
  /// The value as formats without types show it; `nil` for null.
  ///
  /// A text is itself. Everything else is spelled as in a query, so it can be asked for as it was read: reals with the
  /// fewest digits that give them back exactly, infinity as `9e999`, blobs as `x'00ff'` unless they are wanted otherwise.
  func plainText(_ blobs: BlobForm? = nil) -> String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .integer, .real: description
    case .blob(let bytes): (blobs ?? .hex).text(bytes)
    }
  }

  /// The same on one line and without what a terminal would obey; `nil` for null.
  func visibleText(_ blobs: BlobForm?) -> String? {
    plainText(blobs).map(TerminalText.visible)
  }
}
