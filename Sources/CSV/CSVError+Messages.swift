// The wording of every error, in one place so that it stays one voice.
extension CSVError {
  static func unterminatedQuote(at place: Place) -> CSVError {
    CSVError(
      .unterminatedQuote, line: place.line, column: place.column,
      summary: "The quoted field is not closed.",
      reason: "The quote that opens here is still open at the end of the input.",
      suggestion: "Close the field with a quote, and write a quote inside it twice.")
  }

  static func textAfterQuote(at place: Place) -> CSVError {
    CSVError(
      .textAfterQuote, line: place.line, column: place.column,
      summary: "Text follows a closing quote.",
      reason: "Only a delimiter or the end of the line can follow it.",
      suggestion: "Write a quote inside a quoted field twice.")
  }

  static func quoteInUnquotedField(at place: Place) -> CSVError {
    CSVError(
      .quoteInUnquotedField, line: place.line, column: place.column,
      summary: "A quote stands inside a field without quotes.",
      suggestion: "Put the whole field in quotes and write the quote twice; no space comes before the opening quote.")
  }

  static func unknownEscape(at place: Place) -> CSVError {
    CSVError(
      .unknownEscape, line: place.line, column: place.column,
      summary: "The backslash begins no escape.",
      reason: "There are \\t, \\n, \\r and \\\\, and \\N for a field without a value.",
      suggestion: "Write a backslash twice.")
  }

  static func invalidUTF8(at place: Place) -> CSVError {
    CSVError(
      .invalidUTF8, line: place.line, column: place.column,
      summary: "The input is not UTF-8.",
      suggestion: "Convert it to UTF-8 first.")
  }

  static func fieldTooLarge(limit: Int, at place: Place) -> CSVError {
    CSVError(
      .fieldTooLarge, line: place.line, column: place.column,
      summary: "The field is longer than \(limit) bytes.",
      suggestion: "Look for a missing closing quote, or raise the limit.")
  }

  static func tooManyFields(_ found: Int, header: [String], at place: Place) -> CSVError {
    CSVError(
      .wrongFieldCount, line: place.line, column: place.column,
      summary: "The record has \(counted(found)), the header has \(header.count).",
      reason: "The first field too many starts here.",
      suggestion: "Put a field that contains the delimiter in quotes.",
      foundFieldCount: found, expectedFieldCount: header.count)
  }

  static func tooFewFields(_ found: Int, header: [String], at place: Place) -> CSVError {
    CSVError(
      .wrongFieldCount, line: place.line, column: place.column,
      summary: "The record has \(counted(found)), the header has \(header.count).",
      reason: "It ends here, before column \(header[found].debugDescription).",
      suggestion: "Write an empty field where a value is absent.",
      foundFieldCount: found, expectedFieldCount: header.count)
  }

  static func duplicateHeader(_ name: String, at place: Place) -> CSVError {
    CSVError(
      .duplicateHeader, line: place.line, column: place.column,
      summary: "The header has two columns with the name \(name.debugDescription).",
      suggestion: "Give every column its own name.")
  }

  static func emptyHeader(number: Int, at place: Place) -> CSVError {
    CSVError(
      .emptyHeader, line: place.line, column: place.column,
      summary: "Column \(number) of the header has no name.",
      suggestion: "Give every column a name, and remove a delimiter at the end of the line.")
  }

  static func noHeader() -> CSVError {
    CSVError(
      .noHeader, line: 1, column: 1,
      summary: "The input is empty.",
      reason: "Its first line should be the header with the names of the columns.")
  }

  static func cannotOpen(path: String, reason: String) -> CSVError {
    CSVError(.unreadable, summary: "\(path.debugDescription) cannot be opened.", reason: "\(reason).")
  }

  static func cannotRead(line: Int, reason: String) -> CSVError {
    CSVError(.unreadable, line: line, summary: "The input cannot be read any further.", reason: "\(reason).")
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "1 field" : "\(count) fields"
  }
}
