/// Reads the records of CSV as slices of the input, without a string for each field: for millions of records.
///
/// Reads plain records itself, and leaves all others, and every mistake, to ``RecordScanner``, so that the whole format
/// and the wording of its errors are implemented once.
package final class RawCSVReader {
  private enum Extent {
    /// A record of so many bytes.
    case record(Int)
    /// A record of so many bytes, some of which are no UTF-8.
    case invalidText(Int)
    case incomplete
    /// Something that is looked at more closely.
    case unclear
  }

  /// The names of the columns.
  package private(set) var header: [String] = []
  /// The line of the current record's first character.
  @exclusivity(unchecked) package private(set) var line = 1
  /// The current record's fields, as many as the header has.
  @exclusivity(unchecked) package private(set) var fields: [RawField] = []
  private let window: ByteWindow
  private let delimiter: CSVDelimiter
  @exclusivity(unchecked) private var nextLine = 1
  @exclusivity(unchecked) private var endedWithCarriageReturn = false
  @exclusivity(unchecked) private var scratch = ScratchBytes()
  @exclusivity(unchecked) private var failure: CSVError?

  /// Reads the header.
  ///
  /// - Throws: as ``CSVReader/init(fileDescriptor:delimiter:maximumFieldSize:)`` does.
  package init(_ window: ByteWindow, delimiter: CSVDelimiter = .comma) throws(CSVError) {
    self.window = window
    self.delimiter = delimiter
    header = try readHeader()
    fields.reserveCapacity(header.count)
  }

  /// Whether parsing can't continue after the latest error, so that there are no further records.
  package var isBroken: Bool { failure != nil }

  /// Goes to the next record.
  ///
  /// - Returns: whether there is one.
  /// - Throws: what is wrong with it; the next call goes on behind it unless the reader ``isBroken``.
  package func next() throws(CSVError) -> Bool {
    if let failure { throw failure }
    window.skip(consumed)
    consumed = 0
    while true {
      let bytes = window.bytes
      guard let first = bytes.first else {
        if try readMore() { continue }
        return false
      }
      if first == .lineFeed || first == .carriageReturn {
        if try skipLineEnd(first) { return true }
        continue
      }
      endedWithCarriageReturn = false
      line = nextLine
      switch scan(bytes) {
      case .record(let count):
        consumed = count
        return true
      case .invalidText(let count):
        let error = try explained(bytes)
        consumed = count
        throw error
      case .incomplete where !window.isAtEnd:
        // An unclosed quote must be reported before it takes all memory.
        if bytes.count > CSVParser.defaultMaximumFieldSize, try readClosely() { return true }
        _ = try readMore()
      case .incomplete, .unclear:
        if try readClosely() { return true }
        _ = try readMore()
      }
    }
  }

  /// The bytes of the current record, which are left out by the next call.
  @exclusivity(unchecked) private var consumed = 0

  private func readMore() throws(CSVError) -> Bool {
    do throws(CSVError) {
      return try window.readMore(line: nextLine)
    } catch {
      failure = error
      throw error
    }
  }

  /// Goes over a line end at the start of a record.
  ///
  /// - Returns: whether it is a record: with one column, a blank line is the only way to write one that is absent.
  private func skipLineEnd(_ byte: UInt8) throws(CSVError) -> Bool {
    window.skip(1)
    let isSecondHalf = byte == .lineFeed && endedWithCarriageReturn
    endedWithCarriageReturn = byte == .carriageReturn
    if isSecondHalf { return false }
    line = nextLine
    nextLine += 1
    guard header.count == 1 else { return false }
    fields.removeAll(keepingCapacity: true)
    fields.append(.absent)
    return true
  }
}

// Plain records.
extension RawCSVReader {
  private func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Extent {
    fields.removeAll(keepingCapacity: true)
    scratch.forget()
    let delimiter = delimiter.byte
    let highestMark = max(delimiter, .quote)
    var lines = 1
    var isValid = true
    var index = 0
    while index < bytes.count {
      let start = index
      if bytes[start] == .quote {
        guard let end = scanQuoted(bytes, from: start + 1, &lines, &isValid) else { return .incomplete }
        index = end
        if index == bytes.count { return .incomplete }
      } else {
        var union: UInt8 = 0
        while index < bytes.count {
          let byte = bytes[index]
          if byte <= highestMark {
            if byte == delimiter || byte == .lineFeed || byte == .carriageReturn { break }
            if byte == .quote { return .unclear }
          }
          union |= byte
          index += 1
        }
        if index == bytes.count { return .incomplete }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        if union >= 0x80, !UTF8Check.isValid(text) { isValid = false }
        fields.append(RawField(text, isAbsent: text.isEmpty))
      }
      let mark = bytes[index]
      index += 1
      if mark == delimiter {
        if fields.count == header.count { return .unclear }
        continue
      }
      if mark == .carriageReturn {
        if index == bytes.count { return .incomplete }
        if bytes[index] == .lineFeed { index += 1 }
      } else if mark != .lineFeed {
        return .unclear
      }
      guard fields.count == header.count else { return .unclear }
      guard isValid else { return finish(.invalidText(index), lines) }
      return finish(.record(index), lines)
    }
    return .incomplete
  }

  private func finish(_ extent: Extent, _ lines: Int) -> Extent {
    if case .record = extent { nextLine += lines }
    return extent
  }

  /// Reads a field behind its opening quote.
  ///
  /// - Returns: the position behind its closing quote; `nil` where that is not there yet.
  private func scanQuoted(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ lines: inout Int, _ isValid: inout Bool
  ) -> Int? {
    var index = start
    var union: UInt8 = 0
    var doubled = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte <= .quote {
        if byte == .quote {
          // What follows tells whether it is the end.
          guard index + 1 < bytes.count else { return nil }
          if bytes[index + 1] != .quote { break }
          doubled += 1
          index += 1
        } else if byte == .lineFeed && bytes[index - 1] != .carriageReturn || byte == .carriageReturn {
          lines += 1
        }
      }
      union |= byte
      index += 1
    }
    if index >= bytes.count { return nil }
    let raw = UnsafeBufferPointer(rebasing: bytes[start..<index])
    if union >= 0x80, !UTF8Check.isValid(raw) { isValid = false }
    let text = doubled == 0 ? raw : withoutDoubledQuotes(raw, count: raw.count - doubled)
    if text.count > CSVParser.defaultMaximumFieldSize { isValid = false }
    fields.append(RawField(text, isQuoted: true))
    return index + 1
  }

  private func withoutDoubledQuotes(_ raw: UnsafeBufferPointer<UInt8>, count: Int) -> UnsafeBufferPointer<UInt8> {
    scratch.keep(atMost: count) { room in
      var index = 0
      var written = 0
      while index < raw.count, written < room.count {
        room[written] = raw[index]
        index += raw[index] == .quote ? 2 : 1
        written += 1
      }
      return written
    }
  }
}

// Everything else.
extension RawCSVReader {
  private func readHeader() throws(CSVError) -> [String] {
    while true {
      var scanner = RecordScanner(delimiter: delimiter, maximumFieldSize: CSVParser.defaultMaximumFieldSize)
      scanner.trackFields()
      let bytes = window.bytes
      var offset = 0
      var record = try scanner.next(in: bytes.span, from: &offset)
      if record == nil {
        if try readMore() { continue }
        record = try scanner.finish()
      }
      guard let record else { throw .noHeader() }
      let names = try CSVReader.names(in: record, at: scanner.fieldPlaces)
      endedWithCarriageReturn = offset > 0 && bytes[offset - 1] == .carriageReturn
      window.skip(offset)
      nextLine = scanner.line
      return names
    }
  }

  /// Reads a record by all the rules.
  ///
  /// - Returns: `false` where more input is needed.
  private func readClosely() throws(CSVError) -> Bool {
    var scanner = RecordScanner(
      delimiter: delimiter, maximumFieldSize: CSVParser.defaultMaximumFieldSize, line: nextLine, header: header)
    let bytes = window.bytes
    var offset = 0
    do throws(CSVError) {
      var record = try scanner.next(in: bytes.span, from: &offset)
      if record == nil, window.isAtEnd { record = try scanner.finish() }
      guard let record else { return false }
      scratch.forget()
      fields = record.fields.map { field in
        RawField(scratch.keep(field.text.utf8), isAbsent: field.isAbsent, isQuoted: field.isQuoted)
      }
      leaveOut(offset, of: bytes, nextLine: scanner.line)
      return true
    } catch {
      switch error.code {
      case .wrongFieldCount: leaveOut(offset, of: bytes, nextLine: scanner.line)
      case .quoteInUnquotedField, .textAfterQuote, .invalidUTF8: try skipLines(through: error.line ?? nextLine)
      default: failure = error
      }
      throw error
    }
  }

  private func leaveOut(_ count: Int, of bytes: UnsafeBufferPointer<UInt8>, nextLine: Int) {
    endedWithCarriageReturn = count > 0 && bytes[count - 1] == .carriageReturn
    consumed = count
    self.nextLine = nextLine
  }

  /// What is wrong with a record whose text is no UTF-8, or too long.
  private func explained(_ bytes: UnsafeBufferPointer<UInt8>) throws(CSVError) -> CSVError {
    var scanner = RecordScanner(
      delimiter: delimiter, maximumFieldSize: CSVParser.defaultMaximumFieldSize, line: nextLine, header: header)
    var offset = 0
    do throws(CSVError) {
      _ = try scanner.next(in: bytes.span, from: &offset)
    } catch {
      if error.code == .invalidUTF8 {
        nextLine = line + Self.lineCount(ofRecordIn: bytes)
      } else {
        failure = error
      }
      return error
    }
    throw .cannotRead(line: line, reason: "The record can't be read")
  }

  /// The number of lines of the first record.
  private static func lineCount(ofRecordIn bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var lines = 0
    var isInQuotes = false
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == .quote { isInQuotes.toggle() }
      let isBreak = byte == .carriageReturn || byte == .lineFeed && previous != .carriageReturn
      if isBreak { lines += 1 }
      if isBreak, !isInQuotes { return lines }
      previous = byte
    }
    return lines
  }

  /// Leaves out all lines up to the one where a mistake is, since the quotes can't be trusted.
  private func skipLines(through last: Int) throws(CSVError) {
    var index = 0
    while nextLine <= last {
      let bytes = window.bytes
      guard index < bytes.count else {
        if try readMore() { continue }
        break
      }
      let byte = bytes[index]
      let isSecondHalf = byte == .lineFeed && index > 0 && bytes[index - 1] == .carriageReturn
      if byte == .carriageReturn || byte == .lineFeed, !isSecondHalf { nextLine += 1 }
      index += 1
    }
    endedWithCarriageReturn = index > 0 && window.bytes[index - 1] == .carriageReturn
    consumed = index
  }
}
