/// What a writer puts after each record.
///
/// A reader needs no such choice: it takes line feed, carriage return and both together as the end of a record.
public enum CSVLineEnd: Hashable, Sendable {
  /// One line feed, as text files on Unix have it.
  case lineFeed

  /// Carriage return and line feed, as RFC 4180 has it and some spreadsheets expect it.
  case carriageReturnLineFeed

  /// The bytes of the line end in UTF-8.
  var bytes: [UInt8] {
    switch self {
    case .lineFeed: [.lineFeed]
    case .carriageReturnLineFeed: [.carriageReturn, .lineFeed]
    }
  }
}
