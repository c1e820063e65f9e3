/// A `like` pattern: `%` matches any run of characters, `_` exactly one Unicode scalar, and `\` escapes the next
/// character. A `\` at the end is literal.
///
/// The text must begin with the part before the first `%` and end with the part after the last one. The parts between are
/// found in order, each at its first match, which leaves the most room for the others. So no part is retried, and matching
/// takes time linear in the sum of both lengths; a long part with a `_` between its characters takes a 64th of the product.
///
/// It matches rows in memory, and SQLite calls it as the function `repokit_like` (`SQLiteDialect.likeFunction`), since its own
/// `LIKE` ignores case. PostgreSQL's `LIKE` has the same rules but for a `\` at the end, see `PostgresPattern`.
package struct LikePattern: Sendable {
  /// An element of a pattern other than `%`, which matches one byte or one scalar.
  enum Element: Equatable {
    case anyScalar
    case byte(UInt8)
  }

  /// The part of a pattern between two `%`.
  private struct Part: Sendable {
    enum Search: Sendable {
      case bytes(ByteSearch)
      case pattern(PatternSearch)
    }

    /// The number of scalars that must precede the match: `%_a%` is `_%a%`.
    let skipped: Int
    /// The search for the part itself.
    let search: Search
  }

  /// The elements with which the text begins.
  private let start: [Element]
  private var parts: [Part] = []
  /// The number of scalars that must lie between the last part and the end.
  private var skippedAtEnd = 0
  /// The elements with which the text ends; `nil` without a `%`, where the start is the whole pattern.
  private var end: [Element]?

  /// Parses a pattern; every text is a valid pattern.
  package init(_ pattern: String) {
    self.init(pattern, longestTried: 64)
  }

  /// - Parameter longestTried: the length up to which a part with a `_` is tried at every position.
  package init(_ pattern: String, longestTried: Int) {
    var pieces = Self.pieces(of: pattern)
    end = pieces.count > 1 ? pieces.removeLast() : nil
    start = pieces.removeFirst()
    // A `_` at the end of a part counts for the next part: `%a_%` is `%a%_%`.
    var skipped = 0
    for piece in pieces {
      skipped += piece.prefix { $0 == .anyScalar }.count
      let sought = Array(piece.drop { $0 == .anyScalar })
      guard let last = sought.lastIndex(where: { $0 != .anyScalar }) else { continue }
      parts.append(Part(skipped: skipped, search: Self.search(Array(sought[...last]), longestTried)))
      skipped = sought.count - last - 1
    }
    skippedAtEnd = skipped
  }

  /// Splits a pattern at each `%`; one piece if there is no `%`.
  private static func pieces(of pattern: String) -> [[Element]] {
    var pieces: [[Element]] = []
    var piece: [Element] = []
    var isEscaped = false
    for byte in pattern.utf8 {
      switch byte {
      case UInt8(ascii: "\\") where !isEscaped:
        isEscaped = true
        continue
      case UInt8(ascii: "%") where !isEscaped:
        // Several `%` in a row are equivalent to one.
        if pieces.isEmpty || !piece.isEmpty { pieces.append(piece) }
        piece = []
      case UInt8(ascii: "_") where !isEscaped:
        piece.append(.anyScalar)
      default:
        piece.append(.byte(byte))
      }
      isEscaped = false
    }
    if isEscaped { piece.append(.byte(UInt8(ascii: "\\"))) }
    return pieces + [piece]
  }

  private static func search(_ sought: [Element], _ longestTried: Int) -> Part.Search {
    var bytes: [UInt8] = []
    for element in sought {
      guard case .byte(let byte) = element else {
        return .pattern(PatternSearch(sought, longestTried: longestTried))
      }
      bytes.append(byte)
    }
    return .bytes(ByteSearch(bytes))
  }
}

extension LikePattern {
  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(matches) ?? Array(text.utf8).withUnsafeBufferPointer(matches)
  }

  /// Whether the whole of a UTF-8 text matches.
  ///
  /// Matching a `%` byte by byte can't end within a scalar: the next part starts with a whole scalar, whose first byte
  /// occurs nowhere else (RFC 3629, section 3).
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var position = Self.end(of: start[...], in: text, 0..<text.count) else { return false }
    guard let end else { return position == text.count }
    guard let limit = Self.start(of: end, in: text, position..<text.count) else { return false }
    for part in parts {
      guard let next = Self.skip(part.skipped, in: text, position..<limit) else { return false }
      let found =
        switch part.search {
        case .bytes(let search): search.end(in: text, next..<limit)
        case .pattern(let search): search.end(in: text, next..<limit)
        }
      guard let found else { return false }
      position = found
    }
    return Self.skip(skippedAtEnd, in: text, position..<limit) != nil
  }

  /// Returns the end of a match of elements that starts at the start of a range.
  static func end(
    of elements: ArraySlice<Element>, in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int? {
    var position = range.lowerBound
    for element in elements {
      if position == range.upperBound { return nil }
      switch element {
      case .byte(let byte):
        if text[position] != byte { return nil }
        position += 1
      case .anyScalar:
        position += 1
        while position < range.upperBound, isContinuation(text[position]) { position += 1 }
      }
    }
    return position
  }

  /// Returns the start of a match of elements that ends at the end of a range.
  private static func start(
    of elements: [Element], in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int? {
    var position = range.upperBound
    for element in elements.reversed() {
      if position == range.lowerBound { return nil }
      position -= 1
      switch element {
      case .byte(let byte):
        if text[position] != byte { return nil }
      case .anyScalar:
        while position > range.lowerBound, isContinuation(text[position]) { position -= 1 }
      }
    }
    return position
  }

  /// Returns the position after a number of scalars.
  private static func skip(_ count: Int, in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    for _ in 0..<count {
      if position == range.upperBound { return nil }
      position += 1
      while position < range.upperBound, isContinuation(text[position]) { position += 1 }
    }
    return position
  }

  /// Whether a byte continues a scalar.
  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

/// A search for the part of a `like` pattern between two `%` that has a `_` between other characters.
///
/// A short part is tried at every position. A long one is matched at all positions at once, one bit for each of its
/// elements: a text of n bytes costs n × m / 64 steps for m elements, where trying would cost n × m.
///
/// Source of the method: Baeza-Yates and Gonnet, "A New Approach to Text Searching", Communications of the ACM 35, 1992.
struct PatternSearch: Sendable {
  private let elements: [LikePattern.Element]
  /// For each value of a byte, the elements that it matches, as words of 64 bits; empty for a short part.
  private let masks: [UInt64]
  /// The elements that are a `_`, one bit each.
  private let gaps: [UInt64]

  /// - Parameters:
  ///   - elements: bytes and `_`, neither beginning nor ending with a `_`.
  ///   - longestTried: the number of elements up to which a part is tried at every position.
  init(_ elements: [LikePattern.Element], longestTried: Int) {
    self.elements = elements
    guard elements.count > longestTried else {
      (masks, gaps) = ([], [])
      return
    }
    let wordCount = (elements.count + 63) / 64
    var masks = [UInt64](repeating: 0, count: 256 * wordCount)
    var gaps = [UInt64](repeating: 0, count: wordCount)
    for (index, element) in elements.enumerated() {
      let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
      switch element {
      case .byte(let byte): masks[Int(byte) * wordCount + word] |= bit
      case .anyScalar:
        gaps[word] |= bit
        for byte in 0..<256 where !LikePattern.isContinuation(UInt8(byte)) { masks[byte * wordCount + word] |= bit }
      }
    }
    (self.masks, self.gaps) = (masks, gaps)
  }

  /// Returns the end of the first match.
  ///
  /// - Returns: `nil` if there is no match within the range.
  func end(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    if masks.isEmpty {
      for start in range {
        if let end = LikePattern.end(of: elements[...], in: text, start..<range.upperBound) { return end }
      }
      return nil
    }
    var matched = [UInt64](repeating: 0, count: gaps.count)
    return matched.withUnsafeMutableBufferPointer { matched in
      masks.withUnsafeBufferPointer { masks in
        gaps.withUnsafeBufferPointer { gaps in follow(text, range, &matched, masks, gaps) }
      }
    }
  }

  /// Scans the text byte by byte. A bit of `matched` is set if a partial match ends with its element.
  private func follow(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ matched: inout UnsafeMutableBufferPointer<UInt64>,
    _ masks: UnsafeBufferPointer<UInt64>, _ gaps: UnsafeBufferPointer<UInt64>
  ) -> Int? {
    let wordCount = gaps.count
    let last = UInt64(1) << UInt64((elements.count - 1) % 64)
    // No bit is set in the words from this index on.
    var wordsInUse = 0
    for position in range {
      let byte = text[position]
      let isContinuation = LikePattern.isContinuation(byte)
      let row = Int(byte) * wordCount
      // The bit of the first element is carried in at every byte, since a match may begin anywhere.
      var carry: UInt64 = 1
      var word = 0
      let end = min(wordsInUse + 1, wordCount)
      wordsInUse = 0
      while word < end {
        let before = matched[word]
        var after = (before << 1 | carry) & masks[row + word]
        // A continuation byte belongs to the scalar that a `_` has matched.
        if isContinuation { after |= before & gaps[word] }
        carry = before >> 63
        matched[word] = after
        word += 1
        if after != 0 { wordsInUse = word }
      }
      if matched[wordCount - 1] & last != 0 { return position + 1 }
    }
    return nil
  }
}
