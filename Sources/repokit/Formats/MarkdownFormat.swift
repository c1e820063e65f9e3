import Query

/// A table of GitHub's Markdown, in which every text means itself; null is slanted, so that it is no text.
struct MarkdownFormat: RowFormat {
  private let columns: [ColumnHeading]
  private let blobs: BlobForm?

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    blobs = options.blobs
  }

  func begin(_ output: inout OutputBuffer) {
    append(columns.map { Self.escaped($0.name) }, to: &output)
    append(columns.map { $0.isNumeric ? "---:" : "---" }, to: &output)
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    append(row.map { $0.plainText(blobs).map(Self.escaped) ?? "*null*" }, to: &output)
  }

  func end(_ output: inout OutputBuffer) {}

  private func append(_ cells: [String], to output: inout OutputBuffer) {
    output.append("| \(cells.joined(separator: " | ")) |\n")
  }

  /// Escapes what Markdown would take for its own. A row is one line, so a line break in a text is the tag for one, and
  /// a tag of the text's own starts with an escaped `<`.
  static func escaped(_ text: String) -> String {
    // As most texts are.
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && !"|\\<*`".utf8.contains($0) }) { return text }
    var escaped = ""
    var isAfterCarriageReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where isAfterCarriageReturn: break
      case "\n", "\r": escaped += "<br>"
      case "|", "\\", "<", "*", "`": escaped += "\\\(scalar)"
      default: escaped.unicodeScalars.append(scalar)
      }
      isAfterCarriageReturn = scalar == "\r"
    }
    return TerminalText.visible(escaped)
  }
}
