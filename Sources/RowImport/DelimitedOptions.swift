package import CSV
package import SQLInspection

/// How a file of delimited text is written, as far as that is said; the rest is found out.
package struct DelimitedOptions: Hashable, Sendable {
  /// What separates the fields of CSV; guessed where it is `nil`.
  package var delimiter: CSVDelimiter?
  package var layout = DelimitedLayout()
  /// The encoding of a file whose text is not UTF-8, as iconv calls it. UTF-16 with a mark is known without that.
  package var encoding: String?
  /// Whether numbers have a comma before their fraction, and may have points between thousands.
  package var hasDecimalComma = false

  /// In which order the parts of dates are written; `nil` where texts stay as they are.
  package var dateOrder: DateOrder?

  /// Nothing is said.
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

  /// The delimiter of the text that a window starts with.
  ///
  /// - Parameter noteGuess: is told of a delimiter that is not the usual one, and was guessed.
  /// - Throws: ``ImportError`` where there is one column, and its name holds what may be another delimiter.
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

  /// So many bytes tell a delimiter.
  private static let sampleSize = 1 << 16
}
