/// The forms in which rows can be printed.
enum FormatName: String, CaseIterable {
  case table, csv, tsv, json, ndjson, markdown, html, line, sql

  /// What the format is like, for the help.
  var help: String {
    switch self {
    case .table: "aligned columns for people, as wide as the terminal"
    case .csv: "RFC 4180; null is nothing, the empty text \"\""
    case .tsv: "a line a row; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects; infinity is \"Infinity\", bytes are Base64"
    case .ndjson: "an object a line"
    case .markdown: "a table for a README"
    case .html: "a table for a page"
    case .line: "a line a value, for wide rows"
    case .sql: "INSERT statements, which SQLite reads back exactly"
    }
  }

  /// Columns that are aligned for a person, lines that are easy to take apart for a program.
  static func standard(for style: TextStyle) -> FormatName {
    style.isTerminal ? .table : .tsv
  }

  /// A format at the start of its output.
  func makeFormat(
    _ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions = FormatOptions()
  ) -> any RowFormat {
    switch self {
    case .table: TableFormat(columns, style, options)
    case .csv: CSVFormat(columns, style, options)
    case .tsv: TSVFormat(columns, style, options)
    case .json: JSONFormat(columns, style, options)
    case .ndjson: NDJSONFormat(columns, style, options)
    case .markdown: MarkdownFormat(columns, style, options)
    case .html: HTMLFormat(columns, style, options)
    case .line: LineFormat(columns, style, options)
    case .sql: SQLFormat(columns, style, options)
    }
  }
}
