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
  private let process: ChildProcess

  /// Returns whether a file begins as those of gzip do: RFC 1952, section 2.3.1. Its offset does not change.
  static func isPacked(_ descriptor: Int32) -> Bool { start(of: descriptor) == mark }

  /// The first bytes of a compressed file.
  static let mark: [UInt8] = [0x1F, 0x8B]

  /// Returns the next bytes of a regular file, or fewer at its end.
  static func start(of descriptor: Int32, count: Int = 2) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let readCount = pread(descriptor, &bytes, count, max(0, lseek(descriptor, 0, SEEK_CUR)))
    return Array(bytes.prefix(max(0, readCount)))
  }

  /// Starts gzip.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - name: the name that messages use for the file.
  init(_ descriptor: Int32, name: String) throws(ImportError) {
    self.name = name
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw ImportError("can't unpack \(name)", code: errno) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    defer { close(ends[1]) }
    do throws(ChildProcess.StartError) {
      process = try ChildProcess(["gzip", "-dc"], input: descriptor, output: ends[1])
    } catch {
      close(ends[0])
      throw error.code == ENOENT
        ? ImportError("can't unpack \(name)", details: ["gzip is not installed"])
        : ImportError("can't unpack \(name)", code: error.code)
    }
    output = ends[0]
  }

  /// Waits for gzip, which ends as soon as its output is no longer read.
  ///
  /// - Parameter isRead: whether the output was read to its end. Otherwise gzip may have been stopped by that.
  /// - Throws: ``ImportError`` if the file is damaged, or gzip did not write all of it.
  func finish(isRead: Bool) throws(ImportError) {
    close(output)
    guard let problem = Self.problem(process.wait(), isRead: isRead) else { return }
    throw ImportError("can't unpack \(name)", details: [problem, "gzip --test shows more details"])
  }

  /// Returns what the end of gzip tells of an output that is not complete; `nil` if it may be.
  private static func problem(_ ending: ChildProcess.Ending, isRead: Bool) -> String? {
    // The status 1 is an error, 2 a warning: https://www.gnu.org/software/gzip/manual/gzip.html#Invoking-gzip
    switch ending {
    case .exited(status: 0), .exited(status: 2): nil
    case .exited(status: 1): "gzip reports a damaged file"
    case .exited(let status): "gzip exited with status \(status)"
    case .killed(signal: SIGPIPE) where !isRead: nil
    case .killed(let signal): "signal \(signal) killed gzip"
    // Without its status nothing tells that the output is complete.
    case .unknown: isRead ? "gzip's exit status is unknown, as in a program that ignores SIGCHLD" : nil
    }
  }
}
