/// A search for a text in earlier lines, from the latest on.
struct HistorySearch: Hashable {
  private let lines: [String]
  private(set) var text = ""
  /// Where a line was found.
  private var position: Int?
  /// Whether nothing holds the text.
  private(set) var hasFailed = false

  init(_ lines: [String]) {
    self.lines = lines
  }

  /// The line that was found.
  var line: String? { position.map { lines[$0] } }

  /// Looks for a longer text.
  mutating func append(_ text: String) {
    self.text += text
    search(before: position.map { $0 + 1 } ?? lines.count)
  }

  /// Looks for a shorter text, from the latest line on.
  mutating func removeLast() {
    if text.isEmpty { return }
    text.removeLast()
    search(before: lines.count)
  }

  /// Looks for an earlier line.
  mutating func earlier() {
    guard !text.isEmpty else { return }
    let current = line
    var before = position ?? lines.count
    // The same line again would seem to be no answer.
    while before > 0, lines[before - 1] == current { before -= 1 }
    search(before: before)
  }

  private mutating func search(before end: Int) {
    guard !text.isEmpty else {
      (position, hasFailed) = (nil, false)
      return
    }
    let wanted = text.lowercased()
    let found = lines[..<end].lastIndex { $0.lowercased().contains(wanted) }
    hasFailed = found == nil
    position = found ?? position
  }
}
