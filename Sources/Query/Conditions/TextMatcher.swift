/// A text match that was prepared once for many rows: the sought text is folded and the pattern is read.
struct TextMatcher: Sendable {
  private enum Sought {
    case part(ByteSearch)
    case prefix([UInt8])
    case suffix([UInt8])
    case pattern(LikePattern)
  }

  private let sought: Sought
  private let isIgnoringCase: Bool

  init<Key>(_ match: TextMatch<Key>) {
    isIgnoringCase = match.isIgnoringCase
    let text = match.soughtText
    sought =
      switch match.operation {
      case .contains: .part(ByteSearch(Array(text.utf8)))
      case .hasPrefix: .prefix(Array(text.utf8))
      case .hasSuffix: .suffix(Array(text.utf8))
      case .like: .pattern(LikePattern(text))
      }
  }

  /// Whether a value is a text that matches.
  func matches(_ value: Value) -> Bool {
    guard case .text(let text) = value else { return false }
    let folded = isIgnoringCase ? CaseFolding.fold(text) : text
    return folded.utf8.withContiguousStorageIfAvailable(matches) ?? Array(folded.utf8).withUnsafeBufferPointer(matches)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch sought {
    case .pattern(let pattern): pattern.matches(text)
    case .part(let search): search.end(in: text, 0..<text.count) != nil
    case .prefix(let bytes): text.starts(with: bytes)
    case .suffix(let bytes): text.suffix(bytes.count).elementsEqual(bytes)
    }
  }
}
