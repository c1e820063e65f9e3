/// A walk through earlier lines, from the latest on.
struct HistoryCursor: Hashable {
  private let lines: [String]
  /// What was being written when the walk began.
  private let draft: String
  /// What the lines that are shown start with.
  private let prefix: String
  private var position: Int

  /// - Parameter prefix: what stands before the cursor when the walk begins.
  init(_ lines: [String], draft: String, prefix: String) {
    (self.lines, self.draft, self.prefix) = (lines, draft, prefix)
    position = lines.count
  }

  /// The line before, `nil` where there is none.
  mutating func earlier() -> String? {
    let current = line
    guard let found = lines[..<position].lastIndex(where: { fits($0) && $0 != current }) else { return nil }
    position = found
    return lines[found]
  }

  /// The line after, in the end what was being written.
  mutating func later() -> String? {
    guard position < lines.count else { return nil }
    let current = line
    position = lines[(position + 1)...].firstIndex { fits($0) && $0 != current } ?? lines.count
    return line
  }

  private var line: String { position < lines.count ? lines[position] : draft }

  private func fits(_ line: String) -> Bool { line.hasPrefix(prefix) }
}
