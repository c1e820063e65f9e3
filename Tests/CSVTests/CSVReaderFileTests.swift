import CSV
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    // A pipe without a reader cannot be opened for writing alone.
    let (again, reason) = (open(path, O_WRONLY | O_NONBLOCK), errno)
    #expect(again == -1)
    #expect(reason == ENXIO)
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
    #expect(error?.summary == "\(path.debugDescription) cannot be opened.")
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
