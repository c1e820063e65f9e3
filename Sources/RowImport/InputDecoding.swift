#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Decompresses a file with the system's gzip.
final class Unpacking {
  /// The descriptor from which the decompressed bytes are read.
  let output: Int32
  private let name: String
  private let process: pid_t

  /// Returns whether a file begins as those of gzip do: RFC 1952, section 2.3.1. Its offset does not change.
  static func isPacked(_ descriptor: Int32) -> Bool { start(of: descriptor) == mark }

  /// The first bytes of a compressed file.
  static let mark: [UInt8] = [0x1F, 0x8B]

  /// Returns the next two bytes of a regular file, or fewer at its end.
  static func start(of descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    let count = pread(descriptor, &bytes, bytes.count, max(0, lseek(descriptor, 0, SEEK_CUR)))
    return Array(bytes.prefix(max(0, count)))
  }

  /// Starts gzip.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - name: the name that messages use for the file.
  init(_ descriptor: Int32, name: String) throws(ImportError) {
    self.name = name
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw ImportError("\(name) can't be unpacked", code: errno) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[1])
    // Where this program ignores or blocks SIGPIPE, gzip would do so, too: it would end with the status of a damaged file once
    // its output is no longer read.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var words = ["gzip", "-dc"].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, "gzip", &actions, &attributes, &words, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw ImportError("\(name) can't be unpacked", details: ["gzip is not installed"])
    }
    (output, self.process) = (ends[0], process)
  }

  /// Waits for gzip, which ends as soon as its output is no longer read.
  ///
  /// - Parameter isRead: whether the output was read to its end. Otherwise gzip may have been stopped by that.
  /// - Throws: ``ImportError`` if the file is damaged, or gzip did not write all of it.
  func finish(isRead: Bool) throws(ImportError) {
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno == EINTR { continue }
      // Without its status nothing tells that the output is complete.
      if isRead {
        throw ImportError(
          "\(name) can't be unpacked", details: ["how gzip ended is not known, as in a program that ignores SIGCHLD"])
      }
      return
    }
    guard let problem = Self.problem(ofStatus: status, isRead: isRead) else { return }
    throw ImportError("\(name) can't be unpacked", details: [problem, "gzip --test tells more of it"])
  }

  /// Returns what a status of `waitpid` tells of an output that is not complete; `nil` if it may be.
  private static func problem(ofStatus status: Int32, isRead: Bool) -> String? {
    // The low seven bits are the signal that ended the process, and the next eight its exit status where there was none:
    // https://man7.org/linux/man-pages/man2/wait.2.html names macros for them, which Swift does not import.
    let signal = status & 0x7F
    if signal != 0 { return isRead || signal != SIGPIPE ? "gzip was ended by the signal \(signal)" : nil }
    // The status 1 is an error, 2 a warning: https://www.gnu.org/software/gzip/manual/gzip.html#Invoking-gzip
    return switch status >> 8 & 0xFF {
    case 0, 2: nil
    case 1: "gzip says that it is damaged"
    case let code: "gzip ended with the status \(code)"
    }
  }
}

/// Converts text of another encoding to UTF-8, in pieces, with the system's iconv.
final class Transcoding {
  private let name: String
  private let encoding: String
  private let converter: iconv_t
  /// Bytes that are not converted yet: the start of a character that the end of a piece cut, or bytes without room in the buffer.
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// Bytes in UTF-8 for which the last buffer had no room.
  private var converted: [UInt8] = []
  /// The least room to convert into: a letter has up to four bytes, and a converter may give back several at once. A smaller
  /// buffer, such as the end of a window, would take none.
  private static let leastRoom = 64
  /// Whether the converter has given back what it kept of the last characters.
  private var isFlushed = false

  /// The encoding that a byte order mark denotes: UTF-16 of either order.
  static func encoding(ofMark bytes: [UInt8]) -> String? {
    switch bytes {
    case [0xFF, 0xFE], [0xFE, 0xFF]: "UTF-16"
    default: nil
    }
  }

  /// - Parameters:
  ///   - encoding: the name of the encoding, as iconv knows it.
  ///   - name: the name that messages use for the file.
  init(_ encoding: String, of name: String) throws(ImportError) {
    (self.name, self.encoding) = (name, encoding)
    converter = iconv_open("UTF-8", encoding)
    if converter == iconv_t(bitPattern: -1) {
      throw ImportError(
        "no encoding \(encoding) is known", details: ["iconv --list names those that are, such as WINDOWS-1252"],
        isUsageError: true)
    }
  }

  deinit { if converter != iconv_t(bitPattern: -1) { iconv_close(converter) } }

  /// Fills a buffer with the next bytes in UTF-8.
  ///
  /// - Parameter read: fills a buffer with further bytes of the file, and returns their number, 0 at the end of the file.
  /// - Returns: the number of bytes in UTF-8, 0 at the end.
  func next(
    into buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    if converted.isEmpty {
      if buffer.count >= Self.leastRoom { return try fill(buffer, read) }
      var bytes: [UInt8] = Array(repeating: 0, count: Self.leastRoom)
      let count = try bytes.withUnsafeMutableBytes { try fill($0, read) }
      converted = Array(bytes.prefix(count))
    }
    let part = converted.prefix(buffer.count)
    buffer.copyBytes(from: part)
    converted.removeFirst(part.count)
    return part.count
  }

  /// Fills a buffer with room for any letter.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    while true {
      if !isAtEnd, rest.count < 1 << 15 {
        let kept = rest.count
        rest.append(contentsOf: repeatElement(0, count: 1 << 16))
        let count = try rest.withUnsafeMutableBytes { bytes in
          try read(UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
        }
        rest.removeLast((1 << 16) - count)
        isAtEnd = count == 0
      }
      if rest.isEmpty { return isFlushed ? 0 : flush(into: buffer) }
      let count = try convert(into: buffer)
      if count > 0 { return count }
    }
  }

  /// Ends the conversion: some converters keep a letter back, since a mark that follows may become part of it.
  /// https://man7.org/linux/man-pages/man3/iconv.3.html
  private func flush(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    isFlushed = true
    var (target, room) = (buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    _ = iconv(converter, nil, nil, &target, &room)
    return buffer.count - room
  }

  /// Converts as many bytes as there is room for.
  private func convert(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    var code: Int32 = 0
    let (used, written) = rest.withUnsafeMutableBytes { bytes in
      var (source, left) = (bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      var (target, room) = (buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      if iconv(converter, &source, &left, &target, &room) == Int(bitPattern: UInt.max) { code = errno }
      return (bytes.count - left, buffer.count - room)
    }
    rest.removeFirst(used)
    // E2BIG means that the buffer is full, so that the next call continues; EINVAL, that the bytes end within a character.
    if code == EILSEQ || code == EINVAL && isAtEnd {
      throw ImportError(
        "\(name) is not written in \(encoding)", details: ["--encoding names the encoding, such as WINDOWS-1252"])
    }
    return written
  }
}

/// The text of an input in UTF-8, in pieces: its first bytes may tell another encoding.
struct InputDecoding {
  private let name: String
  private var transcoding: Transcoding?
  /// The first bytes that have not been handed on; `nil` before they are read.
  private var start: [UInt8]?
  /// Whether the input ends with these bytes: a terminal would ask for more.
  private var endsWithStart = false

  /// - Parameters:
  ///   - encoding: the name of the encoding; `nil` for UTF-8, unless a byte order mark denotes another one.
  ///   - name: the name that messages use for the file.
  init(_ encoding: String?, of name: String) throws(ImportError) {
    self.name = name
    transcoding = try encoding.map { encoding throws(ImportError) in try Transcoding(encoding, of: name) }
  }

  /// Fills a buffer with the next bytes in UTF-8.
  ///
  /// - Parameter read: fills a buffer with further bytes of the file, and returns their number, 0 at the end of the file.
  /// - Returns: the number of bytes in UTF-8, 0 at the end.
  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Int {
    var start = try self.start ?? examinedStart(read)
    defer { self.start = start }
    func readOn(_ room: UnsafeMutableRawBufferPointer) throws -> Int {
      if start.isEmpty { return try endsWithStart ? 0 : read(room) }
      let part = start.prefix(room.count)
      room.copyBytes(from: part)
      start.removeFirst(part.count)
      return part.count
    }
    return try transcoding?.next(into: buffer, readOn) ?? readOn(buffer)
  }

  /// Reads the first bytes, as many as a mark has, and chooses the encoding by them. A pipe may hand on a byte at a time.
  private mutating func examinedStart(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> [UInt8] {
    var mark: [UInt8] = []
    while mark.count < Unpacking.mark.count {
      var next: [UInt8] = Array(repeating: 0, count: Unpacking.mark.count - mark.count)
      let count = try next.withUnsafeMutableBytes { try read($0) }
      endsWithStart = count == 0
      if endsWithStart { break }
      mark += next.prefix(count)
    }
    if mark == Unpacking.mark {
      throw ImportError(
        "\(name) is packed by gzip", details: ["gunzip unpacks it before it is passed on, or name the file"])
    }
    if transcoding == nil, let encoding = Transcoding.encoding(ofMark: mark) {
      transcoding = try Transcoding(encoding, of: name)
    }
    return mark
  }
}
