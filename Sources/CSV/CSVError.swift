/// Why an input could not be read as CSV, and where.
///
/// ```swift
/// do throws(CSVError) {
///   while let record = try reader.next() { … }
/// } catch where error.code == .wrongFieldCount {
///   print(error)  // line 7, column 12: The record has 3 fields, the header has 4. …
/// }
/// ```
///
/// The texts name lines, columns and header names. They hold no field's text, so that a log of errors holds no data.
public struct CSVError: Error, Hashable, Sendable {
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

  /// What happened, in one sentence.
  public let summary: String

  /// Why it happened, in a sentence, where more is known.
  public let reason: String?

  /// What can be done about it, in a sentence.
  public let suggestion: String?

  /// How many fields the record has; only with ``Code-swift.struct/wrongFieldCount``.
  public let foundFieldCount: Int?

  /// How many fields the header has; only with ``Code-swift.struct/wrongFieldCount``.
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
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
    self.foundFieldCount = foundFieldCount
    self.expectedFieldCount = expectedFieldCount
  }
}

extension CSVError: CustomStringConvertible {
  /// The place, the summary, the reason and the suggestion in one line.
  public var description: String {
    let text = [summary, reason, suggestion].compactMap(\.self).joined(separator: " ")
    return switch (line, column) {
    case (let line?, let column?): "line \(line), column \(column): \(text)"
    case (let line?, nil): "line \(line): \(text)"
    case (nil, _): text
    }
  }
}
