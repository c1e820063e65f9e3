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

/// A search for bytes in a text, in time linear in the sum of their lengths.
///
/// Source of the method: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", SIAM Journal on Computing 6, 1977.
struct ByteSearch: Sendable {
  /// A byte of the sought text and its border, in one array so that a search retains one object.
  private struct Step {
    let byte: UInt8
    /// The number of bytes that still match on a mismatch here: the length of the longest proper border of the bytes before
    /// this one.
    var border: Int32
  }

  private let steps: [Step]

  init(_ sought: [UInt8]) {
    var steps = sought.map { Step(byte: $0, border: 0) }
    var length = 0
    for index in steps.indices.dropFirst() {
      steps[index].border = Int32(length)
      while length > 0, steps[index].byte != steps[length].byte { length = Int(steps[length].border) }
      if steps[index].byte == steps[length].byte { length += 1 }
    }
    self.steps = steps
  }

  /// Returns the end of the first match.
  ///
  /// - Returns: `nil` if there is no match within the range.
  func end(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    if steps.count > range.count { return nil }
    if steps.isEmpty { return range.lowerBound }
    return steps.withUnsafeBufferPointer { steps in
      let (first, count) = (steps[0].byte, steps.count)
      var position = range.lowerBound
      while true {
        // The loop in which a search spends most of its time.
        while position < range.upperBound, text[position] != first { position += 1 }
        if position == range.upperBound { return nil }
        position += 1
        var matched = 1
        while matched > 0 {
          if matched == count { return position }
          if position == range.upperBound { return nil }
          while matched > 0, text[position] != steps[matched].byte { matched = Int(steps[matched].border) }
          // If nothing matched, the byte is examined again as a possible first one.
          if matched > 0 {
            matched += 1
            position += 1
          }
        }
      }
    }
  }
}

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
  /// Swift's `==`, which compares short texts by two machine words, accepts every text of the same bytes. It also accepts
  /// canonically equivalent texts; for an ASCII text these are longer, such as the Kelvin sign for a K.
  @inline(__always)
  func holds(_ value: Value) -> Bool {
    switch value {
    case .text(let other):
      other.utf8.count == count && other == text && (isASCII || other.utf8.elementsEqual(text.utf8))
    case .null, .integer, .real, .blob: false
    }
  }
}
