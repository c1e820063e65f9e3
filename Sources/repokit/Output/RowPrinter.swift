import Query

/// Prints rows as they arrive, in one of the formats.
///
/// It can be handed to what gives out rows one at a time and knows nothing of output: the error of a write is kept
/// until ``finish()``.
final class RowPrinter {
  private let console: Console
  private var format: any OutputFormat
  private var output: OutputBuffer
  private var error: OutputError?
  private var hasBegun = false
  /// The number of rows that were printed.
  private(set) var count = 0

  /// - Parameter format: the format of the output; the console's own where it is `nil`.
  /// - Throws: ``Failure`` where the format has no place for what the call's options ask.
  init(
    _ console: Console, _ columns: [ColumnHeading], format: FormatName? = nil, options: FormatOptions = FormatOptions()
  ) throws(Failure) {
    self.console = console
    let name = format ?? console.format
    try console.settings.rowText.check(name)
    var options = options
    options.rowText = console.settings.rowText
    options.canChooseColumns = console.settings.canChooseColumns
    self.format = name.makeFormat(columns, console.style, options)
    output = console.output()
  }

  /// Writes the text before the first row, once.
  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    format.begin(&output)
  }

  /// Prints a row.
  ///
  /// - Returns: whether more rows make sense.
  func append(_ row: [Value]) -> Bool {
    count += 1
    begin()
    do throws(OutputError) {
      format.append(row, to: &output)
      try output.flushIfFull()
      return true
    } catch {
      self.error = error
      return false
    }
  }

  /// Prints the text after the last row, and waits until all is shown.
  ///
  /// - Throws: the error of any write, also of one before.
  func finish() throws(OutputError) {
    if let error { throw error }
    begin()
    try format.end(&output)
    try output.flush()
    try console.finish()
    if let note = format.note { console.say("note: \(note)") }
  }

  /// Shows the rows that were printed before something failed.
  func abandon() {
    if error == nil { try? output.flush() }
  }
}

extension Console {
  /// Prints rows that are in memory.
  func printRows(_ rows: [[Value]], under columns: [ColumnHeading], as format: FormatName) throws {
    let printer = try RowPrinter(self, columns, format: format)
    for row in rows where !printer.append(row) { break }
    try printer.finish()
  }
}

extension FormatName {
  /// Whether the output is for people, with numbers short rather than exact.
  var isForPeople: Bool {
    switch self {
    case .table, .markdown, .html, .line: true
    case .csv, .tsv, .json, .ndjson, .sql, .raw: false
    }
  }
}

extension Value {
  /// A count; null where it is unknown.
  static func count(_ count: Int?) -> Value { count.map { .integer(Int64($0)) } ?? .null }
}
