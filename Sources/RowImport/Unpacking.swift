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
