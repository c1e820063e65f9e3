import Query

/// A JSON object a line, for programs that read them one at a time.
struct NDJSONFormat: RowFormat {
  private let object: JSONObject

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    object = JSONObject(columns.map(\.name), blobs: options.blobs)
  }

  func begin(_ output: inout OutputBuffer) {}

  func append(_ row: [Value], to output: inout OutputBuffer) {
    object.append(row, to: &output)
    output.append("\n")
  }

  func end(_ output: inout OutputBuffer) {}
}
