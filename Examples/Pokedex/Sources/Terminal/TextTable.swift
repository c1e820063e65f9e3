/// Rows of text whose columns stand below each other on a terminal.
struct TextTable {
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows = [header.map(\.0)]
  }

  mutating func append(_ row: [String]) {
    rows.append(row)
  }

  /// The header and the rows, a line each.
  var text: String {
    let widths = alignments.indices.map { column in rows.map { Self.width(of: $0[column]) }.max() ?? 0 }
    let lines = rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - Self.width(of: text))
        line += (column == 0 ? "" : "  ") + (alignments[column] == .left ? text + padding : padding + text)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return lines.joined(separator: "\n")
  }

  /// How many columns of a terminal a text takes: Japanese characters take two, accents of their own none.
  ///
  /// Source: the wide and fullwidth ranges of Unicode Standard Annex 11 that hold Japanese.
  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { width, scalar in
      switch scalar.value {
      case 0x300...0x36F, 0x3099...0x309A: width
      case 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF01...0xFF60: width + 2
      default: width + 1
      }
    }
  }
}
