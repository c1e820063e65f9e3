import Query

/// One JSON array of objects, whose members stand in the order of the columns.
struct JSONFormat: RowFormat {
  private let object: JSONObject
  private var isEmpty = true

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    object = JSONObject(columns.map(\.name), blobs: options.blobs)
  }

  func begin(_ output: inout OutputBuffer) {
    output.append("[")
  }

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    output.append(isEmpty ? "\n" : ",\n")
    isEmpty = false
    object.append(row, to: &output)
  }

  func end(_ output: inout OutputBuffer) {
    output.append(isEmpty ? "]\n" : "\n]\n")
  }
}
