import Query

extension Console {
  /// Prints rows that are at hand.
  func printRows(_ rows: [[Value]], under columns: [ColumnHeading], as format: FormatName) throws(OutputError) {
    let printer = RowPrinter(self, columns, format: format)
    for row in rows where !printer.append(row) { break }
    try printer.finish()
  }
}

extension OptionDescription {
  /// The form in which a command prints rows of its own making.
  static let rowFormat = OptionDescription(
    name: "--format", value: "FORMAT",
    help: "One of \(FormatName.allCases.map(\.rawValue).joined(separator: ", ")); table on a terminal and tsv "
      + "elsewhere if it is left out.",
    completion: .words(FormatName.allCases.map(\.rawValue)))

  /// The same where people get a description rather than rows.
  static let rowFormatForPrograms = OptionDescription(
    name: "--format", value: "FORMAT",
    help:
      "One of \(FormatName.allCases.map(\.rawValue).joined(separator: ", ")); a description for people if it is left out.",
    completion: .words(FormatName.allCases.map(\.rawValue)))
}

extension FormatName {
  /// Whether a person reads it, who wants numbers short rather than exact.
  var isForPeople: Bool {
    switch self {
    case .table, .markdown, .html, .line: true
    case .csv, .tsv, .json, .ndjson, .sql: false
    }
  }
}

extension Value {
  /// A number of things; null where it is not known.
  static func count(_ count: Int?) -> Value { count.map { .integer(Int64($0)) } ?? .null }
}
