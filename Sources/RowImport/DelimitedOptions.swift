package import CSV

/// The known properties of a file of delimited text; the others are detected.
package struct DelimitedOptions: Hashable, Sendable {
  /// The delimiter of CSV; detected where it is `nil`.
  package var delimiter: CSVDelimiter?
  package var layout = DelimitedLayout()
  /// The encoding of a file whose text is not UTF-8, as iconv calls it. UTF-16 with a mark is known without that.
  package var encoding: String?
  /// Whether numbers have a decimal comma, and may have points between thousands.
  package var hasDecimalComma = false

  /// The order of the parts of dates; `nil` to leave texts as they are.
  package var dateOrder: DateOrder?

  /// No known properties.
  package init() {}

  /// Refuses what says nothing of a format.
  func check(for format: InputFormat, of name: String) throws(ImportError) {
    let isDelimited = format == .csv || format == .tsv
    if isDelimited, delimiter == nil || format == .csv { return }
    var others = self
    others.encoding = nil
    if others == DelimitedOptions() { return }
    throw ImportError(
      "\(name) is read as \(format.rawValue), which has \(isDelimited ? "tabs" : "no delimiter and no header")",
      details: ["--from csv reads it as CSV"], isUsageError: true)
  }

  /// Returns the delimiter of the text that a window starts with.
  ///
  /// - Parameter noteGuess: called with a delimiter that was detected and is not the usual one.
  /// - Throws: ``ImportError`` where there is one column, and its name contains a character that may be another delimiter.
  func delimiter(
    of window: ByteWindow, _ name: String, noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> CSVDelimiter {
    if let delimiter { return delimiter }
    do throws(CSVError) {
      while window.bytes.count < Self.sampleSize, try window.readMore(line: 1) {}
    } catch {
      throw ImportError(error, in: name)
    }
    switch CSVDelimiter.guess(
      from: window.bytes, isWhole: window.isAtEnd, layout, hasDecimalComma: hasDecimalComma)
    {
    case .found(.comma), .oneColumn, .unclear(.comma): return .comma
    case .found(let delimiter):
      noteGuess(delimiter)
      return delimiter
    case .unclear(let delimiter):
      throw ImportError(
        "\(name): it is not clear what separates the fields: \(delimiter.name) may do so, and may not",
        details: ["--delimiter ';' says which it is, --delimiter , that it is a comma"], isUsageError: true)
    }
  }

  /// The number of bytes in which the delimiter is detected.
  private static let sampleSize = 1 << 16
}
