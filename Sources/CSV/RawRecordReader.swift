/// A reader of the records of delimited text as slices of the input, which makes no string for each field, for large files.
package final class RawRecordReader {
  /// The names of the columns.
  package private(set) var header: [String] = []
  private let window: ByteWindow
  @exclusivity(unchecked) private var scanner: RecordScanner
  /// The bytes of the current record.
  @exclusivity(unchecked) private var record = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The number of bytes at the start of the window that are no longer needed.
  @exclusivity(unchecked) private var used = 0
  @exclusivity(unchecked) private var scratch = ScratchBytes()
  /// The error that all further calls throw, since no record can be read after it.
  @exclusivity(unchecked) private var failure: CSVError?
  /// Whether the current record is the first of a file without a header, which is still to be returned.
  @exclusivity(unchecked) private var isFirstPending = false

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - window: the input, from its start.
  ///   - maximumFieldSize: the maximum number of bytes of text in a field.
  ///   - maximumColumnCount: the maximum number of columns.
  /// - Throws: as ``CSVReader/init(fileDescriptor:delimiter:maximumFieldSize:)`` does.
  package init(
    _ window: ByteWindow, _ syntax: DelimitedSyntax, _ layout: DelimitedLayout = DelimitedLayout(),
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize,
    maximumColumnCount: Int = .max
  ) throws(CSVError) {
    self.window = window
    scanner = RecordScanner(
      syntax, layout, maximumFieldSize: maximumFieldSize, maximumFieldCount: maximumColumnCount)
    guard try next() else { throw .noHeader() }
    if layout.hasHeader {
      let names = fields.map(\.field.text)
      header = layout.names(
        from: layout.trimsBlanks ? names.map { String(decoding: $0.utf8.trimmingBlanks(), as: UTF8.self) } : names)
      try checkHeader(header)
    } else {
      header = (1...scanner.fields.count).map { "column\($0)" }
      isFirstPending = true
    }
    scanner.expect(header)
  }

  /// The line of the current record's first character.
  package var line: Int { scanner.line }

  /// Whether parsing can't continue after the latest error, so that there are no further records.
  package var isBroken: Bool { failure != nil }

  /// Advances to the next record.
  ///
  /// - Returns: whether there is one.
  /// - Throws: the error in the record; the next call continues after the record unless the reader ``isBroken``.
  package func next() throws(CSVError) -> Bool {
    if let failure { throw failure }
    if isFirstPending {
      isFirstPending = false
      return true
    }
    scratch.forget()
    do throws(CSVError) {
      while true {
        window.skip(used)
        used = 0
        let bytes = window.bytes
        let step = try scanner.next(in: bytes, isAtEnd: window.isAtEnd)
        used = scanner.consumed
        switch step {
        case .record:
          record = UnsafeBufferPointer(rebasing: bytes[scanner.recordStart...])
          return true
        case .end: return false
        case .incomplete:
          // The used bytes are removed before more are read, so that the window need not grow.
          window.skip(used)
          used = 0
          _ = try window.readMore(line: scanner.nextLine)
        }
      }
    } catch {
      used = scanner.consumed
      if RecordScanner.isBroken(by: error) { failure = error }
      throw error
    }
  }

  /// The current record's fields, as many as the header has.
  package var fields: [RawField] { scanner.fields.indices.map(field(at:)) }

  /// Returns a field of the current record.
  package func field(at position: Int) -> RawField {
    scanner.syntax.field(scanner.fields[position], of: record, &scratch)
  }

  /// Throws for names that are not unique.
  private func checkHeader(_ names: [String]) throws(CSVError) {
    // Names are compared by their bytes: two spellings of "é" are two names.
    var seen: Set<[UInt8]> = []
    for (index, name) in names.enumerated() {
      let position = { self.scanner.lineAndColumn(of: self.scanner.fields[index], in: self.record) }
      if name.isEmpty { throw .emptyHeader(number: index + 1, at: position()) }
      guard seen.insert(Array(name.utf8)).inserted else { throw .duplicateHeader(name, at: position()) }
    }
  }
}

extension DelimitedSyntax {
  /// Returns a field: in place, or, if it has escapes, as a copy without escapes.
  func field(
    _ field: RecordScanner.Field, of record: UnsafeBufferPointer<UInt8>, _ scratch: inout ScratchBytes
  ) -> RawField {
    let bytes = UnsafeBufferPointer(rebasing: record[field.start..<field.end])
    return switch field.form {
    case .absent: .absent
    // An empty field without a marker is a text in tab-separated values.
    case .plain: RawField(bytes, isQuoted: bytes.isEmpty)
    case .quoted: RawField(bytes, isQuoted: true)
    case .escaped: RawField(unescaped(bytes, &scratch), isQuoted: true)
    }
  }

  private func unescaped(
    _ raw: UnsafeBufferPointer<UInt8>, _ scratch: inout ScratchBytes
  ) -> UnsafeBufferPointer<UInt8> {
    scratch.keep(atMost: raw.count) { room in
      var (index, written) = (0, 0)
      switch quoting {
      case .quotes:
        while index < raw.count {
          var byte = raw[index]
          if let escape, byte == escape, index + 1 < raw.count, raw[index + 1] == quote || raw[index + 1] == escape {
            byte = raw[index + 1]
            index += 2
          } else {
            index += byte == quote ? 2 : 1
          }
          room[written] = byte
          written += 1
        }
      case .backslashes:
        while index < raw.count {
          let isEscape = raw[index] == .backslash
          if isEscape { index += 1 }
          room[written] = isEscape ? raw[index].escapedByte ?? raw[index] : raw[index]
          index += 1
          written += 1
        }
      }
      return written
    }
  }
}

/// A field of a record, which points into the reader's memory: valid until the reader advances.
package struct RawField {
  /// The text in UTF-8, without quotes and escapes.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the field has no value.
  package let isAbsent: Bool
  /// Whether the field was in quotes.
  package let isQuoted: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>, isAbsent: Bool = false, isQuoted: Bool = false) {
    self.bytes = bytes
    self.isAbsent = isAbsent
    self.isQuoted = isQuoted
  }

  /// Returns the field with other bytes.
  package func with(_ bytes: UnsafeBufferPointer<UInt8>) -> RawField { RawField(bytes, isQuoted: isQuoted) }

  /// A field without a value.
  static var absent: RawField { RawField(UnsafeBufferPointer(start: nil, count: 0), isAbsent: true) }

  /// The field as an independent value.
  package var field: CSVField { CSVField(String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted) }
}

extension BidirectionalCollection<UInt8> {
  /// Returns the bytes without the blanks and tabs at both ends.
  package func trimmingBlanks() -> SubSequence {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let rest = drop(while: isBlank)
    return rest.dropLast(rest.reversed().prefix(while: isBlank).count)
  }
}
