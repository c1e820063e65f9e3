import Query

/// A format in which rows are printed, one at a time: a format keeps a row only where it has to.
protocol OutputFormat {
  /// Writes the text before the first row, even where there are no rows.
  mutating func begin(_ output: inout OutputBuffer)

  /// Writes a row, its values in the order of the columns.
  mutating func append(_ row: [Value], to output: inout OutputBuffer)

  /// Writes the text after the last row.
  mutating func end(_ output: inout OutputBuffer) throws(OutputError)

  /// A note about the output for the user, such as on omitted rows or columns; read at the end.
  var note: String? { get }
}

extension OutputFormat {
  func begin(_ output: inout OutputBuffer) {}
  func end(_ output: inout OutputBuffer) {}
  var note: String? { nil }
}

/// The formats in which rows can be printed.
enum FormatName: String, CaseIterable {
  case table, csv, tsv, json, ndjson, markdown, html, line, sql, raw

  static let names = allCases.map(\.rawValue)
  /// The names, for the help.
  static let list = names.joined(separator: ", ")

  /// The description of the format for the help.
  var help: String {
    switch self {
    case .table: "aligned columns, as wide as the terminal"
    case .csv: "RFC 4180; null is an empty field, empty text is \"\""
    case .tsv: "one row a line; null is \\N, and tabs and line breaks are \\t and \\n"
    case .json: "an array of objects; infinity is \"Infinity\", bytes are Base64"
    case .ndjson: "one object a line"
    case .markdown: "a Markdown table, for a README"
    case .html: "an HTML table, for a page"
    case .line: "one value a line, for wide rows"
    case .sql: "INSERT statements, which restore values exactly"
    case .raw: "only the values, with nothing between them, for a file in a blob column; --separator makes lines"
    }
  }

  /// Aligned columns for people, lines that are easy to parse for programs.
  static func standard(for style: TextStyle) -> FormatName {
    style.isTerminal ? .table : .tsv
  }

  /// A format at the start of its output.
  func makeFormat(
    _ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions = FormatOptions()
  ) -> any OutputFormat {
    let format = makePlainFormat(columns, style, options)
    return columns.contains { $0.form != nil } ? ShownFormat(format, columns, isSQL: self == .sql) : format
  }

  private func makePlainFormat(
    _ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions
  ) -> any OutputFormat {
    switch self {
    case .table: TableFormat(columns, style, options)
    case .csv: DelimitedFormat.csv(columns, style, options)
    case .tsv: DelimitedFormat.tsv(columns, style, options)
    case .json: JSONFormat(columns, style, options)
    case .ndjson: NDJSONFormat(columns, style, options)
    case .markdown: MarkdownFormat(columns, style, options)
    case .html: HTMLFormat(columns, style, options)
    case .line: LineFormat(columns, style, options)
    case .sql: SQLFormat(columns, style, options)
    case .raw: RawFormat(columns, style, options)
    }
  }
}

/// The options of a format, besides its columns.
struct FormatOptions {
  /// The notation of bytes; `nil` for each format's own.
  var blobs: BlobEncoding?
  /// Whether a table wraps values that are wider than their column, rather than cut them.
  var wraps = false
  /// The table of the rows, where a format has to name one.
  var table = "result"
  /// Whether statements are for PostgreSQL, rather than for SQLite.
  var isForPostgres = false
  /// Whether an option of the call chooses the columns.
  var canChooseColumns = true
  /// How rows are written as text.
  var rowText = RowText()
}

/// The notation of bytes where a format has none of its own.
enum BlobEncoding: String, CaseIterable {
  case hex
  case base64

  /// The text for bytes: hexadecimal digits as in a query, `x'00ff'`, so that they are not read as a number.
  func text(_ bytes: [UInt8]) -> String {
    switch self {
    case .hex: Value.blob(bytes).description
    case .base64: Base64.text(bytes)
    }
  }
}

/// The properties of a column that a format needs.
struct ColumnHeading {
  let name: String
  /// Whether its values are numbers, which are aligned right.
  let isNumeric: Bool
  /// Whether its values are Booleans, for which PostgreSQL accepts no numbers.
  let isBoolean: Bool
  /// The form in which values of the database's own type are shown; `nil` where they are shown as they are.
  let form: ShownForm?

  init(_ name: String, isNumeric: Bool = false, isBoolean: Bool = false, form: ShownForm? = nil) {
    self.name = name
    self.isNumeric = isNumeric
    self.isBoolean = isBoolean
    self.form = form
  }

  /// - Parameter name: another name than the column's own.
  init(_ column: ColumnSchema, as name: String? = nil) {
    let isBoolean = column.nativeType == .boolean
    let isNumber = column.type == .integer || column.type == .real || column.nativeType?.isNumeric == true
    self.init(
      name ?? column.name, isNumeric: isNumber && !isBoolean, isBoolean: isBoolean, form: ShownForm(column))
  }
}

extension Value {
  /// The value as formats without types show it; `nil` for null.
  ///
  /// A text is itself. Everything else is spelled as in a query, so it can be asked for as it was read: reals with the
  /// fewest digits that give them back exactly, infinity as `9e999`, blobs as `x'00ff'` unless they are wanted
  /// otherwise.
  func plainText(_ blobs: BlobEncoding? = nil) -> String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .integer, .real: description
    case .blob(let bytes): (blobs ?? .hex).text(bytes)
    }
  }

  /// The same on one line and without characters that a terminal would interpret; `nil` for null.
  func visibleText(_ blobs: BlobEncoding?) -> String? {
    plainText(blobs).map(TerminalText.visible)
  }
}
