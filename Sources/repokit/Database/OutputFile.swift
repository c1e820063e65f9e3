#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Repository
import RowImport
import SQLiteStore

/// A file that is created completely or not at all: it is written under another name in the same folder, and renamed at the
/// end. A file whose name ends with `.gz` is compressed by the system's gzip.
final class OutputFile {
  /// Allows replacing a file.
  static let force = OptionDescription(name: "--force", help: "Replace an existing file.")

  private let path: String
  private let replaces: Bool
  /// The path at which the file is written until it is complete; the path itself for what is no file, such as a named pipe.
  private let temporaryPath: String
  private var descriptor: Int32 = -1
  /// Whether gzip compresses the file.
  private let isPacked: Bool
  /// The running gzip, and the pipe that it reads.
  private var gzip: (process: ChildProcess, input: Int32)?

  /// Checks whether the file may be created. Nothing is created before the first bytes are written.
  ///
  /// - Parameters:
  ///   - replaces: whether it may replace an existing file.
  ///   - database: the database that is read meanwhile, which must not be replaced.
  /// - Throws: ``Failure`` also where another database is in use at the path.
  init(_ path: String, replaces: Bool, from database: DatabaseLocation) throws(Failure) {
    try database.checkIsOther(path)
    let kind = FileKind(ofPath: path)
    if kind == .directory { throw Failure("\(path) is a directory") }
    if kind == .regular, !replaces {
      throw Failure("the file \(path) already exists", details: ["--force replaces the file"])
    }
    if !kind.isSpecial {
      do throws(RepositoryError) {
        try DatabaseInUse.check(path, suggestion: "choose another path")
      } catch {
        throw Failure(error)
      }
    }
    // A link stays, and the file that it leads to is replaced, or created.
    self.path = kind == .regular ? Self.resolved(path) : kind == .missing ? FileIdentity.followingLinks(path) : path
    self.replaces = replaces
    isPacked = !kind.isSpecial && path.lowercased().hasSuffix(".gz")
    temporaryPath = kind.isSpecial ? path : Self.temporaryPath(beside: self.path)
    let folder = FileIdentity.folder(of: self.path)
    if !kind.isSpecial, access(folder, W_OK | X_OK) != 0 { throw Failure("can't create \(path)", code: errno) }
  }

  deinit { discard() }

  /// Returns the style in which texts are written to the file: a path such as `/dev/stdout` may lead to a terminal, which
  /// would obey the escapes in them.
  func style() throws(Failure) -> TextStyle {
    // A regular file is made with its first bytes.
    guard temporaryPath == path else { return .plain }
    if descriptor < 0 { try make() }
    return TextStyle(isTerminal: isatty(descriptor) == 1, hasColor: false)
  }

  /// Writes the file through a buffer, all or nothing.
  func write<Result>(_ body: (OutputBuffer) throws -> Result) throws -> Result {
    defer { discard() }
    do {
      let result = try body(
        OutputBuffer { bytes throws(OutputError) in
          do throws(Failure) { try self.write(bytes) } catch { throw .failure(error) }
        })
      try finish()
      return result
    } catch OutputError.failure(let failure) {
      // The standard output is unchanged.
      throw failure
    }
  }

  /// Appends bytes.
  private func write(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    if descriptor < 0 { try make() }
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(gzip?.input ?? descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if code != EINTR {
        throw Failure("can't write \(path)", code: code)
      }
    }
  }

  /// Renames the file, once all of it is on the disk.
  private func finish() throws(Failure) {
    // One without a row and without a heading is still a file.
    if descriptor < 0 { try make() }
    defer { discard() }
    if let ending = endPacking(), ending != .exited(status: 0) {
      throw Failure("can't write \(path)", details: ["gzip failed"])
    }
    guard temporaryPath != path else { return }
    if replaces { FileIdentity.copyPermissions(of: path, to: descriptor) }
    if fsync(descriptor) != 0 { throw Failure("can't write \(path)", code: errno) }
    switch AtomicRename.rename(temporaryPath, to: path, replacing: replaces) {
    case .renamed: break
    case .taken:
      throw Failure("another program has just created \(path)", details: ["--force replaces the file"])
    case .failed(let code): throw Failure("can't create \(path)", code: code)
    }
  }

  /// Removes the unfinished file, unless it has been renamed.
  private func discard() {
    _ = endPacking()
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    if temporaryPath != path { unlink(temporaryPath) }
  }

  private func make() throws(Failure) {
    let isPlain = temporaryPath != path
    // A file that replaces another gets its permissions at the end: until then, no user may open it who may not read the other.
    let isReplacement = isPlain && FileKind(ofPath: path) != .missing
    descriptor = open(
      temporaryPath, O_WRONLY | O_CLOEXEC | (isPlain ? O_CREAT | O_EXCL : 0), (isReplacement ? 0o600 : 0o666) as mode_t)
    if descriptor < 0 { throw Failure("can't create \(path)", code: errno) }
    if isPacked { try startPacking() }
  }

  /// Starts gzip, which writes the file.
  private func startPacking() throws(Failure) {
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw Failure("can't create \(path)", code: errno) }
    defer { close(ends[0]) }
    // Otherwise gzip would wait for itself to close its input.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    do throws(ChildProcess.StartError) {
      gzip = (try ChildProcess(["gzip", "-c"], input: ends[0], output: descriptor), ends[1])
    } catch {
      close(ends[1])
      throw error.code == ENOENT
        ? Failure("can't write \(path)", details: ["gzip is not installed"])
        : Failure("can't write \(path)", code: error.code)
    }
  }

  /// Closes the input of gzip and waits for its end; `nil` if gzip does not run.
  private func endPacking() -> ChildProcess.Ending? {
    guard let gzip else { return nil }
    self.gzip = nil
    close(gzip.input)
    return gzip.process.wait()
  }

  private static func temporaryPath(beside path: String) -> String {
    let name =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? "export"
    // A name has at most 255 bytes on most systems.
    let start = String(decoding: name.utf8.prefix(200), as: UTF8.self)
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return "\(FileIdentity.folder(of: path))/.\(start).\(number).tmp"
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
