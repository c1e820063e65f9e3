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
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var words = ["gzip", "-dc"].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, "gzip", &actions, nil, &words, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw ImportError("\(name) can't be unpacked", details: ["gzip is not installed"])
    }
    (output, self.process) = (ends[0], process)
  }

  /// Waits for gzip, which ends as soon as its output is no longer read.
  ///
  /// - Throws: ``ImportError`` if the file is damaged.
  func finish() throws(ImportError) {
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The status 1 is an error, 2 a warning: https://www.gnu.org/software/gzip/manual/gzip.html#Invoking-gzip
    if status >> 8 & 0xFF == 1 {
      throw ImportError("\(name) can't be unpacked", details: ["gzip says that it is damaged"])
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
      if rest.isEmpty { return 0 }
      let count = try convert(into: buffer)
      if count > 0 { return count }
    }
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
  private var isAtStart = true

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
    let count = try transcoding?.next(into: buffer, read) ?? read(buffer)
    if !isAtStart { return count }
    isAtStart = false
    let mark = Array(buffer.prefix(min(2, count)))
    if mark == Unpacking.mark {
      throw ImportError(
        "\(name) is packed by gzip", details: ["gunzip unpacks it before it is passed on, or name the file"])
    }
    guard transcoding == nil, let encoding = Transcoding.encoding(ofMark: mark) else { return count }
    let transcoding = try Transcoding(encoding, of: name)
    self.transcoding = transcoding
    var start: [UInt8]? = Array(buffer[..<count])
    return try transcoding.next(into: buffer) { room in
      defer { start = nil }
      guard let start, start.count <= room.count else { return try read(room) }
      room.copyBytes(from: start)
      return start.count
    }
  }
}
