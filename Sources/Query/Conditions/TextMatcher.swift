/// A text match that was prepared once for many rows: the sought text is folded and the pattern is read.
struct TextMatcher: Sendable {
  private enum Sought {
    case bytes([UInt8], TextOperation)
    case pattern(LikePattern)
  }

  private let sought: Sought
  private let isIgnoringCase: Bool

  init<Key>(_ match: TextMatch<Key>) {
    isIgnoringCase = match.isIgnoringCase
    sought =
      match.operation == .like
      ? .pattern(LikePattern(match.soughtText)) : .bytes(Array(match.soughtText.utf8), match.operation)
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
    case .bytes(let bytes, .hasPrefix): text.starts(with: bytes)
    case .bytes(let bytes, .hasSuffix): text.suffix(bytes.count).elementsEqual(bytes)
    case .bytes(let bytes, _): Self.contains(bytes, in: text)
    }
  }

  private static func contains(_ sought: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = sought.first else { return true }
    guard sought.count <= text.count else { return false }
    for start in 0...(text.count - sought.count) where text[start] == first {
      var length = 1
      while length < sought.count, text[start + length] == sought[length] { length += 1 }
      if length == sought.count { return true }
    }
    return false
  }
}
