import CSV

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A CSV file that can be read more than once, also when it comes through a pipe.
final class CSVInput {
  /// What messages call it.
  let name: String
  private let descriptor: Int32
  private let start: off_t
  private let isOwned: Bool

  /// Opens a file, or takes the standard input for `-`. What can't be read twice is copied to a temporary file first.
  init(_ path: String) throws(Failure) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    let opened = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    if opened < 0 {
      let code = errno
      throw code == ENOENT ? Failure("there is no file \(path)") : Failure("\(path) can't be opened", code: code)
    }
    let position = lseek(opened, 0, SEEK_CUR)
    switch FileKind(ofDescriptor: opened) {
    case .regular where position >= 0:
      (descriptor, start, isOwned) = (opened, position, !isStandardInput)
    case .directory:
      if !isStandardInput { close(opened) }
      throw Failure("\(name) is a directory, not a CSV file")
    default:
      defer { if !isStandardInput { close(opened) } }
      (descriptor, start, isOwned) = (try TemporaryFile.copy(of: opened, name: name), 0, true)
    }
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Reads the input from its start.
  ///
  /// - Parameters:
  ///   - header: is given the names of the columns, once.
  ///   - body: is given each record.
  func read(
    header: ([String]) throws -> Void, record body: (CSVRecord) throws -> Void
  ) throws(Failure) {
    if lseek(descriptor, start, SEEK_SET) < 0 { throw Failure("\(name) can't be read twice", code: errno) }
    do {
      let reader = try CSVReader(fileDescriptor: descriptor)
      try header(reader.header)
      while let record = try reader.next() {
        try Interruption.check()
        try body(record)
      }
    } catch let error as CSVError {
      throw Failure(error, in: name)
    } catch {
      throw Failure(translating: error)
    }
  }
}
