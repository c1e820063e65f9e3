@_exported public import ErrorDetails

/// An error of an input that could not be read as CSV, with its position.
///
/// ```swift
/// do throws(CSVError) {
///   while let record = try reader.next() { … }
/// } catch where error.code == .wrongFieldCount {
///   print(error)  // line 7, column 12: The record has 3 fields, the header has 4. …
/// }
/// ```
///
/// The texts contain lines, columns and header names. They contain no field's text, so that a log of errors contains no data.
public struct CSVError: DetailedError, Hashable, Sendable {
  /// The kind of error.
  public let code: Code

  /// The line of the error, counted from 1; `nil` when the input could not be opened at all.
  ///
  /// A line ends with a line feed, a carriage return or both together, in quotes too.
  public let line: Int?

  /// The column of the error in its line, counted from 1; `nil` when the error belongs to no character of its line.
  ///
  /// Columns count Unicode scalars: a tab is one, `é` is one or, decomposed, two. A byte order mark is not counted.
  public let column: Int?

  /// The description of the error: what happened, why, and what to do about it.
  public let details: ErrorDetails

  /// The number of fields of the record; only with ``Code-swift.struct/wrongFieldCount``.
  public let foundFieldCount: Int?

  /// The number of fields of the header; only with ``Code-swift.struct/wrongFieldCount``.
  public let expectedFieldCount: Int?

  init(
    _ code: Code,
    line: Int? = nil,
    column: Int? = nil,
    summary: String,
    reason: String? = nil,
    suggestion: String? = nil,
    foundFieldCount: Int? = nil,
    expectedFieldCount: Int? = nil
  ) {
    self.code = code
    self.line = line
    self.column = column
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
    self.foundFieldCount = foundFieldCount
    self.expectedFieldCount = expectedFieldCount
  }
}

extension CSVError {
  /// The position, the summary, the reason and the suggestion in one line.
  public var description: String {
    let text = [summary, reason, suggestion].compactMap(\.self).joined(separator: " ")
    return switch (line, column) {
    case (let line?, let column?): "line \(line), column \(column): \(text)"
    case (let line?, nil): "line \(line): \(text)"
    case (nil, _): text
    }
  }
}

extension CSVError {
  /// The kind of an error: an open set, so a `switch` over it needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind, as its constant is spelled.
    public let rawValue: String

    /// Makes a kind of error by its name.
    ///
    /// - Parameter rawValue: the name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name of the kind.
    public var description: String {
      rawValue
    }

    /// The code of the error for an input that ends in a quoted field; the position is that of the opening quote.
    public static let unterminatedQuote = Code(rawValue: "unterminatedQuote")

    /// The code of the error for a closing quote that is followed by something other than a delimiter or a line end;
    /// the position is that character's.
    public static let textAfterQuote = Code(rawValue: "textAfterQuote")

    /// The code of the error for a field that contains a quote but does not begin with one; the position is that of the
    /// quote.
    public static let quoteInUnquotedField = Code(rawValue: "quoteInUnquotedField")

    /// The code of the error for a backslash in tab-separated values that begins no escape; the position is that of the
    /// backslash.
    public static let unknownEscape = Code(rawValue: "unknownEscape")

    /// The code of the error for bytes that are not UTF-8; the position is that of the first invalid byte.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")

    /// The code of the error for a record whose number of fields differs from the header's.
    ///
    /// The position is that of the first field too many, or the end of a record that is too short. The counts are in
    /// ``CSVError/foundFieldCount`` and ``CSVError/expectedFieldCount``.
    public static let wrongFieldCount = Code(rawValue: "wrongFieldCount")

    /// The code of the error for a header with two columns of the same name; the position is that of the second one.
    public static let duplicateHeader = Code(rawValue: "duplicateHeader")

    /// The code of the error for a header with a column without a name; the position is where the name should be.
    public static let emptyHeader = Code(rawValue: "emptyHeader")

    /// The code of the error for a header with more columns than the reader allows; the position is that of the first
    /// one too many.
    public static let tooManyColumns = Code(rawValue: "tooManyColumns")

    /// The code of the error for an input without a record, and thus without a header.
    public static let noHeader = Code(rawValue: "noHeader")

    /// The code of the error for an input that cannot be opened or read; the reason is the system's.
    public static let unreadable = Code(rawValue: "unreadable")

    /// The code of the error for a field that is longer than the reader allows; the position is where the field starts.
    public static let fieldTooLarge = Code(rawValue: "fieldTooLarge")
  }
}

/// A position in an input of CSV: line and column, both counted from 1.
struct CSVPosition: Hashable {
  var line: Int
  var column: Int
}

// The wording of every error, kept together so that it stays uniform.
extension CSVError {
  static func unterminatedQuote(at position: CSVPosition) -> CSVError {
    CSVError(
      .unterminatedQuote, line: position.line, column: position.column,
      summary: "The quoted field is not closed.",
      reason: "The field that starts here is still open at the end of the input.",
      suggestion: "Close the field with a quote, and write a quote inside it twice.")
  }

  static func textAfterQuote(at position: CSVPosition) -> CSVError {
    CSVError(
      .textAfterQuote, line: position.line, column: position.column,
      summary: "Text follows a closing quote.",
      reason: "Only a delimiter or the end of the line can follow it.",
      suggestion: "Write a quote inside a quoted field twice.")
  }

  static func quoteInUnquotedField(at position: CSVPosition) -> CSVError {
    CSVError(
      .quoteInUnquotedField, line: position.line, column: position.column,
      summary: "A field without quotes contains a quote.",
      suggestion:
        "Put the whole field in quotes, and write the quote twice; no space can come before the opening quote.")
  }

  static func unknownEscape(at position: CSVPosition) -> CSVError {
    CSVError(
      .unknownEscape, line: position.line, column: position.column,
      summary: "The backslash does not start an escape.",
      reason: "The escapes are \\t, \\n, \\r and \\\\, and \\N for a field without a value.",
      suggestion: "Write a backslash twice.")
  }

  static func invalidUTF8(at position: CSVPosition) -> CSVError {
    CSVError(
      .invalidUTF8, line: position.line, column: position.column,
      summary: "The input is not UTF-8.",
      suggestion: "Convert the input to UTF-8.")
  }

  static func fieldTooLarge(limit: Int, at position: CSVPosition) -> CSVError {
    CSVError(
      .fieldTooLarge, line: position.line, column: position.column,
      summary: "The field is longer than \(limit) bytes.",
      suggestion: "Look for a missing closing quote.")
  }

  static func tooManyFields(_ found: Int, header: [String], at position: CSVPosition) -> CSVError {
    CSVError(
      .wrongFieldCount, line: position.line, column: position.column,
      summary: "The record has \(counted(found)), the header has \(header.count).",
      reason: "The first extra field starts here.",
      suggestion: "Put a field that contains the delimiter in quotes.",
      foundFieldCount: found, expectedFieldCount: header.count)
  }

  static func tooFewFields(_ found: Int, header: [String], at position: CSVPosition) -> CSVError {
    CSVError(
      .wrongFieldCount, line: position.line, column: position.column,
      summary: "The record has \(counted(found)), the header has \(header.count).",
      reason: "The record ends here, before column \(header[found].debugDescription).",
      suggestion: "Write an empty field for a missing value.",
      foundFieldCount: found, expectedFieldCount: header.count)
  }

  static func duplicateHeader(_ name: String, at position: CSVPosition) -> CSVError {
    CSVError(
      .duplicateHeader, line: position.line, column: position.column,
      summary: "The header has two columns with the name \(VisibleText.name(name).debugDescription).",
      suggestion: "Give every column a different name.")
  }

  static func emptyHeader(number: Int, at position: CSVPosition) -> CSVError {
    CSVError(
      .emptyHeader, line: position.line, column: position.column,
      summary: "Column \(number) of the header has no name.",
      suggestion: "Give every column a name, and remove a delimiter at the end of the line.")
  }

  static func tooManyColumns(limit: Int, at position: CSVPosition) -> CSVError {
    CSVError(
      .tooManyColumns, line: position.line, column: position.column,
      summary: "The header has more than \(limit) columns.",
      suggestion: "Check whether the file has another format.")
  }

  static func noHeader() -> CSVError {
    CSVError(
      .noHeader, line: 1, column: 1,
      summary: "The input is empty.",
      reason: "The first line must be the header with the names of the columns.")
  }

  static func cannotOpen(path: String, reason: String) -> CSVError {
    CSVError(.unreadable, summary: "Cannot open \(path.debugDescription).", reason: "\(reason).")
  }

  static func cannotRead(line: Int, reason: String) -> CSVError {
    CSVError(.unreadable, line: line, summary: "Cannot read the rest of the input.", reason: "\(reason).")
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "1 field" : "\(count) fields"
  }
}
