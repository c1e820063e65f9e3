/// Takes CSV in chunks and hands out its records, for bytes that come from somewhere else than a file.
///
/// ```swift
/// var parser = CSVParser()
/// for await chunk in chunks {
///   try parser.consume(chunk.span) { record in print(record.fields.map(\.text)) }
/// }
/// try parser.finish { record in print(record.fields.map(\.text)) }
/// ```
///
/// The format is that of RFC 4180, with these decisions:
///
/// - A record ends with a line feed, a carriage return, or both together; the last one may go without.
/// - A field in quotes keeps everything between them, line breaks as they are; a quote inside is written twice. No
///   field is trimmed, and a quote in a field without quotes is an error.
/// - The input is UTF-8. A byte order mark at its start is skipped.
/// - A blank line is no record, with one exception: where the first record has one field, each further blank line is a
///   record whose field is absent. There is no other way to write that record, and ``CSVWriter`` writes it so.
/// - Records may differ in their number of fields; it is ``CSVReader`` that holds them to a header.
///
/// A chunk may end anywhere, inside a character too. The parser keeps the record it is in and nothing else, so its
/// memory does not grow with the input.
public struct CSVParser {
  /// The number of bytes a field may have unless a limit is given: 100 MB.
  ///
  /// The limit is there for the missing quote in a large file, which makes one field of all that follows.
  public static let defaultMaximumFieldSize = 100_000_000

  private let initial: RecordScanner
  private var scanner: RecordScanner

  /// A parser at the start of an input.
  ///
  /// - Parameters:
  ///   - delimiter: What stands between two fields.
  ///   - maximumFieldSize: The most bytes of text in a field.
  public init(delimiter: CSVDelimiter = .comma, maximumFieldSize: Int = defaultMaximumFieldSize) {
    initial = RecordScanner(delimiter: delimiter, maximumFieldSize: maximumFieldSize)
    scanner = initial
  }

  /// Reads the next bytes of the input.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that follow those of the call before, as many as there are.
  ///   - body: Called with each record that ends in these bytes, in order.
  /// - Throws: A ``CSVError`` when the input is not CSV, and again on each further call; and what `body` throws, after
  ///   which the rest of these bytes is lost and the parser is of no more use.
  public mutating func consume(_ bytes: Span<UInt8>, _ body: (CSVRecord) throws -> Void) throws {
    var offset = 0
    while let record = try scanner.next(in: bytes, from: &offset) {
      try body(record)
    }
  }

  /// Ends the input, after which the parser is at the start of a new one.
  ///
  /// - Parameter body: Called with the last record when no line end has ended it.
  /// - Throws: A ``CSVError`` when the input ends in quotes or in the middle of a character; and what `body` throws.
  public mutating func finish(_ body: (CSVRecord) throws -> Void) throws {
    defer { scanner = initial }
    if let record = try scanner.finish() {
      try body(record)
    }
  }
}
