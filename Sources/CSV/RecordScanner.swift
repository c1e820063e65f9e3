/// A scanner that finds the records and fields in a window of bytes that grows and moves, shared by all readers.
///
/// The window starts at the first unused byte, and may end anywhere: the scanner continues where it stopped.
struct RecordScanner {
  /// The result of a scan.
  enum Step {
    /// A record, which ``fields`` describe.
    case record
    /// The window ends within a record, or between two.
    case incomplete
    /// The input has no further record.
    case end
  }

  /// A field of the current record.
  struct Field {
    enum Form: UInt8 {
      /// The text, unchanged.
      case plain
      /// The text between quotes, unchanged.
      case quoted
      /// A text with escapes.
      case escaped
      /// No value.
      case absent
    }

    /// The offset of the first byte of the text, and that after the last one, from the start of the record.
    var start: Int
    var end: Int
    var form: Form
  }

  enum State {
    /// At the start of the input, where there may be a byte order mark.
    case start
    case recordStart
    case fieldStart
    case unquoted
    case quoted
    /// After a field.
    case fieldEnd
    /// In a line that is skipped without regard to quotes.
    case skippedLine
  }

  let syntax: DelimitedSyntax
  private let layout: DelimitedLayout
  /// The number of lines still to be skipped before the first record.
  private var skippedLineCount: Int
  private let limit: Int
  /// The quote; the delimiter for a syntax without quotes.
  let quoteMark: UInt8
  /// The greatest of the bytes that may end an unquoted field: one comparison skips those above it.
  let highestMark: UInt8
  /// The byte before an escaped byte within quotes; the quote for a syntax without one.
  let escapeMark: UInt8
  var state = State.start

  /// The fields of the current record; if there are too many, one more than the header has.
  private(set) var fields: [Field] = []
  /// The line of the current record's first character.
  private(set) var line = 1
  /// The line after the last one that was read.
  private(set) var nextLine = 1
  /// The position in the window where the current record starts.
  private(set) var recordStart = 0
  /// The number of bytes that the window has to remove before the next call.
  private(set) var consumed = 0

  private var header: [String]?
  /// The number of fields of the first record.
  private var firstFieldCount: Int?
  /// Whether a field beyond those that are kept has a text.
  private var hasTextBeyond = false
  private var fieldCount = 0
  /// The number of fields that are kept; further ones of a record are only counted.
  private var keptFieldCount: Int
  var endedWithCarriageReturn = false
  /// The first mistake after which the record's fields are still recognizable, and its position in the record.
  var mistake: (error: CSVError, position: Int)?

  // The state within the current record; all positions are counted from the start of the record.
  var index = 0
  var fieldStart = 0
  var recordEnd = 0
  var lineBreaks = 0
  /// All bytes of the current field, combined by or: below 0x80 if it is ASCII.
  var union: UInt8 = 0
  /// The number of the current field's escapes.
  var escapes = 0
  /// Whether the current field starts with `\N`.
  var isNull = false

  /// - Parameters:
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  ///   - maximumFieldCount: the maximum number of fields of the first record.
  init(
    _ syntax: DelimitedSyntax, _ layout: DelimitedLayout = DelimitedLayout(), maximumFieldSize: Int,
    maximumFieldCount: Int = .max
  ) {
    (self.syntax, self.layout) = (syntax, layout)
    (skippedLineCount, limit) = (layout.skippedLineCount, maximumFieldSize)
    keptFieldCount = maximumFieldCount
    quoteMark = syntax.quote ?? syntax.delimiter
    highestMark = max(syntax.delimiter, quoteMark, .carriageReturn)
    escapeMark = syntax.escape ?? quoteMark
  }

  /// Requires every further record to have as many fields as the header.
  mutating func expect(_ header: [String]) {
    self.header = header
    // The first field too many is kept, because an error reports its position.
    keptFieldCount = header.count + 1
    fields.reserveCapacity(header.count + 1)
  }

  /// Advances to the end of the next record.
  ///
  /// - Parameters:
  ///   - window: the unused bytes, which start with those of the previous call if that was incomplete.
  ///   - isAtEnd: whether no more bytes will follow.
  /// - Throws: the error in a record. The next call continues after the record, unless the error breaks the input, see
  ///   ``isBroken(by:)``.
  mutating func next(in window: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) throws(CSVError) -> Step {
    recordStart = 0
    consumed = 0
    guard try reachRecord(in: window, isAtEnd) else { return isAtEnd ? .end : .incomplete }
    if state == .recordStart { return .record }
    let record = UnsafeBufferPointer(rebasing: window[recordStart...])
    let isWhole =
      switch syntax.quoting {
      case .quotes: try scanQuotedFields(record, isAtEnd)
      case .backslashes: try scanEscapedFields(record, isAtEnd)
      }
    guard isWhole else {
      consumed = recordStart
      return .incomplete
    }
    try finishRecord(record)
    return .record
  }

  /// Returns whether the start of the next record is not known after an error.
  static func isBroken(by error: CSVError) -> Bool {
    switch error.code {
    case .wrongFieldCount, .quoteInUnquotedField, .textAfterQuote, .invalidUTF8, .unknownEscape: false
    default: true
    }
  }
}

// MARK: - Between records

extension RecordScanner {
  /// Skips the bytes before a record.
  ///
  /// - Returns: whether a record starts; if the state is still ``State/recordStart``, that record is a blank line.
  private mutating func reachRecord(in window: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool) throws(CSVError) -> Bool {
    var position = 0
    defer { consumed = position }
    if state == .start {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if window.count < mark.count, !isAtEnd, window.elementsEqual(mark.prefix(window.count)) { return false }
      if window.starts(with: mark) { position = mark.count }
      state = .recordStart
    }
    if state == .skippedLine, !skipLine(in: window, from: &position) { return false }
    if state != .recordStart { return true }
    while position < window.count {
      let byte = window[position]
      // After a carriage return, a line feed is a part of the same line end.
      if (skippedLineCount > 0 || byte == layout.comment) && !(byte == .lineFeed && endedWithCarriageReturn) {
        skippedLineCount -= skippedLineCount > 0 ? 1 : 0
        state = .skippedLine
        if !skipLine(in: window, from: &position) { return false }
        continue
      }
      // A blank line is a record of tab-separated values.
      guard syntax.quoting == .quotes, isLineEnd(byte) else {
        beginRecord(at: position)
        return true
      }
      position += 1
      if byte == .lineFeed, endedWithCarriageReturn {
        endedWithCarriageReturn = false
        continue
      }
      line = nextLine
      endLine(byte)
      // With one column a blank line is the only way to write a record whose field is absent.
      guard firstFieldCount == 1 else { continue }
      fields.removeAll(keepingCapacity: true)
      fields.append(Field(start: 0, end: 0, form: .absent))
      recordStart = position
      return true
    }
    return false
  }

  /// Skips the rest of a line.
  ///
  /// - Returns: whether its end is in the window.
  private mutating func skipLine(in window: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Bool {
    position = window[position...].firstIndex(where: isLineEnd) ?? window.count
    guard position < window.count else { return false }
    endLine(window[position])
    position += 1
    state = .recordStart
    return true
  }

  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == .lineFeed || byte == .carriageReturn && syntax.quoting == .quotes
  }

  private mutating func endLine(_ byte: UInt8) {
    nextLine += 1
    endedWithCarriageReturn = byte == .carriageReturn
  }

  private mutating func beginRecord(at position: Int) {
    endedWithCarriageReturn = false
    recordStart = position
    line = nextLine
    fields.removeAll(keepingCapacity: true)
    fieldCount = 0
    mistake = nil
    index = 0
    lineBreaks = 0
    hasTextBeyond = false
    state = .fieldStart
  }
}

// MARK: - What ends a field and a record

extension RecordScanner {
  @inline(__always)
  mutating func endField(
    _ form: Field.Form, at end: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(CSVError) {
    if index - fieldStart - escapes > limit { try checkSize(bytes) }
    if union >= 0x80 { checkText(to: end, bytes) }
    fieldCount += 1
    if fieldCount <= keptFieldCount {
      fields.append(Field(start: fieldStart, end: end, form: form))
    } else if header == nil {
      throw failure(
        .tooManyColumns(limit: keptFieldCount, at: lineAndColumn(of: fieldStart, in: bytes)), at: fieldStart)
    } else if end > fieldStart {
      hasTextBeyond = true
    }
  }

  @inline(never)
  private mutating func checkText(to end: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    let text = UnsafeBufferPointer(rebasing: bytes[fieldStart..<end])
    guard let invalid = UTF8Check.firstInvalid(in: text) else { return }
    // An unknown escape in the same field may be the earlier mistake.
    let position = fieldStart + invalid
    if position < mistake?.position ?? .max {
      mistake = (.invalidUTF8(at: lineAndColumn(of: position, in: bytes)), position)
    }
  }

  /// Throws for a field whose read part is too long: an unclosed quote must be reported before it takes all memory.
  mutating func checkSize(_ bytes: UnsafeBufferPointer<UInt8>) throws(CSVError) {
    guard index - fieldStart - escapes > limit else { return }
    let start = state == .quoted ? fieldStart - 1 : fieldStart
    throw failure(.fieldTooLarge(limit: limit, at: lineAndColumn(of: start, in: bytes)), at: start)
  }

  private mutating func finishRecord(_ bytes: UnsafeBufferPointer<UInt8>) throws(CSVError) {
    consumed = recordStart + index
    nextLine = line + lineBreaks
    state = .recordStart
    if let mistake { throw mistake.error }
    if firstFieldCount == nil { firstFieldCount = fieldCount }
    guard let header, fieldCount != header.count else { return }
    if layout.padsRecords, pad(to: header.count) { return }
    if fieldCount < header.count {
      throw .tooFewFields(fieldCount, header: header, at: lineAndColumn(of: recordEnd, in: bytes))
    }
    throw .tooManyFields(fieldCount, header: header, at: lineAndColumn(of: fields[header.count], in: bytes))
  }

  /// Makes the record have as many fields as the header.
  ///
  /// - Returns: `false` if a text would be lost.
  private mutating func pad(to count: Int) -> Bool {
    while fields.count < count { fields.append(Field(start: index, end: index, form: .absent)) }
    guard fields.count > count else { return true }
    if hasTextBeyond || fields[count].end > fields[count].start { return false }
    fields.removeLast(fields.count - count)
    return true
  }

  /// Abandons a record whose fields can't be recognized, and skips the rest of the line with the mistake.
  mutating func failure(_ error: CSVError, at position: Int) -> CSVError {
    let (error, position) = mistake ?? (error, position)
    consumed = recordStart + position
    nextLine = error.line ?? nextLine
    state = .skippedLine
    return error
  }

  /// Returns the position of a field's start, including its quote.
  func lineAndColumn(of field: Field, in record: UnsafeBufferPointer<UInt8>) -> CSVPosition {
    let isQuoted = syntax.quoting == .quotes && (field.form == .quoted || field.form == .escaped)
    return lineAndColumn(of: isQuoted ? field.start - 1 : field.start, in: record)
  }

  /// Returns the line and column of a byte of the current record, which are only needed for errors.
  func lineAndColumn(of position: Int, in record: UnsafeBufferPointer<UInt8>) -> CSVPosition {
    var found = CSVPosition(line: line, column: 1)
    for index in 0..<position {
      let byte = record[index]
      if syntax.quoting == .quotes, isLineEnd(byte) {
        let isSecondHalf = byte == .lineFeed && index > 0 && record[index - 1] == .carriageReturn
        found = CSVPosition(line: found.line + (isSecondHalf ? 0 : 1), column: 1)
      } else if !byte.isUTF8Continuation {
        found.column += 1
      }
    }
    return found
  }
}
