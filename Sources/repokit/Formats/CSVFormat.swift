import CSV
import Query

/// Comma-separated values as RFC 4180 has them, under a line of names. Null is nothing, an empty text `""`.
struct CSVFormat: RowFormat {
  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let writer = CSVWriter()

  init(_ columns: [ColumnHeading], _ style: TextStyle) {
    self.columns = columns
    self.style = style
  }

  func begin(_ output: inout OutputBuffer) {
    writer.append(columns.map { style.raw($0.name) }, to: &output.bytes)
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    writer.append(row.map { $0.plainText.map(style.raw) }, to: &output.bytes)
  }

  func end(_ output: inout OutputBuffer) {}
}
