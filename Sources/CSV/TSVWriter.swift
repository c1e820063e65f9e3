/// A writer that formats fields as the lines of a tab-separated file without quotes, for programs that split lines and tabs.
///
/// ```swift
/// let writer = TSVWriter()
/// writer.line(["name", "note"])    // name⇥note⏎
/// writer.line(["Ditto", nil])      // Ditto⇥\N⏎
/// writer.line(["a\tb", "c\nd\\"])  // a\tb⇥c\nd\\⏎
/// ```
///
/// Each record is exactly one line, and each tab in it is the end of a field. In a text, tab, line feed, carriage return and
/// backslash become `\t`, `\n`, `\r` and `\\`; an absent field is `\N`, an empty text is empty. This is the text format of
/// PostgreSQL's `COPY`. ``CSVReader`` does not read these escapes: for a file with tabs that it reads back, use ``CSVWriter``
/// with ``CSVDelimiter/tab``.
public struct TSVWriter: Sendable {
  /// Makes a writer.
  public init() {}

  /// Returns one record as a line.
  ///
  /// - Parameter fields: the fields in order, `nil` for one that is absent.
  /// - Returns: The line with its line feed.
  public func line(_ fields: [String?]) -> String {
    var bytes: [UInt8] = []
    append(fields, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends one record to a buffer, with its line feed; cheaper than a string for each line.
  ///
  /// - Parameters:
  ///   - fields: the fields in order, `nil` for one that is absent.
  ///   - buffer: the buffer for the line, in UTF-8.
  public func append(_ fields: [String?], to buffer: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      if !isFirst { buffer.append(.tab) }
      isFirst = false
      guard let text = field else {
        buffer.append(.backslash)
        buffer.append(UInt8(ascii: "N"))
        continue
      }
      for byte in text.utf8 {
        if let letter = escapeLetter(of: byte) {
          buffer.append(.backslash)
          buffer.append(letter)
        } else {
          buffer.append(byte)
        }
      }
    }
    buffer.append(.lineFeed)
  }

  private func escapeLetter(of byte: UInt8) -> UInt8? {
    switch byte {
    case .tab: UInt8(ascii: "t")
    case .lineFeed: UInt8(ascii: "n")
    case .carriageReturn: UInt8(ascii: "r")
    case .backslash: .backslash
    default: nil
    }
  }
}
