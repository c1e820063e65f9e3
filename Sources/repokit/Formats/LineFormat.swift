import Query

/// A line for each value, `name = value`, and a blank line between rows: for rows too wide for a table.
struct LineFormat: RowFormat {
  private let names: [String]
  private let null: String
  private let blobs: BlobForm?
  private var isEmpty = true

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    let visible = columns.map { TerminalText.visible($0.name) }
    let widths = visible.map(TerminalText.columns)
    let width = widths.max() ?? 0
    names = zip(visible, widths).map { $0 + String(repeating: " ", count: width - $1) + " = " }
    null = style.dim("null")
    blobs = options.blobs
  }

  func begin(_ output: inout OutputBuffer) {}

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    if !isEmpty { output.append("\n") }
    isEmpty = false
    for (name, value) in zip(names, row) {
      output.append(name)
      output.append(value.visibleText(blobs) ?? null)
      output.append("\n")
    }
  }

  func end(_ output: inout OutputBuffer) {}
}
