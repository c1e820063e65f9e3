package import CSV
package import SQLInspection

/// The known properties of a file of rows; the others are detected.
package struct DelimitedOptions: Hashable, Sendable {
  /// The delimiter of CSV; `nil` if it has to be detected.
  package var delimiter: CSVDelimiter?
  package var layout = DelimitedLayout()
  /// The encoding of a file whose text is not UTF-8, as iconv calls it. UTF-16 with a byte order mark is detected.
  package var encoding: String?
  /// The style of numbers.
  package var numberStyle = NumberStyle.plain

  /// The names of columns whose numbers have a currency, a percent sign or parentheses around them.
  package var signedColumns: [String] = []

  /// The order of the parts of dates; `nil` to leave texts as they are.
  package var dateOrder: DateOrder?

  /// The texts that mean null; the empty text stands for one in quotes.
  package var nullTexts: Set<[UInt8]> = []

  /// The names on the way to the list of objects within a JSON object; empty if the file is a list.
  package var path: [String] = []

  /// Whether the format is assumed, since neither an option nor the name of the file implies one.
  var isFormatAssumed = false

  /// Whether rows that can't be read are left out, so that the start of the file decides nothing.
  var skipsBadRows = false

  /// No known properties.
  package init() {}

  /// Throws for options that do not apply to a format.
  func check(for format: InputFormat, of name: String) throws(ImportError) {
    let isDelimited = format == .csv || format == .tsv
    if format != .json, !path.isEmpty {
      throw ImportError(
        "--path does not apply to \(name), which repokit reads as \(format.rawValue)",
        details: ["--from json reads the file as JSON"], isUsageError: true)
    }
    if isDelimited, delimiter == nil || format == .csv { return }
    var others = self
    (others.encoding, others.path, others.isFormatAssumed, others.skipsBadRows) = (nil, [], false, false)
    if others == DelimitedOptions() { return }
    throw ImportError(
      "the options do not apply to \(name): repokit reads the file as \(format.rawValue), which has "
        + "\(isDelimited ? "tabs" : "no delimiter and no header")",
      details: ["--from csv reads the file as CSV"], isUsageError: true)
  }

  /// Completes the options by what the start of a text shows.
  ///
  /// - Parameter noteGuess: called with a guessed delimiter that is not the usual one.
  /// - Returns: the delimiter, and the completed options.
  /// - Throws: ``ImportError`` if it is not clear what separates the fields, or the text is UTF-16.
  func completed(
    by window: ByteWindow, _ name: String, noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> (delimiter: CSVDelimiter, options: DelimitedOptions) {
    do throws(CSVError) {
      while window.bytes.count < Self.sampleSize, try window.readMore(line: 1) {}
    } catch {
      throw ImportError(error, in: name)
    }
    if encoding == nil { try Self.checkIsNotUTF16(window.bytes, name) }
    let advice = LayoutAdvice(window.bytes, isWhole: window.isAtEnd, self)
    if encoding == nil, !skipsBadRows, let invalid = advice.firstInvalid {
      throw ImportError(
        "\(name), line \(invalid.line), column \(invalid.column): the byte 0x\(String(invalid.byte, radix: 16)) "
          + "is not UTF-8",
        details: ["--encoding \(advice.likelyEncoding) probably reads the text"] + advice.title())
    }
    var options = self
    if let named = Self.namedDelimiter(window.bytes) {
      // The line that names the delimiter is skipped, unless it is already among the lines to skip.
      options.layout.skippedLineCount = max(1, layout.skippedLineCount)
      return (delimiter ?? named, options)
    }
    if let delimiter { return (delimiter, options) }
    return (try guess(window, name, noteGuess), options)
  }

  /// Returns the delimiter that the first line names for spreadsheets, as in `sep=;`; such a line is no record.
  private static func namedDelimiter(_ bytes: UnsafeBufferPointer<UInt8>) -> CSVDelimiter? {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    // Without a line break, no records follow.
    guard line.count == 5, line.endIndex < bytes.endIndex, line.dropLast().elementsEqual("sep=".utf8) else {
      return nil
    }
    return line.last.flatMap { CSVDelimiter(Character(UnicodeScalar($0))) }
  }

  /// Throws for a text in UTF-16 without a byte order mark: most letters of its names have a byte that is zero.
  private static func checkIsNotUTF16(_ bytes: UnsafeBufferPointer<UInt8>, _ name: String) throws(ImportError) {
    let start = bytes.prefix(200)
    let zeros = start.indices.filter { start[$0] == 0 }
    let evenCount = zeros.count { $0 % 2 == 0 }
    // Binary files have zeros at even and at odd positions.
    guard start.count > 3, zeros.count * 3 > start.count, evenCount == 0 || evenCount == zeros.count else { return }
    let order = evenCount > 0 ? "be" : "le"
    throw ImportError(
      "\(name) is not UTF-8: every other byte is zero, as in UTF-16",
      details: ["--encoding utf-16\(order) reads the file"],
      isUsageError: true)
  }

  private func guess(
    _ window: ByteWindow, _ name: String, _ noteGuess: (CSVDelimiter) -> Void
  ) throws(ImportError) -> CSVDelimiter {
    switch CSVDelimiter.guess(
      from: window.bytes, isWhole: window.isAtEnd, layout, hasDecimalComma: numberStyle == .decimalComma)
    {
    case .oneColumn:
      try checkForTitle(window, name)
      return .comma
    case .found(.comma): return .comma
    case .unclear(.comma):
      // A header that is shorter than all records is one without a name for their empty last field.
      if !skipsBadRows, !layout.padsRecords { try checkForTitle(window, name, from: 3) }
      return .comma
    case .found(let delimiter):
      noteGuess(delimiter)
      return delimiter
    case .unclear(let delimiter):
      try checkForTitle(window, name)
      throw ImportError(
        "\(name): the delimiter is unclear: \(delimiter.name) can be delimiters or a part of the name",
        details: ["--delimiter sets the delimiter, such as ';' or ,"], isUsageError: true)
    }
  }

  /// Throws where a title is above records of several fields: each line would become a text.
  ///
  /// - Parameter line: the first line on which the header may be.
  private func checkForTitle(_ window: ByteWindow, _ name: String, from line: Int = 2) throws(ImportError) {
    var summary: String?
    let details = LayoutAdvice(window.bytes, isWhole: window.isAtEnd, self).title { firstLine, fieldCount, delimiter in
      if firstLine < line { return }
      summary =
        "\(name): from line \(firstLine) on, the lines have \(fieldCount) fields, separated by \(delimiter.name); "
        + (firstLine == 2 ? "line 1 differs" : "the lines above differ")
    }
    guard let summary else { return }
    throw ImportError(
      summary, details: details + ["--delimiter , reads every line without a comma as one field"],
      isUsageError: true)
  }

  /// The number of bytes in which the delimiter is detected.
  private static let sampleSize = 1 << 16
}
