import CSV
import Query

/// A reader of the objects of a JSON array, or of a sequence of objects, which does not hold all of them in memory.
final class JSONRecordReader: RecordReader {
  /// The state of the reader between two objects.
  enum State {
    case start
    /// Between objects without a list around them.
    case sequence
    case arrayStart
    case afterElement
    case end
    /// Behind the object with the list.
    case rest
  }

  /// The maximum size of an object in bytes, beyond that of any row: a larger object was never closed.
  private static let maximumSize = 1 << 30

  private let maximumFieldSize: Int
  /// The position of the string, number, list or object that is being read.
  private var fieldStart = 0
  let file: String
  let window: ByteWindow
  private let known: RecordNames
  private var fields: [ImportField] = []
  /// The record in which each name was seen last.
  private var lastSeen: [Int] = []
  private(set) var count = 0
  var state = State.start
  private(set) var line = 1
  /// The position of the window's first byte.
  private var position = (line: 1, column: 1)
  private var consumed = 0
  var scratch = ScratchBytes()
  /// The problem of a field in an object whose end can be found, so that reading continues after the object.
  private var refusal: ImportError?
  /// The problem of a field that is too long; nothing after it is read.
  private var tooLarge: ImportError?
  /// The names on the way to the list within an object.
  let path: [String]
  /// The names of the first object whose values are lists of objects.
  private(set) var listNames: [String] = []

  /// - Parameter maximumFieldSize: the maximum number of bytes of a name or a value, as written.
  init(
    _ window: ByteWindow, of file: String, _ known: RecordNames, path: [String] = [],
    maximumFieldSize: Int = CSVParser.defaultMaximumFieldSize
  ) {
    self.path = path
    self.maximumFieldSize = maximumFieldSize
    (self.file, self.window, self.known) = (file, window, known)
  }

  var names: [String] { known.names }
  var offset: Int { window.offset }

  func field(at position: Int) -> ImportField {
    hasField(at: position) ? fields[position] : .absent
  }

  func hasField(at position: Int) -> Bool { position < fields.count && lastSeen[position] == count }

  func next() throws -> Bool {
    move(consumed)
    consumed = 0
    guard try skipToObject() else { return false }
    line = position.line
    while true {
      scratch.forget()
      count += 1
      var cursor = JSONTokenizer(window.bytes)
      do throws(JSONTokenizer.Failure) {
        try readObject(&cursor)
      } catch .incomplete {
        try checkFieldSize(window.bytes.count)
        if window.bytes.count > Self.maximumSize { throw failure("the object that starts here has no end", at: 0) }
        if try readTwice() { continue }
        let failure = failure("the file ends within an object", at: window.bytes.count)
        guard state == .sequence else { throw failure }
        try skipLine(from: 0)
        throw BadRow(error: failure)
      } catch .malformed(let summary, let index, let suggestion) {
        let failure = failure(summary, at: index, suggestion)
        guard state == .sequence else { throw failure }
        try skipLine(from: index)
        throw BadRow(error: failure)
      }
      if let tooLarge { throw tooLarge }
      let object = UnsafeBufferPointer(rebasing: window.bytes[..<cursor.offset])
      consumed = cursor.offset
      if state != .sequence { state = .afterElement }
      if let mistake = UTF8Check.firstInvalid(in: object) {
        throw BadRow(error: failure("the input is not UTF-8", at: mistake, "convert the input to UTF-8"))
      }
      if let refusal {
        self.refusal = nil
        throw BadRow(error: refusal)
      }
      return true
    }
  }

  private func noteSize(_ end: Int) {
    if end - fieldStart > maximumFieldSize, tooLarge == nil { tooLarge = tooLargeField }
  }

  /// Refuses a field whose bytes so far are too many: an unclosed quote is reported before the field takes all memory.
  private func checkFieldSize(_ end: Int) throws(ImportError) {
    if let tooLarge { throw tooLarge }
    if end - fieldStart > maximumFieldSize { throw tooLargeField }
  }

  private var tooLargeField: ImportError {
    failure(
      "the field is longer than \(maximumFieldSize) bytes", at: fieldStart, "look for a missing quote or bracket")
  }
}

// Objects.
extension JSONRecordReader {
  private func readObject(_ cursor: inout JSONTokenizer) throws(JSONTokenizer.Failure) {
    refusal = nil
    tooLarge = nil
    fieldStart = 0
    try cursor.expect("{")
    cursor.skipSpace()
    if try cursor.peek() == UInt8(ascii: "}") {
      cursor.offset += 1
      return
    }
    var expected = 0
    while true {
      guard try cursor.peek() == UInt8(ascii: "\"") else { throw cursor.failure(expected: "a name in double quotes") }
      let start = cursor.offset
      fieldStart = start
      let name = try text(&cursor)
      noteSize(cursor.offset)
      cursor.skipSpace()
      try cursor.expect(":")
      cursor.skipSpace()
      fieldStart = cursor.offset
      let field = try value(&cursor)
      noteSize(cursor.offset)
      fieldStart = cursor.offset
      expected = keep(field, name, at: start, expecting: expected)
      cursor.skipSpace()
      if try cursor.peek() == UInt8(ascii: ",") {
        cursor.offset += 1
        cursor.skipSpace()
        continue
      }
      guard try cursor.peek() == UInt8(ascii: "}") else { throw cursor.failure(expected: "`,` or `}`") }
      cursor.offset += 1
      return
    }
  }

  /// Stores a field.
  ///
  /// - Parameter expected: the position that its name has if this object is like the others.
  /// - Returns: the position that is expected of the next name.
  private func keep(
    _ field: ImportField, _ name: UnsafeBufferPointer<UInt8>, at start: Int, expecting expected: Int
  ) -> Int {
    var position = expected
    if !known.isName(name, at: expected) {
      // A name that is not UTF-8 must not become the name of a column; the record is refused later.
      if !UTF8Check.isValid(name) { return expected }
      do throws(ImportError) {
        position = try known.position(of: name)
      } catch {
        refuse {
          let found = lineAndColumn(at: start)
          return error.at("\(file), line \(found.line), column \(found.column)")
        }
        return expected
      }
    }
    while fields.count <= position {
      fields.append(.absent)
      lastSeen.append(0)
    }
    if lastSeen[position] == count {
      refuse { failure("the name \(quoted(known.names[position])) occurs twice", at: start) }
    }
    lastSeen[position] = count
    fields[position] = field
    if count == 1, field.kind == .nested { listNames += field.listPaths.map { known.names[position] + $0 } }
    return position + 1
  }

  /// Records the first error of an object only, since finding the position of each would take long.
  private func refuse(_ failure: () -> ImportError) {
    if refusal == nil { refusal = failure() }
  }
}

// Between objects.
extension JSONRecordReader {
  /// Advances to the next object.
  ///
  /// - Returns: whether there is one.
  private func skipToObject() throws -> Bool {
    if state == .rest { return false }
    while true {
      var cursor = JSONTokenizer(window.bytes)
      if state == .start, cursor.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        window.skip(3)
        continue
      }
      cursor.skipSpace()
      move(cursor.offset)
      guard let byte = window.bytes.first else {
        if try readMore() { continue }
        if state == .arrayStart || state == .afterElement {
          throw failure("the file ends within the array", at: 0, "close the array with ]")
        }
        return false
      }
      if state == .start, !path.isEmpty {
        try enterList()
        continue
      }
      switch (state, byte) {
      case (.start, UInt8(ascii: "[")):
        state = .arrayStart
        move(1)
      case (.start, _): state = .sequence
      case (.sequence, UInt8(ascii: "{")), (.arrayStart, UInt8(ascii: "{")): return true
      case (.arrayStart, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
        if !path.isEmpty {
          move(1)
          try leaveList()
          state = .rest
          return false
        }
        state = .end
        move(1)
      case (.afterElement, UInt8(ascii: ",")):
        move(1)
        try skipSpace()
        guard window.bytes.first == UInt8(ascii: "{") else { throw mistake("an object, such as {\"id\": 1}") }
        return true
      case (.afterElement, _): throw mistake("`,` or `]`")
      case (.rest, _): return false
      case (.end, _): throw mistake("the end of the file")
      case (.sequence, _):
        let failure = mistake("an object, such as {\"id\": 1}")
        line = position.line
        try skipLine(from: 0)
        throw BadRow(error: failure)
      case (.arrayStart, _): throw mistake("an object, such as {\"id\": 1}")
      }
    }
  }

  private func skipSpace() throws {
    while true {
      var cursor = JSONTokenizer(window.bytes)
      cursor.skipSpace()
      move(cursor.offset)
      if !window.bytes.isEmpty { return }
      if try !readMore() { throw failure("the file ends within the array", at: 0, "close the array with ]") }
    }
  }

  /// Skips white space, and returns whether the file goes on.
  func hasMore() throws -> Bool {
    while true {
      var cursor = JSONTokenizer(window.bytes)
      cursor.skipSpace()
      move(cursor.offset)
      if !window.bytes.isEmpty { return true }
      if try !readMore() { return false }
    }
  }

  private func mistake(_ expected: String) -> ImportError {
    guard
      case .malformed(let summary, let index, let suggestion) = JSONTokenizer(window.bytes).failure(expected: expected)
    else { return failure("expected \(expected)", at: 0) }
    return failure(summary, at: index, suggestion)
  }

  /// Skips the rest of a line, after which the next object may begin.
  private func skipLine(from start: Int) throws {
    var index = start
    while true {
      let bytes = window.bytes
      if let end = bytes[index...].firstIndex(of: 0x0A) { return move(end + 1) }
      index = bytes.count
      if try !readMore() { return move(index) }
    }
  }

  /// Reads until there are twice as many bytes as before. An incomplete object is parsed again from its start, too often if that
  /// were done for each of the small pieces that arrive through a pipe.
  func readTwice() throws -> Bool {
    let goal = window.bytes.count * 2
    var hasMore = false
    while window.bytes.count < goal, try readMore() { hasMore = true }
    return hasMore
  }

  private func readMore() throws -> Bool {
    do throws(CSVError) {
      return try window.readMore(line: position.line)
    } catch {
      throw ImportError(error, in: file)
    }
  }

  /// Drops bytes, and updates the line and column.
  func move(_ count: Int) {
    position = lineAndColumn(at: count)
    window.skip(count)
  }

  private func lineAndColumn(at index: Int) -> (line: Int, column: Int) {
    let bytes = UnsafeBufferPointer(rebasing: window.bytes[..<index])
    var (line, column) = position
    for byte in bytes {
      if byte == 0x0A {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }

  func failure(_ summary: String, at index: Int, _ suggestion: String? = nil) -> ImportError {
    let found = lineAndColumn(at: index)
    return ImportError("\(file), line \(found.line), column \(found.column): \(summary)", details: [suggestion])
  }
}
