/// Finds the part of a `like` pattern between two `%` that holds a `_` amid other characters.
///
/// A short part is tried at every place. A long one is followed at all places at once, one bit for each of its elements:
/// a text of n bytes costs n × m / 64 steps for m elements, where trying would cost n × m.
///
/// Source of the method: Baeza-Yates and Gonnet, "A New Approach to Text Searching", Communications of the ACM 35, 1992.
struct PatternSearch: Sendable {
  private let elements: [LikePattern.Element]
  /// For each value of a byte, the elements that it matches, as words of 64 bits; none for a short part.
  private let masks: [UInt64]
  /// The elements that are a `_`.
  private let gaps: [UInt64]

  /// - Parameters:
  ///   - elements: bytes and `_`, neither beginning nor ending with a `_`.
  ///   - longestTried: how many elements a part may have to be tried at every place.
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

  /// Where the first match ends.
  ///
  /// - Returns: `nil` where there is none within the range.
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

  /// Takes byte after byte. A bit of `matched` stands for a place at which its element was the last to match.
  private func follow(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ matched: inout UnsafeMutableBufferPointer<UInt64>,
    _ masks: UnsafeBufferPointer<UInt64>, _ gaps: UnsafeBufferPointer<UInt64>
  ) -> Int? {
    let wordCount = gaps.count
    let last = UInt64(1) << UInt64((elements.count - 1) % 64)
    // No bit is set in the words from here on.
    var wordsInUse = 0
    for position in range {
      let byte = text[position]
      let isContinuation = LikePattern.isContinuation(byte)
      let row = Int(byte) * wordCount
      // A match may begin anywhere.
      var carry: UInt64 = 1
      var word = 0
      let end = min(wordsInUse + 1, wordCount)
      wordsInUse = 0
      while word < end {
        let before = matched[word]
        var after = (before << 1 | carry) & masks[row + word]
        // The scalar that a `_` stands for goes on.
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
