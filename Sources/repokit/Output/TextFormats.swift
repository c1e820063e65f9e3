import CSV
import PostgresInspection
import Query
import SQL
import SQLiteStore

/// Values between commas or tabs, under a line of names.
struct DelimitedFormat: OutputFormat {
  private let columns: [ColumnHeading]
  private let style: TextStyle
  private let options: FormatOptions
  private let write: ([String?], inout [UInt8]) -> Void

  /// Comma-separated values as RFC 4180 has them. Null is nothing, an empty text `""`.
  static func csv(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) -> DelimitedFormat {
    let writer = CSVWriter(delimiter: options.rowText.delimiter ?? .comma)
    return DelimitedFormat(columns: columns, style: style, options: options, write: writer.append)
  }

  /// Tab-separated values for `cut`, `sort` and `awk`: each row is one line. Null is `\N`; tabs, line breaks and backslashes
  /// are escaped.
  static func tsv(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) -> DelimitedFormat {
    var options = options
    // The writer's own text for null, which would be escaped as a text.
    if options.rowText.null == "\\N" { options.rowText.null = nil }
    return DelimitedFormat(columns: columns, style: style, options: options, write: TSVWriter().append)
  }

  func begin(_ output: inout OutputBuffer) {
    if options.rowText.hasNames { write(columns.map { style.raw($0.name) }, &output.bytes) }
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    write(row.map { $0.plainText(options.blobs).map(style.raw) ?? options.rowText.null }, &output.bytes)
  }
}

/// Only the values, with bytes unchanged and null empty. On a terminal, bytes are shown as texts.
///
/// With a separator between the values, each row is a line, below one of the names.
struct RawFormat: OutputFormat {
  private let names: [String]
  private let style: TextStyle
  private let separator: String?
  private let text: RowText

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    names = columns.map(\.name)
    self.style = style
    text = options.rowText
    separator = text.rawSeparator
  }

  func begin(_ output: inout OutputBuffer) {
    if separator != nil, text.hasNames { append(names.map(Value.text), to: &output) }
  }

  func append(_ row: [Value], to output: inout OutputBuffer) {
    for (position, value) in row.enumerated() {
      if position > 0, let separator { output.append(separator) }
      if case .blob(let bytes) = value, !style.isTerminal {
        output.bytes += bytes
      } else if let text = value.plainText() ?? text.null {
        output.append(style.raw(text))
      }
    }
    if separator != nil { output.append("\n") }
  }
}

/// A line for each value, `name = value`, and a blank line between rows: for rows too wide for a table.
struct LineFormat: OutputFormat {
  private let names: [String]
  private let null: String
  private let blobs: BlobEncoding?
  private var isEmpty = true

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    let visible = columns.map { TerminalText.visible($0.name) }
    let widths = visible.map(TerminalText.columns)
    let width = widths.max() ?? 0
    names = zip(visible, widths).map { $0 + String(repeating: " ", count: width - $1) + " = " }
    null = style.dim(TerminalText.visible(options.rowText.null ?? "null"))
    blobs = options.blobs
  }

  mutating func append(_ row: [Value], to output: inout OutputBuffer) {
    if !isEmpty { output.append("\n") }
    isEmpty = false
    for (name, value) in zip(names, row) {
      output.append(name)
      output.append(value.visibleText(blobs) ?? null)
      output.append("\n")
    }
  }
}

/// An `INSERT` statement for each row, which a database of the kind that the rows are from reads back exactly: reals bit by bit,
/// texts with whatever they hold.
struct SQLFormat: OutputFormat {
  /// The text before a row's values.
  private let start: String
  private let isTerminal: Bool
  private let isForPostgres: Bool
  private let areBooleans: [Bool]
  private let areNumbers: [Bool]

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    func name(_ name: String) -> String {
      style.raw(options.isForPostgres ? PostgresText.name(name) : SQLiteScript.name(name))
    }
    // A key that the server always generates can be given only by a statement that overrides it.
    let override = options.isForPostgres ? PostgresText.insertOverride : ""
    start =
      "INSERT INTO \(name(options.table)) (\(columns.map { name($0.name) }.joined(separator: ", ")))\(override) VALUES ("
    areBooleans = columns.map(\.isBoolean)
    areNumbers = columns.map { $0.form?.isNumber == true }
    isTerminal = style.isTerminal
    isForPostgres = options.isForPostgres
  }

  func append(_ row: [Value], to output: inout OutputBuffer) { append(row, textBytes: [], to: &output) }

  /// - Parameter textBytes: the bytes of a text that is not UTF-8, for each column; empty where there is none.
  func append(_ row: [Value], textBytes: [[UInt8]?], to output: inout OutputBuffer) {
    output.append(start)
    for (position, value) in row.enumerated() {
      if position > 0 { output.append(", ") }
      if position < textBytes.count, let bytes = textBytes[position] {
        output.append("CAST(\(Value.blob(bytes).description) AS TEXT)")
        continue
      }
      if areNumbers[position], case .text(let number) = value {
        output.append(number)
        continue
      }
      func isSpelled(_ scalar: Unicode.Scalar) -> Bool { isTerminal && TerminalText.isControl(scalar) }
      if areBooleans[position], case .integer(let integer) = value {
        output.append(integer == 0 ? "false" : "true")
        continue
      }
      output.append(
        isForPostgres
          ? PostgresText.literal(value, spelling: isSpelled) : SQLiteScript.literal(value, spelling: isSpelled))
    }
    output.append(");\n")
  }
}
