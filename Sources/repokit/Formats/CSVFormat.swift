import CSV
import Query

/// Comma-separated values as RFC 4180 has them, under a line of names. Null is nothing, an empty text `""`.
struct CSVFormat: RowFormat {
  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let blobs: BlobForm?
  private let writer = CSVWriter()

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    self.columns = columns
    self.style = style
    blobs = options.blobs
  }

  func begin(_ output: inout OutputBuffer) {
    writer.append(columns.map { style.raw($0.name) }, to: &output.bytes)
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    writer.append(row.map { $0.plainText(blobs).map(style.raw) }, to: &output.bytes)
  }

  func end(_ output: inout OutputBuffer) {}
}
