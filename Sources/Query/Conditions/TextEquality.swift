/// A text that others are compared with byte by byte, prepared once for many rows.
struct TextEquality: Sendable {
  private let text: String
  private let count: Int
  private let isASCII: Bool

  init(_ text: String) {
    self.text = text
    count = text.utf8.count
    isASCII = text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Whether a value is this text.
  ///
  /// Swift's `==`, which knows short texts by two machine words, refuses no text of the same bytes. Besides those it takes
  /// texts that are canonically equivalent; to an ASCII text only longer ones are, such as the Kelvin sign to a K.
  @inline(__always)
  func holds(_ value: Value) -> Bool {
    switch value {
    case .text(let other):
      other.utf8.count == count && other == text && (isASCII || other.utf8.elementsEqual(text.utf8))
    case .null, .integer, .real, .blob: false
    }
  }
}
