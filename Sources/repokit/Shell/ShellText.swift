/// A text that holds the lines of a shell: each ends with a line feed that stands in no quotes and no parentheses, and
/// behind no backslash.
struct ShellText {
  /// A line, which may stand on several lines of the text.
  struct Line: Hashable {
    let text: String
    /// The number of the line in the text on which it starts, from 0.
    let number: Int
  }

  /// The lines that are complete.
  private(set) var lines: [Line] = []
  /// What stands behind the last of them, and needs another line.
  private(set) var rest: Line?

  init(_ text: String) {
    var gathered: String?
    var start = 0
    for (number, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if gathered == nil { start = number }
      let line = gathered.map { Self.joined($0, String(part)) } ?? String(part)
      if Self.isComment(line) || ShellWords(line).end == .complete {
        lines.append(Line(text: line, number: start))
        gathered = nil
      } else {
        gathered = line
      }
    }
    rest = gathered.map { Line(text: $0, number: start) }
  }

  /// Whether nothing is open at its end.
  var isComplete: Bool { rest == nil }

  /// A line with the one that it goes on with. A backslash that says so goes.
  private static func joined(_ line: String, _ next: String) -> String {
    ShellWords(line).end == .escaped ? line.dropLast() + next : "\(line)\n\(next)"
  }

  /// Whether a line says nothing to this program.
  static func isComment(_ line: String) -> Bool {
    line.drop(while: \.isWhitespace).first.map { $0 == "#" } ?? true
  }
}
