import CSV

/// The options by which a file of delimited text can be read, as far as its start shows them.
struct LayoutAdvice {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isWhole: Bool
  private let options: DelimitedOptions

  /// - Parameters:
  ///   - bytes: the start of the file, which has to outlive the advice.
  ///   - isWhole: whether these bytes are the whole file.
  init(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ options: DelimitedOptions) {
    (self.bytes, self.isWhole, self.options) = (bytes, isWhole, options)
  }

  /// The first byte that is not UTF-8, and its position; `nil` if there is none in the lines that are read.
  var firstInvalid: (line: Int, column: Int, byte: UInt8)? {
    // A comment may be in any encoding.
    if options.layout.comment != nil { return nil }
    let ends = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }
    let count = options.layout.skippedLineCount
    let start = count == 0 ? 0 : Array(ends.prefix(count)).last.map { $0 + 1 } ?? bytes.count
    guard let found = UTF8Check.firstInvalid(in: UnsafeBufferPointer(rebasing: bytes[start...])) else { return nil }
    let index = start + found
    // The last character may be cut.
    if !isWhole, index + 4 > bytes.count { return nil }
    let line = bytes[..<index].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Continuation bytes begin no character.
    return (line.count, (line.last?.count { $0 & 0xC0 != 0x80 } ?? 0) + 1, bytes[index])
  }

  /// The most likely encoding of a text that is not UTF-8, by bytes that stand for signs, or for nothing, in the others.
  ///
  /// Sources: https://encoding.spec.whatwg.org, indexes of windows-1250, windows-1252 and Shift_JIS.
  var likelyEncoding: String {
    var (pairCount, highCount, centralCount, index) = (0, 0, 0, 0)
    var (hasUndefined, hasPolishWord) = (false, false)
    /// Whether the byte is a letter in windows-1250, and a sign such as a superscript in windows-1252.
    func isPolish(_ position: Int) -> Bool {
      bytes.indices.contains(position) && [0xB3, 0xB9, 0xBF, 0xA5, 0xA3].contains(bytes[position])
    }
    func isLetter(_ position: Int) -> Bool {
      bytes.indices.contains(position) && UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[position] | 0x20
    }
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte >= 0x80 { highCount += 1 }
      if [0xB3, 0xB9, 0xBF, 0x9C, 0x9F, 0xA5, 0xA3].contains(byte), isLetter(index - 1) || isLetter(index + 1) {
        centralCount += 1
        // A superscript ends a word, and an inverted question mark begins one; neither is within a word.
        let isWithin = [index - 1, index + 1].allSatisfy { isLetter($0) || isPolish($0) }
        hasPolishWord = hasPolishWord || isPolish(index) && isWithin
      }
      if 0x81...0x9F ~= byte || 0xE0...0xEF ~= byte && next > 0x7F, 0x40...0xFC ~= next, next != 0x7F {
        pairCount += 1
        index += 1
      }
      hasUndefined = hasUndefined || [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte)
      index += 1
    }
    if pairCount > 3, pairCount * 10 > highCount * 9 { return "shift_jis" }
    if centralCount > 2 || hasPolishWord, centralCount * 10 > highCount { return "windows-1250" }
    return hasUndefined ? "macintosh" : "windows-1252"
  }

  /// The options that skip lines above the header and below the last record, and rename columns; none if the header is on
  /// the first line.
  func title(_ body: (_ firstLine: Int, _ fieldCount: Int, CSVDelimiter) -> Void = { _, _, _ in }) -> [String] {
    // Where the encoding is not known yet, only the ASCII characters tell the layout.
    let ascii = bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "x") }
    return ascii.withUnsafeBufferPointer { bytes in
      let found = CSVDelimiter.guessBehindTitle(
        from: bytes, isWhole: isWhole, options.layout, hasDecimalComma: options.numberStyle == .decimalComma)
      guard !isHeaderFirst(bytes), let found else { return [] }
      let count = count(ofLinesAbove: found.lineCount, bytes)
      body(count + 1, found.fieldCount, found.delimiter)
      let lines = count == 1 ? "the line" : "the \(count) lines"
      return [
        "--skip-lines \(count) skips \(lines) above, such as a title",
        found.endCount == 0
          ? nil : "--skip-end \(found.endCount) skips \(found.endCount == 1 ? "the last line" : "the last lines")",
        found.names.contains { $0.first == " " || $0.last == " " }
          ? "--trim removes blanks around names and fields" : nil,
        areUnique(found.names) ? nil : "--rename-columns names columns without a name, and renames repeated names",
      ].compactMap(\.self)
    }
  }

  private func areUnique(_ names: [String]) -> Bool {
    let names = names.map { $0.lowercased() }
    return !names.contains("") && Set(names).count == names.count
  }

  /// Whether the records are like the header on the first line.
  private func isHeaderFirst(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let guess = CSVDelimiter.guess(
      from: bytes, isWhole: isWhole, options.layout, hasDecimalComma: options.numberStyle == .decimalComma)
    if case .found = guess { return true }
    return false
  }

  /// Returns the number of lines to skip for some lines above the header, with the empty lines behind them.
  private func count(ofLinesAbove count: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 100, omittingEmptySubsequences: false)
    var count = options.layout.skippedLineCount + count
    while count < lines.count, lines[count].allSatisfy({ $0 == UInt8(ascii: "\r") }) { count += 1 }
    return count
  }
}
