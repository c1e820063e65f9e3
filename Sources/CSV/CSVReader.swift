/// A reader of a file, or of bytes in memory, record by record; the first record is the header.
///
/// ```swift
/// let reader = try CSVReader(path: "pokemon.csv")
/// while let record = try reader.next() {
///   print(record.line, reader.header, record.fields)
/// }
/// ```
///
/// The format is that of ``CSVParser``. In addition, the header names every column, each name is unique, and each record has
/// as many fields as the header. The reader holds one record and one buffer, so its memory does not grow with the file.
public final class CSVReader {
  private let records: RawRecordReader
  /// The error that all further calls throw, since no record can be read after it.
  private var failure: CSVError?

  /// The names of the columns, in the order of the file.
  ///
  /// No name is empty, and no two have the same bytes. Names are case-sensitive, and the composed and the decomposed "é"
  /// make different names.
  public var header: [String] { records.header }

  /// Opens a file and reads its header.
  ///
  /// Any file that can be opened and read from start to end is accepted, also a named pipe, for which this waits.
  ///
  /// - Parameters:
  ///   - path: the path of the file, relative to the current directory unless it starts with `/`.
  ///   - delimiter: the character between two fields.
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable`` for a file that is missing, forbidden or a directory; and what
  ///   ``init(bytes:delimiter:maximumFieldSize:)`` throws.
  public convenience init(
    path: String,
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(ByteWindow(ByteSource(path: path)), delimiter, maximumFieldSize)
  }

  /// Reads the header from an open file, such as the standard input.
  ///
  /// - Parameters:
  ///   - fileDescriptor: the descriptor, open for reading. It stays open, and is closed by the caller.
  ///   - delimiter: the character between two fields.
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/unreadable`` for a descriptor that cannot be read; and what
  ///   ``init(bytes:delimiter:maximumFieldSize:)`` throws.
  public convenience init(
    fileDescriptor: Int32,
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(ByteWindow(fileDescriptor: fileDescriptor), delimiter, maximumFieldSize)
  }

  /// Reads the header from bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: the whole input, in UTF-8.
  ///   - delimiter: the character between two fields.
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  /// - Throws: ``CSVError/Code-swift.struct/noHeader`` for an input without a record,
  ///   ``CSVError/Code-swift.struct/emptyHeader`` and ``CSVError/Code-swift.struct/duplicateHeader`` for names that are
  ///   missing or not unique, and what ``next()`` throws.
  public convenience init(
    bytes: [UInt8],
    delimiter: CSVDelimiter = .comma,
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) throws(CSVError) {
    try self.init(ByteWindow(bytes: bytes), delimiter, maximumFieldSize)
  }

  private init(_ window: ByteWindow, _ delimiter: CSVDelimiter, _ maximumFieldSize: Int) throws(CSVError) {
    records = try RawRecordReader(window, .csv(delimiter), maximumFieldSize: maximumFieldSize)
  }

  /// Returns the next record, or `nil` at the end of the input.
  ///
  /// - Throws: An error about the next record: ``CSVError/Code-swift.struct/wrongFieldCount``, after which the next call
  ///   continues with the record after it; or ``CSVError/Code-swift.struct/unterminatedQuote``,
  ///   ``CSVError/Code-swift.struct/textAfterQuote``, ``CSVError/Code-swift.struct/quoteInUnquotedField``,
  ///   ``CSVError/Code-swift.struct/invalidUTF8``, ``CSVError/Code-swift.struct/fieldTooLarge`` or
  ///   ``CSVError/Code-swift.struct/unreadable``, after which every further call throws the same error, so that a broken
  ///   file never looks like one that has ended.
  public func next() throws(CSVError) -> CSVRecord? {
    if let failure { throw failure }
    do throws(CSVError) {
      guard try records.next() else { return nil }
      return CSVRecord(fields: records.fields.map(\.field), line: records.line)
    } catch {
      if error.code != .wrongFieldCount { failure = error }
      throw error
    }
  }
}
