/// The forms in which rows can be printed.
enum FormatName: String, CaseIterable {
  case table, csv, tsv, json, ndjson, markdown, line

  /// What the format is like, for the help.
  var help: String {
    switch self {
    case .table: "aligned columns for people"
    case .csv: "RFC 4180; null is nothing, the empty text \"\""
    case .tsv: "a line a row; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects; infinity is \"Infinity\", bytes are Base64"
    case .ndjson: "an object a line"
    case .markdown: "a table for a README"
    case .line: "a line a value, for wide rows"
    }
  }

  /// Columns that are aligned for a person, lines that are easy to take apart for a program.
  static func standard(for style: TextStyle) -> FormatName {
    style.isTerminal ? .table : .tsv
  }

  /// A format at the start of its output.
  func makeFormat(_ columns: [ColumnHeading], _ style: TextStyle) -> any RowFormat {
    switch self {
    case .table: TableFormat(columns, style)
    case .csv: CSVFormat(columns, style)
    case .tsv: TSVFormat(columns, style)
    case .json: JSONFormat(columns, style)
    case .ndjson: NDJSONFormat(columns, style)
    case .markdown: MarkdownFormat(columns, style)
    case .line: LineFormat(columns, style)
    }
  }
}
