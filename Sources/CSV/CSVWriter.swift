/// A writer that formats fields as the lines of a CSV file.
///
/// ```swift
/// let writer = CSVWriter()
/// writer.line(["name", "note"])           // name,note⏎
/// writer.line(["Mr. Mime", "a \"mime\""])  // Mr. Mime,"a ""mime"""⏎
/// writer.line(["Ditto", nil])             // Ditto,⏎
/// writer.line(["Ditto", ""])              // Ditto,""⏎
/// ```
///
/// ``CSVReader`` reads its output back byte for byte, including absent fields and empty texts. A field is quoted only if it
/// has to be: if it contains the delimiter, a quote, a carriage return or line feed, or a space at either end, which other
/// programs trim, if it is an empty text, or if it starts with a byte order mark.
///
/// A record of one absent field is a blank line. ``CSVParser`` reads it as a record if the first record has one field, so
/// write a header first.
public struct CSVWriter: Sendable {
  /// The character between two fields.
  public let delimiter: CSVDelimiter

  /// The line end after each record.
  public let lineEnd: CSVLineEnd

  private let lineEndBytes: [UInt8]

  /// Makes a writer of one form of CSV.
  ///
  /// - Parameters:
  ///   - delimiter: the character between two fields.
  ///   - lineEnd: the line end after each record.
  public init(delimiter: CSVDelimiter = .comma, lineEnd: CSVLineEnd = .lineFeed) {
    self.delimiter = delimiter
    self.lineEnd = lineEnd
    lineEndBytes = lineEnd.bytes
  }

  /// Returns one record as a line.
  ///
  /// - Parameter fields: the fields in order, `nil` for one that is absent.
  /// - Returns: The line with its line end.
  public func line(_ fields: [String?]) -> String {
    var bytes: [UInt8] = []
    append(fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends one record to a buffer, with its line end; cheaper than a string for each line.
  ///
  /// - Parameters:
  ///   - fields: the fields in order, `nil` for one that is absent.
  ///   - buffer: the buffer for the line, in UTF-8.
  public func append(_ fields: [String?], to buffer: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      if !isFirst { buffer.append(delimiter.byte) }
      isFirst = false
      guard var text = field else { continue }
      text.withUTF8 { append($0, to: &buffer) }
    }
    buffer.append(contentsOf: lineEndBytes)
  }

  private func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
    guard needsQuotes(text) else {
      buffer.append(contentsOf: text)
      return
    }
    buffer.append(.quote)
    var rest = text[...]
    while let quote = rest.firstIndex(of: .quote) {
      buffer.append(contentsOf: rest[...quote])
      buffer.append(.quote)
      rest = rest[(quote + 1)...]
    }
    buffer.append(contentsOf: rest)
    buffer.append(.quote)
  }

  private func needsQuotes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    // At the start of a file, a reader would skip the mark (U+FEFF) that is part of the text.
    if first == .space || last == .space || text.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
    return text.contains { byte in
      byte == delimiter.byte || byte == .quote || byte == .lineFeed || byte == .carriageReturn
    }
  }
}

/// The line end that a writer appends to each record.
///
/// A reader needs no such choice: it accepts a line feed, a carriage return and both together as the end of a record.
public enum CSVLineEnd: Hashable, Sendable {
  /// A line feed, as in text files on Unix.
  case lineFeed

  /// A carriage return and a line feed, as in RFC 4180 and as some spreadsheets expect it.
  case carriageReturnLineFeed

  /// The bytes of the line end in UTF-8.
  var bytes: [UInt8] {
    switch self {
    case .lineFeed: [.lineFeed]
    case .carriageReturnLineFeed: [.carriageReturn, .lineFeed]
    }
  }
}
