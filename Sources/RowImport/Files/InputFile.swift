#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import CSV
import Query
import SQLInspection
import SQLiteStore

/// A file of rows that can be read more than once.
package final class InputFile {
  /// The name that messages use.
  package let name: String
  package let format: InputFormat
  /// The size in bytes.
  package let size: Int
  private let descriptor: Int32
  private let start: off_t
  private let isOwned: Bool
  private let options: DelimitedOptions
  /// The delimiter, once it has been detected.
  private var guessedDelimiter: CSVDelimiter?
  /// The latest reader of delimited text.
  private var delimitedReader: DelimitedRecordReader?
  /// The latest reader of objects.
  private var objectReader: JSONRecordReader?
  /// The names of the columns whose dates are converted, once they were found.
  var dateColumns: Set<Name> = []
  /// The units of numbers, which the files of one import share.
  var units = NumberUnits()

  /// Creates an input that starts at the descriptor's offset; the descriptor has to be that of a regular file.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor, which is closed at the end if it is owned.
  ///   - name: the name that messages use for the file.
  ///   - options: how delimited text is written.
  package init(
    descriptor: Int32, isOwned: Bool, name: String, format: InputFormat, _ options: DelimitedOptions = .init()
  ) {
    (self.descriptor, self.isOwned, self.name, self.format) = (descriptor, isOwned, name, format)
    self.options = options
    start = max(0, lseek(descriptor, 0, SEEK_CUR))
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? max(0, Int(status.st_size) - Int(start)) : 0
  }

  /// How each SQLite file begins. https://www.sqlite.org/fileformat2.html#magic_header_string
  private static let databaseMark = Array("SQLite format 3\0".utf8)

  deinit {
    if isOwned { close(descriptor) }
  }

  /// Opens a file, or the standard input for `-`. An input that can be read only once is copied to a temporary file first.
  ///
  /// - Parameters:
  ///   - format: the format; `nil` for the one that the file name implies.
  ///   - options: how delimited text is written.
  ///   - skipsBadRows: whether copying continues after a row that can't be read.
  ///   - observer: receives the number of bytes that have been copied.
  package convenience init(
    opening path: String, _ format: InputFormat?, _ options: DelimitedOptions = .init(), skipsBadRows: Bool,
    _ observer: any ImportObserver
  ) throws {
    let isStandardInput = path == "-"
    let name = isStandardInput ? "standard input" : path
    var options = options
    let implied = format ?? InputFormat(ofPath: path)
    options.isFormatAssumed = implied == nil
    options.skipsBadRows = skipsBadRows
    let format = implied ?? .csv
    try options.check(for: format, of: name)
    let opened = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    if opened < 0 {
      let code = errno
      if code == ENOENT {
        let mayBeFolder = path.split(separator: "/").last?.contains(".") != true
        throw ImportError("there is no file \(mayBeFolder ? "or folder " : "")\(path)")
      }
      throw ImportError("can't open \(path)", code: code)
    }
    switch FileKind(ofDescriptor: opened) {
    case .regular where Unpacking.start(of: opened, count: Self.databaseMark.count) == Self.databaseMark:
      if !isStandardInput { close(opened) }
      throw ImportError(
        "\(name) is an SQLite database, not a \(format.rawValue.uppercased()) file",
        details: ["repokit copy copies tables from one database to another"])
    case .regular where lseek(opened, 0, SEEK_CUR) >= 0 && Unpacking.isPacked(opened):
      defer { if !isStandardInput { close(opened) } }
      let unpacking = try Unpacking(opened, name: name)
      do {
        try self.init(
          copying: unpacking.output, name: name, format: format, options, skipsBadRows: skipsBadRows, observer)
      } catch {
        // The content of a damaged file ends early: the damage is reported, rather than the incomplete record.
        try unpacking.finish(isRead: false)
        throw error
      }
      try unpacking.finish(isRead: true)
    case .regular where !isStandardInput && path.utf8.suffix(3).elementsEqual(".gz".utf8):
      // The bytes of another packing would become the names and fields of a table.
      close(opened)
      throw ImportError(
        "\(name) is not compressed by gzip, although the name ends with .gz",
        details: ["rename the file, or pass the file as the standard input, with - as its name"])
    case .regular
    where lseek(opened, 0, SEEK_CUR) >= 0 && options.encoding == nil
      && Transcoding.encoding(ofMark: Unpacking.start(of: opened)) == nil:
      self.init(descriptor: opened, isOwned: !isStandardInput, name: name, format: format, options)
    case .directory:
      if !isStandardInput { close(opened) }
      throw ImportError(
        "\(name) is a directory, not a \(format.rawValue.uppercased()) file",
        details: ["--table-per-file imports each file of a directory into a table of its own"])
    default:
      defer { if !isStandardInput { close(opened) } }
      try self.init(copying: opened, name: name, format: format, options, skipsBadRows: skipsBadRows, observer)
    }
  }

  /// Copies an input that can be read only once.
  ///
  /// The records are read meanwhile, so that a file of another format ends the copying. The copy leaves room on its disk.
  ///
  /// - Parameter room: returns how many bytes may be written to a file.
  package convenience init(
    copying source: Int32, name: String, format: InputFormat, _ options: DelimitedOptions = .init(),
    skipsBadRows: Bool, _ observer: any ImportObserver,
    room: @escaping (Int32) -> Int = TemporaryFile.room
  ) throws {
    observer.beginWork("reading \(name)", total: nil)
    defer { observer.endWork() }
    let copy = try TemporaryFile(room: room)
    var decoding = try InputDecoding(options.encoding, of: name)
    var failure: (any Error)?
    let window = ByteWindow { buffer in
      do {
        let count = try decoding.next(into: buffer) { try Self.read(source, into: $0, name: name, observer) }
        try copy.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: name)
        observer.update(rows: nil, bytes: copy.size)
        return count
      } catch {
        failure = error
        return nil
      }
    }
    do {
      let reader = try format.reader(of: window, name, RecordNames(), options) { _ in }
      var isAtEnd = false
      while !isAtEnd {
        do {
          isAtEnd = try !reader.next()
        } catch let bad as BadRow {
          // The last lines, which are to be skipped, are known once the input has ended.
          if !skipsBadRows, options.layout.skippedEndLineCount == 0 { throw bad.error }
        }
      }
    } catch {
      throw failure ?? error
    }
    self.init(descriptor: try copy.rewound(), isOwned: true, name: name, format: format, options)
  }

  /// Reads the available bytes, waiting until there are some.
  private static func read(
    _ source: Int32, into buffer: UnsafeMutableRawBufferPointer, name: String, _ observer: any ImportObserver
  ) throws -> Int {
    while true {
      try observer.checkCancellation()
      // A cancellation that is requested just before a read, or of another thread, would not end the read: the input is polled.
      var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 100)
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      let count = systemRead(source, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR, errno != EAGAIN { throw ImportError("can't read \(name)", code: errno) }
    }
  }

  /// Reads the input from its start.
  ///
  /// - Parameter names: for records with names of their own: the known names, and the treatment of unknown ones.
  package func reader(_ names: RecordNames) throws(ImportError) -> any RecordReader {
    if lseek(descriptor, start, SEEK_SET) < 0 { throw ImportError("can't read \(name) twice", code: errno) }
    let reader = try format.reader(of: try window(), name, names, options) { delimiter in
      guessedDelimiter = delimiter
    }
    delimitedReader = reader as? DelimitedRecordReader
    objectReader = reader as? JSONRecordReader
    var converting = reader
    if !options.signedColumns.isEmpty {
      let numbers = try NumberConversion(in: options.signedColumns, among: reader.names, units, of: name)
      converting = ConvertingReader(converting, numbers)
    }
    if let dateOrder, !dateColumns.isEmpty {
      let dates = DateConversion(dateOrder, in: dateColumns, among: reader.names, of: name)
      converting = ConvertingReader(converting, dates)
    }
    return converting
  }

  /// Returns the window over the input, without the last lines that are to be skipped.
  private func window() throws(ImportError) -> ByteWindow {
    let count = options.layout.skippedEndLineCount
    if count == 0 { return ByteWindow(fileDescriptor: descriptor) }
    var rest = try endOffset(skipping: count) - Int(start)
    return ByteWindow { [descriptor] buffer in
      let wanted = min(buffer.count, rest)
      if wanted == 0 { return 0 }
      let count = systemRead(descriptor, buffer.baseAddress, wanted)
      rest -= max(0, count)
      return count < 0 ? nil : count
    }
  }

  /// Returns the offset at which the last lines begin, without counting empty ones.
  private func endOffset(skipping count: Int) throws(ImportError) -> Int {
    var (end, rest) = (Int(start) + size, count)
    var isEmpty = true
    while end > Int(start) {
      var chunk = [UInt8](repeating: 0, count: min(1 << 16, end - Int(start)))
      let read = pread(descriptor, &chunk, chunk.count, off_t(end - chunk.count))
      guard read == chunk.count else {
        throw ImportError("can't read the end of \(name)", code: read < 0 ? errno : EIO)
      }
      for (position, byte) in chunk.enumerated().reversed() {
        if byte != UInt8(ascii: "\n") {
          isEmpty = isEmpty && byte == UInt8(ascii: "\r")
          continue
        }
        if isEmpty { continue }
        isEmpty = true
        rest -= 1
        if rest == 0 { return end - chunk.count + position + 1 }
      }
      end -= chunk.count
    }
    return Int(start)
  }

  /// The order of the parts of dates; `nil` to leave texts as they are.
  var dateOrder: DateOrder? { options.dateOrder }

  /// Whether semicolons separate the fields.
  var hasSemicolons: Bool { (guessedDelimiter ?? options.delimiter) == .semicolon }

  /// The notes about the delimiter that was assumed for the file, and about the records that were left out of it.
  var notes: [String] {
    [
      guessedDelimiter.map { "\(name) is delimited by \($0.name)" },
      EmptyRecords.note(leftOut: delimitedReader?.emptyCount ?? 0, of: name),
      objectReader?.onlyObjectNote, delimitedReader?.headerNote,
    ].compactMap(\.self)
  }
}

/// The system's `read`, whose name a method above hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
