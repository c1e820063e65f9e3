/// Counts the lines of a terminal that output takes, those included onto which long ones are broken.
struct ScreenMeter {
  private let size: TerminalSize

  init(_ size: TerminalSize) {
    self.size = size
  }

  /// Whether output leaves no line for the shell's next prompt.
  func isExceeded(by bytes: [UInt8]) -> Bool {
    var rows = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (columns(of: line) + size.columns - 1) / size.columns)
      if rows >= size.lines { return true }
    }
    return false
  }

  /// The columns of a line, or at least as many as a whole screen has.
  private func columns(of line: ArraySlice<UInt8>) -> Int {
    var columns = 0
    // No character that takes columns is shorter than one byte, nor longer than 32 where people write.
    let text = String(decoding: line.prefix(size.columns * size.lines * 32), as: UTF8.self)
    var isEscape = false
    for character in text {
      switch character {
      case "\u{1B}": isEscape = true
      case "\t" where !isEscape: columns += 8 - columns % 8
      case _ where isEscape: isEscape = !character.isLetter
      default: columns += TerminalText.columns(of: String(character))
      }
    }
    return columns
  }
}
