/// Candidates below a line, in columns or with what they are.
struct CandidateList {
  let rows: [String]

  /// - Parameters:
  ///   - width: of the terminal.
  ///   - rows: how many there may be.
  init(_ candidates: [Candidate], width: Int, rows limit: Int) {
    let labels = candidates.map { TerminalText.visible($0.label) }
    let widest = labels.map(TerminalText.columns).max() ?? 0
    if candidates.count <= limit, candidates.contains(where: { !$0.note.isEmpty }), widest + 10 < width {
      rows = zip(labels, candidates).map { label, candidate in
        let gap = String(repeating: " ", count: widest - TerminalText.columns(of: label) + 2)
        return Self.cut(label + gap + TerminalText.visible(candidate.note), to: width)
      }
      return
    }
    let perRow = max(1, width / (widest + 2))
    // Down the columns, as `ls` does.
    let count = (labels.count + perRow - 1) / perRow
    var lines = (0..<count).map { row in
      let line = stride(from: row, to: labels.count, by: count).reduce(into: "") { line, position in
        let gap = widest - TerminalText.columns(of: labels[position]) + 2
        line += labels[position] + (position + count < labels.count ? String(repeating: " ", count: gap) : "")
      }
      return Self.cut(line, to: width)
    }
    if lines.count > limit {
      lines = Array(lines.prefix(limit - 1)) + [Self.cut("… \(labels.count) in all", to: width)]
    }
    rows = lines
  }

  private static func cut(_ line: String, to width: Int) -> String {
    if TerminalText.columns(of: line) < width { return line }
    var cut = ""
    var columns = 0
    for character in line {
      let next = TerminalText.columns(of: String(character))
      if columns + next > width - 1 { break }
      cut.append(character)
      columns += next
    }
    return cut + "…"
  }
}
