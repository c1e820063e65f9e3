package import CSV
package import SQLInspection

/// The known properties of a file of delimited text; the others are detected.
package struct DelimitedOptions: Hashable, Sendable {
  /// The delimiter of CSV; detected where it is `nil`.
  package var delimiter: CSVDelimiter?
  package var layout = DelimitedLayout()
  /// The encoding of a file whose text is not UTF-8, as iconv calls it. UTF-16 with a mark is known without that.
  package var encoding: String?
  /// How numbers are written.
  package var numberStyle = NumberStyle.plain

  /// The names of columns whose numbers have a currency, a percent sign or parentheses around them.
  package var signedColumns: [String] = []

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

  /// Finds out what is not said of the text that a window starts with.
  ///
  /// - Parameter noteGuess: is told of a delimiter that is not the usual one, and was guessed.
  /// - Returns: the delimiter, with what else the text's start says.
  /// - Throws: ``ImportError`` where it is not clear what separates the fields, or the text is no UTF-8.
  func completed(
    by window: ByteWindow, _ name: String, noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> (delimiter: CSVDelimiter, options: DelimitedOptions) {
    do throws(CSVError) {
      while window.bytes.count < Self.sampleSize, try window.readMore(line: 1) {}
    } catch {
      throw ImportError(error, in: name)
    }
    if encoding == nil { try Self.checkIsNotUTF16(window.bytes, name) }
    var options = self
    if let named = Self.namedDelimiter(window.bytes) {
      // Unless it is left out already, as one of those that were asked for.
      options.layout.skippedLineCount = max(1, layout.skippedLineCount)
      return (delimiter ?? named, options)
    }
    if let delimiter { return (delimiter, options) }
    return (try guess(window, name, noteGuess), options)
  }

  /// The delimiter that a first line names for spreadsheets, as `sep=;` does, which is no record.
  private static func namedDelimiter(_ bytes: UnsafeBufferPointer<UInt8>) -> CSVDelimiter? {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    // Without a line end there are no records behind it.
    guard line.count == 5, line.endIndex < bytes.endIndex, line.dropLast().elementsEqual("sep=".utf8) else {
      return nil
    }
    return line.last.flatMap { CSVDelimiter(Character(UnicodeScalar($0))) }
  }

  /// Refuses what is UTF-16 without a mark: most of the letters of its names have a byte that is zero.
  private static func checkIsNotUTF16(_ bytes: UnsafeBufferPointer<UInt8>, _ name: String) throws(ImportError) {
    let start = bytes.prefix(200)
    let zeros = start.indices.filter { start[$0] == 0 }
    let evenCount = zeros.count { $0 % 2 == 0 }
    // Files that are no text have zeros anywhere.
    guard start.count > 3, zeros.count * 3 > start.count, evenCount == 0 || evenCount == zeros.count else { return }
    let order = evenCount > 0 ? "be" : "le"
    throw ImportError(
      "\(name) is no UTF-8: every other byte is zero, as in UTF-16", details: ["--encoding utf-16\(order) reads it"],
      isUsageError: true)
  }

  private func guess(
    _ window: ByteWindow, _ name: String, _ noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> CSVDelimiter {
    switch CSVDelimiter.guess(
      from: window.bytes, isWhole: window.isAtEnd, layout, hasDecimalComma: numberStyle == .decimalComma)
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
