/// A parser that reads CSV in chunks and passes its records to a closure, for bytes that come from a source other than a file.
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
/// - A record ends with a line feed, a carriage return, or both together; the last one may lack it.
/// - A field in quotes keeps everything between them, including line breaks; a quote inside is written twice. No field is
///   trimmed, and a quote in a field without quotes is an error.
/// - The input is UTF-8. A byte order mark at its start is skipped.
/// - A blank line is not a record, with one exception: if the first record has one field, each further blank line is a
///   record whose field is absent. There is no other way to write that record, and ``CSVWriter`` writes it so.
/// - Records may differ in their number of fields; only ``CSVReader`` checks them against a header.
///
/// A chunk may end anywhere, even inside a character. The parser keeps only the current record, so its memory does not grow
/// with the input.
public struct CSVParser {
  /// The default maximum number of bytes of a field: 100 MB.
  ///
  /// The limit is for a missing quote in a large file, which makes one field of everything after it.
  public static let defaultMaximumFieldSize = 100_000_000

  /// The scanner at the start of an input. It scans fields in quotes in `QuotedFields.swift`.
  private let initial: RecordScanner
  private var scanner: RecordScanner
  /// The bytes that do not belong to a complete record yet.
  private var pending: [UInt8] = []
  private var failure: CSVError?

  /// Makes a parser at the start of an input.
  ///
  /// - Parameters:
  ///   - delimiter: the character between two fields.
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  public init(delimiter: CSVDelimiter = .comma, maximumFieldSize: Int = defaultMaximumFieldSize) {
    initial = RecordScanner(.csv(delimiter), maximumFieldSize: maximumFieldSize)
    scanner = initial
  }

  /// Reads the next bytes of the input.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that follow those of the previous call, in any number.
  ///   - body: called with each record that ends in these bytes, in order.
  /// - Throws: A ``CSVError`` when the input is not CSV, and again on each further call; and what `body` throws, after which
  ///   the rest of these bytes is lost and the parser is unusable.
  public mutating func consume(_ bytes: Span<UInt8>, _ body: (CSVRecord) throws -> Void) throws {
    bytes.withUnsafeBufferPointer { pending.append(contentsOf: $0) }
    try scan(isAtEnd: false, body)
  }

  /// Ends the input, after which the parser is at the start of a new one.
  ///
  /// - Parameter body: called with the last record if no line end has ended it.
  /// - Throws: A ``CSVError`` when the input ends in quotes or in the middle of a character; and what `body` throws.
  public mutating func finish(_ body: (CSVRecord) throws -> Void) throws {
    defer {
      scanner = initial
      pending = []
      failure = nil
    }
    try scan(isAtEnd: true, body)
  }

  private mutating func scan(isAtEnd: Bool, _ body: (CSVRecord) throws -> Void) throws {
    if let failure { throw failure }
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    var used = 0
    defer {
      bytes.removeFirst(used)
      swap(&bytes, &pending)
    }
    try bytes.withUnsafeBufferPointer { bytes in
      while true {
        let window = UnsafeBufferPointer(rebasing: bytes[used...])
        do throws(CSVError) {
          guard case .record = try scanner.next(in: window, isAtEnd: isAtEnd) else {
            used += scanner.consumed
            return
          }
        } catch {
          failure = error
          throw error
        }
        let record = UnsafeBufferPointer(rebasing: window[scanner.recordStart...])
        var scratch = ScratchBytes()
        let fields = scanner.fields.map { scanner.syntax.field($0, of: record, &scratch).field }
        used += scanner.consumed
        try body(CSVRecord(fields: fields, line: scanner.line))
      }
    }
  }
}

/// A record: the fields between two line ends, and the line where they start.
public struct CSVRecord: Hashable, Sendable {
  /// The fields in the order of the file; at least one.
  public let fields: [CSVField]

  /// The line of the record's first character, counted from 1.
  ///
  /// A record with line breaks in quotes reaches over several lines, so this is not the number of the record.
  public let line: Int

  /// Makes a record with its fields.
  ///
  /// - Parameters:
  ///   - fields: the fields, in order.
  ///   - line: the line where the record starts, counted from 1.
  public init(fields: [CSVField], line: Int) {
    self.fields = fields
    self.line = line
  }
}

/// A field of a record: its text, and whether it was in quotes.
///
/// The quotes are kept because CSV has no other way to distinguish no value from empty text:
///
/// | In the file | `text` | `isQuoted` | `value` |
/// |---|---|---|---|
/// | `a,,c` | `""` | `false` | `nil` |
/// | `a,"",c` | `""` | `true` | `""` |
/// | `a,b,c` | `"b"` | `false` | `"b"` |
///
/// Two fields are equal when Swift's strings are, which is canonical equivalence: `é` is equal to `e` with a combining
/// accent. The text itself keeps the file's code points; compare `text.utf8` where they matter.
public struct CSVField: Hashable, Sendable {
  /// The text without its surrounding quotes, with doubled quotes made single; otherwise every character of the file.
  public let text: String

  /// Whether the field was in quotes.
  public let isQuoted: Bool

  /// Makes a field with a text.
  ///
  /// - Parameters:
  ///   - text: the field's text.
  ///   - isQuoted: whether the field was in quotes.
  public init(_ text: String, isQuoted: Bool = false) {
    self.text = text
    self.isQuoted = isQuoted
  }

  /// Whether the field has no value: it is empty and without quotes.
  public var isAbsent: Bool {
    !isQuoted && text.isEmpty
  }

  /// The text, or `nil` if the field is absent, as ``CSVWriter`` takes it.
  public var value: String? {
    isAbsent ? nil : text
  }
}

/// The character between two fields of a record: one ASCII character.
///
/// ```swift
/// let reader = try CSVReader(path: "pokemon.tsv", delimiter: .tab)
/// guard let delimiter = CSVDelimiter(option) else { … }
/// ```
public struct CSVDelimiter: Hashable, Sendable {
  /// The delimiter's byte in UTF-8.
  let byte: UInt8

  private init(byte: UInt8) {
    self.byte = byte
  }

  /// The delimiter of RFC 4180.
  public static let comma = CSVDelimiter(byte: UInt8(ascii: ","))

  /// The delimiter that spreadsheets write in countries whose decimal separator is a comma.
  public static let semicolon = CSVDelimiter(byte: UInt8(ascii: ";"))

  /// The delimiter of tab-separated values.
  public static let tab = CSVDelimiter(byte: UInt8(ascii: "\t"))

  /// The vertical bar.
  public static let pipe = CSVDelimiter(byte: UInt8(ascii: "|"))

  /// Makes the delimiter for a character; `nil` for a character that cannot be a delimiter.
  ///
  /// - Parameter character: any ASCII character but the quote `"`, carriage return and line feed, which have their own
  ///   meaning in CSV.
  public init?(_ character: Character) {
    guard let byte = character.asciiValue else { return nil }
    switch byte {
    case .quote, .carriageReturn, .lineFeed: return nil
    default: self.init(byte: byte)
    }
  }

  /// The delimiter as a character.
  public var character: Character {
    Character(Unicode.Scalar(byte))
  }
}
