#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import CSV
import TestSupport
import Testing

@Suite("A reader")
struct CSVReaderTests {
  @Test("takes the first record as the header")
  func header() throws {
    let reader = try CSVReader(bytes: Array("\u{FEFF}id,\"the \"\"name\"\"\"\r\n1,Bulbasaur\r\n2,\r\n".utf8))
    #expect(reader.header == ["id", "the \"name\""])
    #expect(try rest(of: reader) == [["1", "Bulbasaur"], ["2", nil]])
    #expect(try reader.next() == nil)
  }

  @Test("gives each record the line where it starts")
  func lines() throws {
    let reader = try CSVReader(bytes: Array("\na,b\n\n1,\"x\ny\"\n2,z".utf8))
    #expect(try reader.next()?.line == 4)
    #expect(try reader.next()?.line == 6)
    #expect(try reader.next() == nil)
  }

  @Test("takes a header without records", arguments: ["a,b", "a,b\n", "a,b\r\n\r\n"])
  func headerAlone(text: String) throws {
    let reader = try CSVReader(bytes: Array(text.utf8))
    #expect(reader.header == ["a", "b"])
    #expect(try reader.next() == nil)
  }

  @Test("takes names that differ in case or in spaces")
  func similarNames() throws {
    #expect(try CSVReader(bytes: Array("a,A, a".utf8)).header == ["a", "A", " a"])
  }

  @Test("reads other delimiters")
  func delimiter() throws {
    let reader = try CSVReader(bytes: Array("a;b\n1,5;2\n".utf8), delimiter: .semicolon)
    #expect(try rest(of: reader) == [["1,5", "2"]])
  }

  @Test("takes names that look alike for two where their bytes differ")
  func composedNames() throws {
    let reader = try CSVReader(bytes: Array("\u{E9},e\u{301}\n1,2\n".utf8))
    #expect(try rest(of: reader) == [["1", "2"]])
  }

  @Test("takes a blank line for an absent field where there is one column")
  func oneColumn() throws {
    let reader = try CSVReader(bytes: Array("a\n1\n\n\"\"\n".utf8))
    #expect(try rest(of: reader) == [["1"], [nil], [""]])
  }

  @Test(
    "rejects a header",
    arguments: [
      Mistake("no bytes", "", .noHeader, 1, 1),
      Mistake("blank lines", "\n\r\n", .noHeader, 1, 1),
      Mistake("a byte order mark", "\u{FEFF}", .noHeader, 1, 1),
      Mistake("a name missing", "a,,c\n1,2,3", .emptyHeader, 1, 3),
      Mistake("an empty name", "\"a\",\"\"", .emptyHeader, 1, 5),
      Mistake("the first name missing", "\n,b\n", .emptyHeader, 2, 1),
      Mistake("a delimiter at the end", "é,b,\n", .emptyHeader, 1, 5),
      Mistake("a delimiter at the end of the input", "é,b,", .emptyHeader, 1, 5),
      Mistake("the same name twice", "a,b,a\n", .duplicateHeader, 1, 5),
      Mistake("the same name in quotes", "\"a\",b,\"a\"\n", .duplicateHeader, 1, 7),
      Mistake("the same name below a line break", "\"a\nb\",c,\"a\nb\"\n", .duplicateHeader, 2, 6),
      Mistake("an open quote", "a,\"b\n1,2\n", .unterminatedQuote, 1, 3),
    ])
  func rejects(_ mistake: Mistake) {
    let error = #expect(throws: CSVError.self) { try CSVReader(bytes: mistake.bytes) }
    #expect(error?.code == mistake.code)
    #expect(error?.line == mistake.line)
    #expect(error?.column == mistake.column)
  }

  struct WrongCount: Sendable {
    var text: String
    var line: Int
    var column: Int
    var found: Int
  }

  @Test(
    "holds every record to three columns",
    arguments: [
      WrongCount(text: "1,2\n", line: 2, column: 4, found: 2),
      WrongCount(text: "1,2\r\n", line: 2, column: 4, found: 2),
      WrongCount(text: "1,2", line: 2, column: 4, found: 2),
      WrongCount(text: "ポケモン", line: 2, column: 5, found: 1),
      WrongCount(text: "\"1\n2\",\n", line: 3, column: 4, found: 2),
      WrongCount(text: " \n", line: 2, column: 2, found: 1),
      WrongCount(text: "1,2,3,4\n", line: 2, column: 7, found: 4),
      WrongCount(text: "1,2,3,\n", line: 2, column: 7, found: 4),
      WrongCount(text: "1,2,3,", line: 2, column: 7, found: 4),
      WrongCount(text: "é,\"a\nb\",ポ,4,\"5\n\"\n", line: 3, column: 6, found: 5),
    ])
  func wrongCount(_ example: WrongCount) throws {
    let reader = try CSVReader(bytes: Array("a,b,c\n".utf8) + Array(example.text.utf8))
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.code == .wrongFieldCount)
    #expect(error?.line == example.line)
    #expect(error?.column == example.column)
    #expect(error?.foundFieldCount == example.found)
    #expect(error?.expectedFieldCount == 3)
    #expect(try reader.next() == nil)
  }

  @Test("goes on behind a record of the wrong length")
  func goesOn() throws {
    let reader = try CSVReader(bytes: Array("a,b\n1\n2,3\n4,5,6\n777,8,9\n1\n7,8".utf8))
    expectWrongCount(reader, line: 2, column: 2)
    #expect(try reader.next() == CSVRecord(fields: [CSVField("2"), CSVField("3")], line: 3))
    expectWrongCount(reader, line: 4, column: 5)
    expectWrongCount(reader, line: 5, column: 7)
    expectWrongCount(reader, line: 6, column: 2)
    #expect(try reader.next() == CSVRecord(fields: [CSVField("7"), CSVField("8")], line: 7))
    #expect(try reader.next() == nil)
  }

  private func expectWrongCount(_ reader: CSVReader, line: Int, column: Int) {
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.code == .wrongFieldCount)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test("never takes a broken file for one that has ended", arguments: ["1\"\n2\n", "\"1\n2\n", "\"1\"2\n"])
  func staysBroken(text: String) throws {
    let reader = try CSVReader(bytes: Array("a\n".utf8) + Array(text.utf8))
    let first = #expect(throws: CSVError.self) { try reader.next() }
    let second = #expect(throws: CSVError.self) { try reader.next() }
    #expect(first == second)
  }

  @Test("holds to the limit of a field")
  func limit() throws {
    let reader = try CSVReader(bytes: Array("a,b\n1,22\n1,333\n".utf8), maximumFieldSize: 2)
    #expect(try reader.next() != nil)
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error?.code == .fieldTooLarge)
    #expect(error?.line == 3)
    #expect(error?.column == 3)
  }
}

/// The values of all records that are left.
func rest(of reader: CSVReader) throws(CSVError) -> [[String?]] {
  var records: [[String?]] = []
  while let record = try reader.next() {
    records.append(record.fields.map(\.value))
  }
  return records
}

@Suite("A reader of files")
struct CSVReaderFileTests {
  @Test("reads a file that is larger than its buffer")
  func largeFile() throws {
    let directory = try TemporaryFolder()
    let records: [[String?]] = (1...20_000).map { ["\($0)", "ポケモン \"\($0)\"\n", nil] }
    let writer = CSVWriter()
    let text = writer.line(["id", "name", "note"]) + records.map(writer.line).joined()
    let reader = try CSVReader(path: directory.file(text))
    #expect(try rest(of: reader) == records)
  }

  @Test("closes the file that it has opened", arguments: ["a\n1\n", "a,a\n"])
  func closes(text: String) throws {
    let directory = try TemporaryFolder()
    let path = try directory.fifo()
    // Open for both directions, so that nothing here waits for another process.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0)
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    _ = try? CSVReader(path: path).next()
    _ = close(descriptor)
    // A pipe without a reader cannot be opened for writing alone. A process that another test starts has a copy of each
    // descriptor until it becomes another program.
    var (again, attempts) = (open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC), 1)
    while again >= 0, attempts < 5_000 {
      _ = close(again)
      usleep(1_000)
      (again, attempts) = (open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC), attempts + 1)
    }
    #expect(again == -1 && errno == ENXIO)
  }

  @Test("has reached the end for good")
  func endsForGood() throws {
    let directory = try TemporaryFolder()
    let path = try directory.file("a\n1\n2")
    let reader = try CSVReader(path: path)
    #expect(try rest(of: reader) == [["1"], ["2"]])
    _ = try directory.file("a\n1\n2345\n6\n")
    #expect(try reader.next() == nil)
  }

  @Test("says why a file cannot be read", arguments: ["missing", "file/below", "\0file"])
  func unreadable(name: String) throws {
    let directory = try TemporaryFolder()
    _ = try directory.file("a\n")
    let path = "\(directory.path)/\(name)"
    let error = #expect(throws: CSVError.self) { try CSVReader(path: path) }
    #expect(error?.code == .unreadable)
    #expect(error?.line == nil)
    #expect(error?.summary == "Cannot open \(path.debugDescription).")
    #expect(error?.reason?.isEmpty == false)
  }

  @Test("says that a directory is no file")
  func directory() throws {
    let directory = try TemporaryFolder()
    let error = #expect(throws: CSVError.self) { try CSVReader(path: directory.path) }
    #expect(error?.code == .unreadable)
    #expect(error?.reason == "Is a directory.")
  }

  @Test("reads a named pipe")
  func namedPipe() throws {
    let directory = try TemporaryFolder()
    let path = try directory.fifo()
    // The writer is another process: to open a pipe waits for its other end.
    let writer = try #require(popen("(echo a,b; yes '1,2' | head -n 50000) > '\(path)'", "r"))
    let reader = try CSVReader(path: path)
    #expect(try rest(of: reader).count == 50_000)
    #expect(pclose(writer) == 0)
  }

  @Test("reads from a descriptor and leaves it open")
  func descriptor() throws {
    let directory = try TemporaryFolder()
    let descriptor = try open(directory.file("a\n1\n"), O_RDONLY)
    do {
      let reader = try CSVReader(fileDescriptor: descriptor)
      #expect(try rest(of: reader) == [["1"]])
    }
    #expect(close(descriptor) == 0)
  }

  @Test("waits for a descriptor that does not")
  func nonBlocking() throws {
    let writer = try #require(popen("echo a; yes 1 | head -n 200000", "r"))
    try #require(fcntl(fileno(writer), F_SETFL, O_NONBLOCK) == 0)
    let reader = try CSVReader(fileDescriptor: fileno(writer))
    #expect(try rest(of: reader).count == 200_000)
    #expect(pclose(writer) == 0)
  }

  @Test("says that a descriptor is not open")
  func closedDescriptor() {
    let error = #expect(throws: CSVError.self) { try CSVReader(fileDescriptor: -1) }
    #expect(error?.code == .unreadable)
    #expect(error?.line == 1)
    #expect(error?.column == nil)
  }
}
