#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a file of the history can't be used.
package struct HistoryError: Error {
  package let summary: String
  /// The `errno` of the system call that failed.
  package let code: Int32

  init(_ summary: String, code: Int32) {
    (self.summary, self.code) = (summary, code)
  }
}

/// The entries typed in this program and in earlier runs of it.
package struct History {
  /// The entries, the latest last.
  package private(set) var entries: [String] = []
  private let file: HistoryFile?
  private let report: (HistoryError) -> Void
  private var hasFailed = false

  /// Reads the stored entries.
  ///
  /// - Parameters:
  ///   - file: the file of the history, if any.
  ///   - report: called once, with the first error of the file.
  package init(file: HistoryFile?, report: @escaping (HistoryError) -> Void) {
    self.file = file
    self.report = report
    attempt { file throws(HistoryError) in
      try file.trim()
      return try file.read()
    }.map { entries = $0 }
  }

  /// Adds an entry, unless it starts with a blank or equals the one before.
  package mutating func add(_ entry: String) {
    if entry.isEmpty || entry.first?.isWhitespace == true || entry == entries.last { return }
    entries.append(entry)
    _ = attempt { file throws(HistoryError) in try file.append(entry) }
  }

  private mutating func attempt<Result>(_ body: (HistoryFile) throws(HistoryError) -> Result) -> Result? {
    guard let file, !hasFailed else { return nil }
    do throws(HistoryError) {
      return try body(file)
    } catch {
      hasFailed = true
      report(error)
      return nil
    }
  }
}

/// The history file, to which all running shells append their lines.
///
/// A line of the file is an entry; a line feed within one is written as `\n`, and a backslash as two.
package struct HistoryFile {
  package let path: String
  /// The maximum number of entries that are kept, and the maximum length of one.
  private static let capacity = 5_000
  private static let maximumLength = 100_000

  package init(path: String) {
    self.path = path
  }

  /// Reads the entries, the latest last. A missing file has none.
  func read() throws(HistoryError) -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw HistoryError("can't read the history from \(path)", code: errno)
    }
    defer { close(descriptor) }
    return Array(Self.entries(try bytes(of: descriptor)).suffix(Self.capacity))
  }

  /// Appends an entry to the file, which is created if it is missing.
  ///
  /// The file is not synchronized with the disk: after a power failure, the last lines may be missing, and no others.
  func append(_ entry: String) throws(HistoryError) {
    if entry.utf8.count > Self.maximumLength { return }
    let descriptor = try openLocked()
    defer { close(descriptor) }
    try write(Self.line(entry), to: descriptor)
  }

  /// Drops the oldest entries, if the file has many more than the maximum.
  func trim() throws(HistoryError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let descriptor = try openLocked()
    defer { close(descriptor) }
    let entries = Self.entries(try bytes(of: descriptor))
    guard entries.count > Self.capacity + Self.capacity / 10 else { return }
    // The entries are written to a second file, which is then renamed, so that a complete file exists at any time. Only the
    // holder of the lock writes to the second file: an existing one is left over from a crash.
    let new = "\(path).new"
    unlink(new)
    let copy = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw HistoryError("can't write the history to \(new)", code: errno) }
    defer { close(copy) }
    do throws(HistoryError) {
      try write(entries.suffix(Self.capacity).flatMap(Self.line), to: copy)
      // Without `fsync`, the name may reach the disk before the bytes: https://www.man7.org/linux/man-pages/man2/fsync.2.html
      if fsync(copy) != 0 { throw HistoryError("can't write the history to \(new)", code: errno) }
      if rename(new, path) != 0 { throw HistoryError("can't write the history to \(path)", code: errno) }
    } catch {
      unlink(new)
      throw error
    }
  }

  /// Opens the file while no other shell writes to it.
  private func openLocked() throws(HistoryError) -> Int32 {
    makeFolders()
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw HistoryError("can't write the history to \(path)", code: errno) }
      // The file may have been replaced during the wait for the lock.
      var (mine, current) = (stat(), stat())
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      if fstat(descriptor, &mine) == 0, stat(path, &current) == 0, mine.st_ino == current.st_ino {
        Self.narrow(descriptor, mine)
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Makes an existing file accessible only to the user, to whom it has to belong.
  private static func narrow(_ descriptor: Int32, _ file: stat) {
    guard file.st_mode & S_IFMT == S_IFREG, file.st_uid == geteuid(), file.st_mode & 0o077 != 0 else { return }
    fchmod(descriptor, 0o600)
  }

  /// Creates missing folders, accessible only to the user, as the XDG Base Directory Specification requires.
  private func makeFolders() {
    for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
  }

  private func bytes(of descriptor: Int32) throws(HistoryError) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw HistoryError("can't read the history from \(path)", code: errno) }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(HistoryError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw HistoryError("can't write the history to \(path)", code: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

extension HistoryFile {
  private static func line(_ entry: String) -> [UInt8] {
    var line: [UInt8] = []
    for byte in entry.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): line += [byte, byte]
      case UInt8(ascii: "\n"): line += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: line.append(byte)
      }
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// Returns the entries of a file's bytes. A line that is not UTF-8 was not written by this program, and is dropped.
  private static func entries(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      var entry: [UInt8] = []
      var isEscaped = false
      for byte in line {
        if isEscaped {
          entry.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          entry.append(byte)
        }
      }
      return String(validating: entry, as: UTF8.self)
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
