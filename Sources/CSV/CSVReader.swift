/// Reads a file, or bytes in memory, record by record; the first record is the header.
///
/// ```swift
/// let reader = try CSVReader(path: "pokemon.csv")
/// while let record = try reader.next() {
///   print(record.line, reader.header, record.fields)
/// }
/// ```
///
/// The format is that of ``CSVParser``. Beyond it, the header names every column, each name is there once, and each
/// record has as many fields as the header. The reader holds one record and one buffer, so its memory does not grow
/// with the file.
public final class CSVReader {
  /// Large enough that the system calls do not show, small enough to stay in the processor's cache.
  private static let bufferSize = 1 << 17

  /// The names of the columns, in the order of the file.
  ///
  /// No name is empty, and no two have the same bytes. Upper and lower case make different names, and so do the composed and
  /// the decomposed "é".
  public private(set) var header: [String] = []

  private let source: ByteSource
  private var buffer: [UInt8]
  private var bufferCount: Int
  private var offset = 0
  private var scanner: RecordScanner
  private var isAtEnd = false
  private var readFailure: CSVError?

  /// Opens a file and reads its header.
  ///
  /// Anything that can be opened and read from start to end will do, a named pipe too, for which this waits.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the current directory unless it starts with `/`.
  ///   - delimiter: The character between two fields.
  ///   - maximumFieldSize: The most bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable`` for a file that is missing, forbidden or a directory; and what
  ///   ``init(bytes:delimiter:maximumFieldSize:)`` throws.
  public convenience init(
    path: String,
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(
      source: ByteSource(path: path), scanner: RecordScanner(delimiter: delimiter, maximumFieldSize: maximumFieldSize))
  }

  /// Reads the header from an open file, such as the standard input.
  ///
  /// - Parameters:
  ///   - fileDescriptor: The descriptor, open for reading. It stays open, and stays the caller's to close.
  ///   - delimiter: The character between two fields.
  ///   - maximumFieldSize: The most bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable`` for a descriptor that cannot be read; and what
  ///   ``init(bytes:delimiter:maximumFieldSize:)`` throws.
  public convenience init(
    fileDescriptor: Int32,
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(
      source: ByteSource(borrowing: fileDescriptor),
      scanner: RecordScanner(delimiter: delimiter, maximumFieldSize: maximumFieldSize))
  }

  /// Reads the header from bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole input, in UTF-8.
  ///   - delimiter: The character between two fields.
  ///   - maximumFieldSize: The most bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/noHeader`` for an input without a record,
  ///   ``CSVError/Code-swift.struct/emptyHeader`` and ``CSVError/Code-swift.struct/duplicateHeader`` for names that
  ///   cannot be told apart, and what ``next()`` throws.
  public convenience init(
    bytes: [UInt8],
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(
      source: ByteSource(), buffer: bytes, bufferCount: bytes.count,
      scanner: RecordScanner(delimiter: delimiter, maximumFieldSize: maximumFieldSize))
  }

  private init(
    source: consuming ByteSource,
    buffer: [UInt8] = [UInt8](repeating: 0, count: bufferSize),
    bufferCount: Int = 0,
    scanner: RecordScanner
  ) throws(CSVError) {
    self.source = source
    self.buffer = buffer
    self.bufferCount = bufferCount
    self.scanner = scanner
    header = try readHeader()
    self.scanner.expect(header)
  }

  /// The next record, or `nil` at the end of the input.
  ///
  /// - Throws: An error about the next record: ``CSVError/Code-swift.struct/wrongFieldCount``, after which the next
  ///   call goes on with the record behind it; or ``CSVError/Code-swift.struct/unterminatedQuote``,
  ///   ``CSVError/Code-swift.struct/textAfterQuote``, ``CSVError/Code-swift.struct/quoteInUnquotedField``,
  ///   ``CSVError/Code-swift.struct/invalidUTF8``, ``CSVError/Code-swift.struct/fieldTooLarge`` or
  ///   ``CSVError/Code-swift.struct/unreadable``, after which every further call throws the same, so that a broken file
  ///   never looks like one that has ended.
  public func next() throws(CSVError) -> CSVRecord? {
    while !isAtEnd {
      if let record = try nextInBuffer() { return record }
      try refill()
      guard bufferCount == 0 else { continue }
      let last = try scanner.finish()
      // Behind `finish`, so that what is wrong with the end is thrown again, and never taken for the end. From here on
      // the input is not asked again: a terminal or a growing file could go on in the middle of a record.
      isAtEnd = true
      return last
    }
    return nil
  }

  private func nextInBuffer() throws(CSVError) -> CSVRecord? {
    // A span cannot outlive an access to a property, so it is taken of a variable; the bytes are shared, not copied.
    let buffer = buffer
    return try scanner.next(in: buffer.span.extracting(first: bufferCount), from: &offset)
  }

  private func refill() throws(CSVError) {
    if let readFailure { throw readFailure }
    offset = 0
    switch source.fill(&buffer) {
    case .success(let count):
      bufferCount = count
    case .failure(let failure):
      bufferCount = 0
      let error = CSVError.cannotRead(line: scanner.line, reason: failure.reason)
      readFailure = error
      throw error
    }
  }

  private func readHeader() throws(CSVError) -> [String] {
    scanner.trackFields()
    guard let record = try next() else { throw .noHeader() }
    return try Self.names(in: record, at: scanner.fieldPlaces)
  }

  /// The names that the first record gives to the columns.
  static func names(in record: CSVRecord, at places: [Place]) throws(CSVError) -> [String] {
    let names = record.fields.map(\.text)
    // By their bytes: two spellings of "é" are two names.
    var seen: Set<[UInt8]> = []
    for ((index, name), place) in zip(names.enumerated(), places) {
      guard !name.isEmpty else { throw .emptyHeader(number: index + 1, at: place) }
      guard seen.insert(Array(name.utf8)).inserted else { throw .duplicateHeader(name, at: place) }
    }
    return names
  }
}
