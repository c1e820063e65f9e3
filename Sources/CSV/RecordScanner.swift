/// Finds the records in chunks of bytes; what ``CSVParser`` and ``CSVReader`` share.
///
/// A chunk may end anywhere, so whatever is not finished at its end is in ``State``, ``OpenField`` and ``OpenRecord``,
/// never in a local variable.
struct RecordScanner {
  private enum State {
    /// At the start of the input, after so many bytes of a byte order mark.
    case byteOrderMark(matched: Int)
    case recordStart
    case fieldStart
    case unquoted
    case quoted
    /// After a quote in a quoted field: its end, or the first half of a doubled quote.
    case closingQuote
    /// After the end of a quoted field.
    case afterQuote
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  let delimiter: CSVDelimiter
  private let highestMark: UInt8
  private var state = State.byteOrderMark(matched: 0)
  /// An error after which the start of the next record is unknown.
  private var failure: CSVError?
  private var tracker = PlaceTracker()
  private var field: OpenField
  private var record = OpenRecord()

  init(delimiter: CSVDelimiter, maximumFieldSize: Int) {
    self.delimiter = delimiter
    self.highestMark = max(delimiter.byte, .quote)
    self.field = OpenField(limit: maximumFieldSize)
  }

  /// A scanner that begins amid an input, at the start of a record.
  init(delimiter: CSVDelimiter, maximumFieldSize: Int, line: Int, header: [String]) {
    self.init(delimiter: delimiter, maximumFieldSize: maximumFieldSize)
    state = .recordStart
    tracker = PlaceTracker(line: line)
    record.expect(header)
  }

  var line: Int { tracker.line }

  /// Where the fields of the header are; empty without ``trackFields()``.
  var fieldPlaces: [Place] { record.fieldPlaces }

  /// Keeps the position of every field of the first record, for errors about names in the header.
  mutating func trackFields() {
    record.trackFields()
  }

  /// Demands of every further record as many fields as the header has.
  mutating func expect(_ header: [String]) {
    record.expect(header)
  }

  /// Goes on to the end of the next record.
  ///
  /// - Parameters:
  ///   - chunk: The chunk, the same until the answer is `nil`.
  ///   - offset: How much of the chunk is used up: 0 for a new chunk, then left alone by the caller.
  /// - Returns: The record, or `nil` when the chunk is used up and the next one is needed.
  /// - Throws: An error about the bytes; the same again when called after it. Only after
  ///   ``CSVError/Code-swift.struct/wrongFieldCount`` does the next call go on with the record behind it.
  mutating func next(in chunk: Span<UInt8>, from offset: inout Int) throws(CSVError) -> CSVRecord? {
    if let failure { throw failure }
    do throws(CSVError) {
      return try scan(chunk, from: &offset)
    } catch {
      if error.code != .wrongFieldCount { failure = error }
      throw error
    }
  }

  /// Ends the input.
  ///
  /// - Returns: The record that was still open, if any.
  /// - Throws: As ``next(in:from:)``.
  mutating func finish() throws(CSVError) -> CSVRecord? {
    if let failure { throw failure }
    do throws(CSVError) {
      return try scanEnd()
    } catch {
      if error.code != .wrongFieldCount { failure = error }
      throw error
    }
  }

  private mutating func scanEnd() throws(CSVError) -> CSVRecord? {
    let end = Span<UInt8>()
    if case .byteOrderMark(let matched) = state, matched > 0 { beginFieldOfByteOrderMark(matched) }
    switch state {
    case .byteOrderMark, .recordStart:
      return nil
    case .fieldStart:
      beginField(at: 0, in: end, isQuoted: false)
      try endField(0..<0, in: end)
    case .quoted:
      throw .unterminatedQuote(at: field.place(in: end, tracker))
    case .unquoted, .closingQuote:
      try endField(0..<0, in: end)
    case .afterQuote:
      break
    }
    state = .recordStart
    return try record.finish(at: tracker.place(at: 0, in: end))
  }

  private mutating func scan(_ chunk: Span<UInt8>, from offset: inout Int) throws(CSVError) -> CSVRecord? {
    var index = offset
    defer { offset = index }
    while index < chunk.count {
      switch state {
      case .unquoted:
        let end = endOfUnquoted(in: chunk, from: index)
        guard end < chunk.count else {
          field.append(chunk.extracting(index..<end))
          index = end
          break
        }
        // The text before a quote is looked at first: the earlier mistake is the one to report.
        try endField(index..<end, in: chunk)
        guard chunk[end] != .quote else { throw .quoteInUnquotedField(at: tracker.place(at: end, in: chunk)) }
        index = end
        if let record = try endOfField(&index, in: chunk) { return record }

      case .fieldStart:
        let isQuoted = chunk[index] == .quote
        beginField(at: index, in: chunk, isQuoted: isQuoted)
        if isQuoted { index += 1 }

      case .quoted:
        let end = endOfQuoted(in: chunk, from: index)
        if end + 1 < chunk.count {
          if chunk[end + 1] == .quote {
            field.append(chunk.extracting(index...end))
            index = end + 2
          } else {
            try endField(index..<end, in: chunk)
            index = end + 1
            state = .afterQuote
          }
        } else {
          field.append(chunk.extracting(index..<end))
          if end < chunk.count { state = .closingQuote }
          index = chunk.count
        }

      case .closingQuote:
        if chunk[index] == .quote {
          field.append(.quote)
          index += 1
          state = .quoted
        } else {
          try endField(index..<index, in: chunk)
          state = .afterQuote
        }

      case .afterQuote:
        if let record = try endOfField(&index, in: chunk) { return record }

      case .recordStart:
        let byte = chunk[index]
        guard byte == .lineFeed || byte == .carriageReturn else {
          record.begin(line: tracker.line)
          state = .fieldStart
          break
        }
        let isBlankLine = tracker.breakLine(at: index, in: chunk)
        index += 1
        // With one column a blank line is the only way to write a record whose field is absent.
        if isBlankLine, record.firstFieldCount == 1 {
          return CSVRecord(fields: [CSVField("")], line: tracker.line - 1)
        }

      case .byteOrderMark(let matched):
        if chunk[index] != Self.byteOrderMark[matched] {
          beginFieldOfByteOrderMark(matched)
        } else if matched + 1 < Self.byteOrderMark.count {
          index += 1
          state = .byteOrderMark(matched: matched + 1)
        } else {
          index += 1
          tracker.restartLine(at: index)
          state = .recordStart
        }
      }
    }
    try endChunk(chunk)
    return nil
  }

  private func endOfUnquoted(in chunk: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < chunk.count {
      let byte = chunk[index]
      // Letters and digits lie above the usual marks, so that one comparison passes over them.
      if byte <= highestMark {
        if byte == delimiter.byte || byte == .lineFeed || byte == .carriageReturn || byte == .quote { break }
      }
      index += 1
    }
    return index
  }

  private mutating func endOfQuoted(in chunk: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < chunk.count {
      let byte = chunk[index]
      if byte <= .quote {
        if byte == .quote { break }
        if byte == .lineFeed || byte == .carriageReturn {
          field.savePlace(in: chunk, tracker)
          _ = tracker.breakLine(at: index, in: chunk)
        }
      }
      index += 1
    }
    return index
  }

  /// Keeps of the chunk what the next one needs.
  private mutating func endChunk(_ chunk: Span<UInt8>) throws(CSVError) {
    switch state {
    case .unquoted, .quoted, .closingQuote:
      field.savePlace(in: chunk, tracker)
      try field.checkSize(in: chunk, tracker)
    default:
      break
    }
    tracker.endChunk(chunk)
  }

  /// Bytes that began like a byte order mark are the begin of the first field after all.
  private mutating func beginFieldOfByteOrderMark(_ matched: Int) {
    guard matched > 0 else {
      state = .recordStart
      return
    }
    beginField(at: 0, in: Span(), isQuoted: false)
    field.savePlace(in: Span(), PlaceTracker())
    field.append(Self.byteOrderMark.span.extracting(first: matched))
  }

  private mutating func beginField(at index: Int, in chunk: Span<UInt8>, isQuoted: Bool) {
    field.begin(at: index, isQuoted: isQuoted)
    if record.tracksNextField { record.track(tracker.moveAnchor(to: index, in: chunk)) }
    state = isQuoted ? .quoted : .unquoted
  }

  private mutating func endField(_ last: Range<Int>, in chunk: Span<UInt8>) throws(CSVError) {
    let text = try field.finish(last, in: chunk, tracker)
    record.append(CSVField(text, isQuoted: field.isQuoted))
  }

  /// Goes over the delimiter or line end at the index; the record, when that is its end.
  private mutating func endOfField(_ index: inout Int, in chunk: Span<UInt8>) throws(CSVError) -> CSVRecord? {
    switch chunk[index] {
    case delimiter.byte:
      index += 1
      state = .fieldStart
      return nil
    case .lineFeed, .carriageReturn:
      let end = index
      index += 1
      state = .recordStart
      defer { _ = tracker.breakLine(at: end, in: chunk) }
      return try record.finish(at: tracker.place(at: end, in: chunk))
    default:
      throw .textAfterQuote(at: tracker.place(at: index, in: chunk))
    }
  }
}
