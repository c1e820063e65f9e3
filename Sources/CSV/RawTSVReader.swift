/// Reads what ``TSVWriter`` writes, the text format of PostgreSQL's `COPY` under a line of names: a line a record, `\N`
/// for no value, and tabs, line ends and backslashes as `\t`, `\n`, `\r` and `\\`.
package final class RawTSVReader {
  /// The names of the columns.
  package private(set) var header: [String] = []
  /// The current record's line.
  package private(set) var line = 0
  /// The current record's fields, as many as the header has.
  package private(set) var fields: [RawField] = []
  /// Whether the input can't be read any further.
  package private(set) var isBroken = false
  private let window: ByteWindow
  private var scratch = ScratchBytes()
  /// The bytes of the current line, which are left out by the next call.
  private var consumed = 0

  /// Reads the header.
  package init(_ window: ByteWindow) throws(CSVError) {
    self.window = window
    guard let bytes = try nextLine() else { throw .noHeader() }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    try split(hasMark ? UnsafeBufferPointer(rebasing: bytes.dropFirst(3)) : bytes)
    var places: [Place] = []
    var column = 1
    for field in fields {
      places.append(Place(line: 1, column: column))
      column += field.bytes.count { !$0.isUTF8Continuation } + 1
    }
    header = try CSVReader.names(in: CSVRecord(fields: fields.map(\.field), line: 1), at: places)
  }

  /// Goes to the next record.
  ///
  /// - Returns: whether there is one.
  /// - Throws: what is wrong with it; the next call goes on behind it unless the reader ``isBroken``.
  package func next() throws(CSVError) -> Bool {
    guard let bytes = try nextLine() else { return false }
    try split(bytes)
    if fields.count > header.count {
      let place = Place(line: line, column: column(of: header.count, in: bytes))
      throw .tooManyFields(fields.count, header: header, at: place)
    }
    if fields.count < header.count {
      throw .tooFewFields(
        fields.count, header: header, at: Place(line: line, column: bytes.count { !$0.isUTF8Continuation } + 1))
    }
    return true
  }

  /// The next line without its end.
  private func nextLine() throws(CSVError) -> UnsafeBufferPointer<UInt8>? {
    window.skip(consumed)
    consumed = 0
    var searched = 0
    while true {
      let bytes = window.bytes
      if let end = bytes[searched...].firstIndex(of: .lineFeed) {
        consumed = end + 1
        line += 1
        let isAfterReturn = end > 0 && bytes[end - 1] == .carriageReturn
        return UnsafeBufferPointer(rebasing: bytes[..<(isAfterReturn ? end - 1 : end)])
      }
      searched = bytes.count
      if searched > CSVParser.defaultMaximumFieldSize {
        isBroken = true
        throw .fieldTooLarge(limit: CSVParser.defaultMaximumFieldSize, at: Place(line: line + 1, column: 1))
      }
      do throws(CSVError) {
        if try window.readMore(line: line + 1) { continue }
      } catch {
        isBroken = true
        throw error
      }
      if bytes.isEmpty { return nil }
      consumed = bytes.count
      line += 1
      return window.bytes
    }
  }

  private func split(_ bytes: UnsafeBufferPointer<UInt8>) throws(CSVError) {
    fields.removeAll(keepingCapacity: true)
    scratch.forget()
    if let position = UTF8Check.firstInvalid(in: bytes) {
      throw .invalidUTF8(at: place(of: position, in: bytes))
    }
    var start = 0
    while true {
      var index = start
      var hasEscape = false
      while index < bytes.count, bytes[index] != .tab {
        if bytes[index] == .backslash { hasEscape = true }
        index += 1
      }
      let raw = UnsafeBufferPointer(rebasing: bytes[start..<index])
      fields.append(hasEscape ? try unescaped(raw, at: start, in: bytes) : RawField(raw, isQuoted: raw.isEmpty))
      if index == bytes.count { return }
      start = index + 1
    }
  }

  private func unescaped(
    _ raw: UnsafeBufferPointer<UInt8>, at start: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) throws(CSVError) -> RawField {
    if raw.count == 2, raw[1] == UInt8(ascii: "N") { return .absent }
    var mistake: Int?
    let text = scratch.keep(atMost: raw.count) { room in
      var index = 0
      var written = 0
      while index < raw.count {
        var byte = raw[index]
        if byte == .backslash {
          guard index + 1 < raw.count, let meant = Self.meaning(of: raw[index + 1]) else {
            mistake = index
            return 0
          }
          byte = meant
          index += 1
        }
        room[written] = byte
        written += 1
        index += 1
      }
      return written
    }
    if let mistake { throw .unknownEscape(at: place(of: start + mistake, in: bytes)) }
    return RawField(text, isQuoted: true)
  }

  private static func meaning(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "t"): .tab
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case .backslash: .backslash
    default: nil
    }
  }

  private func place(of position: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Place {
    Place(line: line, column: bytes[..<position].count { !$0.isUTF8Continuation } + 1)
  }

  /// The column at which a field starts.
  private func column(of field: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var left = field
    var column = 1
    for byte in bytes where left > 0 && !byte.isUTF8Continuation {
      column += 1
      if byte == .tab { left -= 1 }
    }
    return column
  }
}

/// A field of a record, which points into the reader's memory: valid until the reader goes on.
package struct RawField {
  /// The text in UTF-8, quotes and escapes undone.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the field has no value.
  package let isAbsent: Bool
  /// Whether it was in quotes.
  package let isQuoted: Bool

  package init(_ bytes: UnsafeBufferPointer<UInt8>, isAbsent: Bool = false, isQuoted: Bool = false) {
    self.bytes = bytes
    self.isAbsent = isAbsent
    self.isQuoted = isQuoted
  }

  /// A field without a value.
  package static var absent: RawField { RawField(UnsafeBufferPointer(start: nil, count: 0), isAbsent: true) }

  /// The field as a value of its own.
  package var field: CSVField {
    CSVField(String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted || bytes.isEmpty && !isAbsent)
  }
}
