import Query

/// Columns that are aligned by the width of their characters, below their names and a rule. Numbers stand at the right.
///
/// It has to keep all rows, because the last one may have the longest text.
struct TableFormat: RowFormat {
  private static let gap = "  "

  private let columns: [ColumnHeading]
  private let null: String
  private var widths: [Int]
  private var rows: [[Value]] = []

  init(_ columns: [ColumnHeading], _ style: TextStyle) {
    self.columns = columns
    null = style.dim("null")
    widths = columns.map { TerminalText.columns(of: TerminalText.visible($0.name)) }
  }

  func begin(_ output: inout OutputBuffer) {}

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    for (column, value) in row.enumerated() {
      widths[column] = max(widths[column], TerminalText.columns(of: value.visibleText ?? "null"))
    }
    rows.append(row)
  }

  mutating func end(_ output: inout OutputBuffer) throws(OutputError) {
    append(columns.map { cell(TerminalText.visible($0.name), isNumber: $0.isNumeric) }, to: &output)
    output.append(widths.map { String(repeating: "─", count: $0) }.joined(separator: Self.gap) + "\n")
    for row in rows {
      append(zip(columns, row).map(cell), to: &output)
      try output.flushIfFull()
    }
  }

  private struct Cell {
    let text: String
    let columns: Int
    let isNumber: Bool
  }

  private func cell(_ text: String, isNumber: Bool) -> Cell {
    Cell(text: text, columns: TerminalText.columns(of: text), isNumber: isNumber)
  }

  private func cell(_ column: ColumnHeading, _ value: Value) -> Cell {
    guard let text = value.visibleText else {
      // Its escapes take no columns.
      return Cell(text: null, columns: 4, isNumber: column.isNumeric)
    }
    return cell(text, isNumber: value.kind == .number)
  }

  private func append(_ cells: [Cell], to output: inout OutputBuffer) {
    // Blanks wait for what stands behind them, so that there are none at the end of a line.
    var blanks = 0
    for (position, cell) in cells.enumerated() {
      let padding = widths[position] - cell.columns
      if cell.isNumber { blanks += padding }
      if !cell.text.isEmpty {
        output.append(String(repeating: " ", count: blanks))
        output.append(cell.text)
        blanks = 0
      }
      if !cell.isNumber { blanks += padding }
      blanks += Self.gap.utf8.count
    }
    output.append("\n")
  }
}
