import CSV
import Query

/// Tab-separated values for `cut`, `sort` and `awk`, under a line of names: each row is one line, whatever it holds. Null
/// is `\N`; tabs, line breaks and backslashes are escaped.
struct TSVFormat: RowFormat {
  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let blobs: BlobForm?
  private let writer = TSVWriter()

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
