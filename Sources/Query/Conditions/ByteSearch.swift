/// Finds bytes among others in time that grows with the sum of both lengths, however alike they are.
///
/// Source of the method: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", SIAM Journal on Computing 6, 1977.
struct ByteSearch: Sendable {
  /// A byte that is sought, in one array with what stands to it, so that a search holds on to one thing.
  private struct Step {
    let byte: UInt8
    /// How many bytes still match where this one does not: the longest proper prefix of those before it that they end
    /// with.
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

  /// Where the first match ends.
  ///
  /// - Returns: `nil` where there is none within the range.
  func end(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    if steps.count > range.count { return nil }
    if steps.isEmpty { return range.lowerBound }
    return steps.withUnsafeBufferPointer { steps in
      let (first, count) = (steps[0].byte, steps.count)
      var position = range.lowerBound
      while true {
        // What most of a text is spent on.
        while position < range.upperBound, text[position] != first { position += 1 }
        if position == range.upperBound { return nil }
        position += 1
        var matched = 1
        while matched > 0 {
          if matched == count { return position }
          if position == range.upperBound { return nil }
          while matched > 0, text[position] != steps[matched].byte { matched = Int(steps[matched].border) }
          // With nothing matched, the byte is looked at once more, as one that may be the first.
          if matched > 0 {
            matched += 1
            position += 1
          }
        }
      }
    }
  }
}
