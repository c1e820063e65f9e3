import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that a test has started.
///
/// Foundation's `Process` crashed on Linux where hundreds of tests started programs at once.
struct ChildProcess: Sendable {
  /// What is opened as one of the standard streams.
  struct Stream {
    let path: String
    let flags: Int32

    init(_ path: String, _ flags: Int32) {
      (self.path, self.flags) = (path, flags)
    }
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private let number: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - environment: all variables that the program sees.
  ///   - streams: its standard input, its standard output and its standard error.
  ///   - hasOwnSession: whether it leads a session of its own, as programs at a terminal of their own do.
  init(
    _ program: String, _ arguments: [String], in folder: String, environment: [String: String], streams: [Stream],
    hasOwnSession: Bool = false
  ) throws {
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
    for (descriptor, stream) in streams.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), stream.path, stream.flags, 0o600)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let session = hasOwnSession ? Self.newSession : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | session)

    // The shell goes to the folder, and becomes the program.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
    var words = (shell + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var number: pid_t = 0
    let code = posix_spawn(&number, shell[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Problem(description: "\(program) did not start: \(code)") }
    self.number = number
  }

  /// What `posix_spawn` calls it where it is an extension: https://www.man7.org/linux/man-pages/man3/posix_spawn.3.html
  private static var newSession: Int16 {
    #if canImport(Darwin)
      Int16(POSIX_SPAWN_SETSID)
    #else
      0x80
    #endif
  }

  /// Waits until it ends, with the thread blocked; once.
  ///
  /// - Returns: its exit status; for a program that a signal ended, 128 and the signal, as a shell has it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Ends it at once, in the place of ``wait()``.
  func kill() {
    send(SIGKILL)
    _ = wait()
  }

  /// Sends it a signal.
  func send(_ signal: Int32) {
    #if canImport(Darwin)
      Darwin.kill(number, signal)
    #elseif canImport(Glibc)
      Glibc.kill(number, signal)
    #else
      Musl.kill(number, signal)
    #endif
  }
}
