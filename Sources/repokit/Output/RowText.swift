import CSV

/// How the text formats write rows, for scripts: with or without names, with a separator, and with a text for null.
struct RowText: Hashable {
  /// The options of a call for it.
  enum Option: String {
    case noNames = "--no-names"
    case separator = "--separator"
    case nullText = "--null-text"
  }

  var hasNames = true
  /// The text between raw values, or the delimiter of CSV, as the call spells it; `nil` for the format's own.
  var separator: String?
  /// The text for null; `nil` for the format's own.
  var null: String?

  /// Whether the format decides all of it.
  var isStandard: Bool { self == RowText() }

  /// The text between raw values.
  var rawSeparator: String? { separator.map { $0 == "tab" ? "\t" : $0.replacing("\\t", with: "\t") } }

  /// The delimiter of CSV.
  var delimiter: CSVDelimiter? {
    guard let text = rawSeparator, text.count == 1, let character = text.first else { return nil }
    return CSVDelimiter(character)
  }

  /// - Throws: ``Failure`` where the format has no place for what the options ask.
  func check(_ format: FormatName) throws(Failure) {
    if !hasNames, ![.table, .csv, .tsv, .html, .raw].contains(format) {
      throw Self.refused(Option.noNames, format, "table, csv, tsv and html")
    }
    if null != nil, [.json, .ndjson, .sql].contains(format) {
      throw Self.refused(Option.nullText, format, "table, csv, tsv, markdown, html, line and raw")
    }
    guard separator != nil else { return }
    guard format == .csv || format == .raw else {
      throw Self.refused(Option.separator, format, "csv and raw")
    }
    if format == .csv, delimiter == nil {
      throw Failure(
        "\(Option.separator.rawValue): the delimiter of CSV is one ASCII character other than a quote",
        details: ["without --format, the values are raw, and the separator is any text"], status: .usageError)
    }
  }

  private static func refused(_ option: Option, _ format: FormatName, _ others: String) -> Failure {
    Failure(
      "the format \(format.rawValue) does not accept \(option.rawValue)",
      details: ["the formats with \(option.rawValue) are \(others)"], status: .usageError)
  }
}
