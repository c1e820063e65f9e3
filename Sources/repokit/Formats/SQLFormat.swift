import Query
import SQLiteStore

/// An `INSERT` statement for each row, which SQLite reads back exactly: reals bit by bit, texts with whatever they hold.
struct SQLFormat: RowFormat {
  /// What stands before a row's values.
  private let start: String
  private let isTerminal: Bool

  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions) {
    let names = columns.map { style.raw(SQLText.name($0.name)) }.joined(separator: ", ")
    start = "INSERT INTO \(style.raw(SQLText.name(options.table))) (\(names)) VALUES ("
    isTerminal = style.isTerminal
  }

  func begin(_ output: inout OutputBuffer) {}

  func append(_ row: [Value], to output: inout OutputBuffer) {
    output.append(start)
    for (position, value) in row.enumerated() {
      if position > 0 { output.append(", ") }
      output.append(SQLText.literal(value) { isTerminal && TerminalText.isObeyed($0) })
    }
    output.append(");\n")
  }

  func end(_ output: inout OutputBuffer) {}
}
