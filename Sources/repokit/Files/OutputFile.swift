#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that comes into being whole or not at all: it is written under another name in the same folder, and gets its own
/// in the end.
final class OutputFile {
  private let path: String
  private let replaces: Bool
  /// Where it is written meanwhile; the path itself for what is no file, such as a pipe with a name.
  private let temporaryPath: String
  private var descriptor: Int32 = -1

  /// Looks whether the file may be made. Nothing is made before the first bytes are written.
  ///
  /// - Parameter replaces: whether it may take the place of one that exists.
  init(_ path: String, replaces: Bool) throws(Failure) {
    let kind = FileKind(ofPath: path)
    if kind == .directory { throw Failure("\(path) is a directory") }
    if kind == .regular, !replaces {
      throw Failure("there is a file \(path) already", details: ["--force replaces it"])
    }
    // A link stays, and the file that it leads to is replaced.
    self.path = kind == .regular ? Self.resolved(path) : path
    self.replaces = replaces
    temporaryPath = kind == .other ? path : Self.temporaryPath(beside: self.path)
    let folder = Self.folder(of: self.path)
    if kind != .other, access(folder, W_OK | X_OK) != 0 { throw Failure("\(path) can't be made", code: errno) }
  }

  deinit { discard() }

  /// Writes bytes behind those that are there.
  func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    if descriptor < 0 { try make() }
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if code == EPIPE {
        throw .readerLeft
      } else if code != EINTR {
        throw .failure(Failure("\(path) can't be written", code: code))
      }
    }
  }

  /// Gives the file its name, once all of it is on the disk.
  func finish() throws(OutputError) {
    // One without a row and without a heading is still a file.
    if descriptor < 0 { try make() }
    defer { discard() }
    guard temporaryPath != path else { return }
    if fsync(descriptor) != 0 { throw .failure(Failure("\(path) can't be written", code: errno)) }
    if try !take() {
      if rename(temporaryPath, path) != 0 { throw .failure(Failure("\(path) can't be made", code: errno)) }
    }
    // The name is in the folder, which has to be on the disk too.
    let folder = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Removes what was written so far, unless it has its name.
  func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    if temporaryPath != path { unlink(temporaryPath) }
  }

  /// Takes the name if nobody has it: a link, unlike a new name, never replaces a file.
  ///
  /// - Returns: `false` where the file is to be renamed, since it may replace another or there are no links.
  private func take() throws(OutputError) -> Bool {
    if replaces { return false }
    if link(temporaryPath, path) == 0 { return true }
    if errno == EEXIST {
      throw .failure(Failure("somebody else has made \(path) meanwhile", details: ["--force replaces it"]))
    }
    return false
  }

  private func make() throws(OutputError) {
    let isPlain = temporaryPath != path
    descriptor = open(
      temporaryPath, O_WRONLY | O_CLOEXEC | (isPlain ? O_CREAT | O_EXCL : 0), 0o666 as mode_t)
    if descriptor < 0 { throw .failure(Failure("\(path) can't be made", code: errno)) }
    var status = stat()
    // Whoever may read the file that is replaced may read the new one, and nobody else.
    if isPlain, replaces, stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func temporaryPath(beside path: String) -> String {
    let name =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? "export"
    // A name has at most 255 bytes on most systems.
    let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(folder(of: path))/.\(start).\(number).tmp"
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// The system's `write`, whose name the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
