#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that this one has started, and whose end it waits for.
package struct ChildProcess: Sendable {
  /// The end of a program.
  package enum Ending: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// The system does not tell: this program ignores SIGCHLD, or has waited for the other one elsewhere.
    case unknown
  }

  /// The error of a program that did not start.
  package struct StartError: Error {
    /// The system's code, such as `ENOENT`.
    package let code: Int32
  }

  /// The program's number.
  package let number: Int32

  /// Starts a program, which SIGPIPE ends even where it is ignored or blocked here.
  ///
  /// - Parameters:
  ///   - words: the program's name, which is looked for in `PATH` unless it has a slash, and its arguments.
  ///   - input: the descriptor that becomes its standard input.
  ///   - output: the descriptor that becomes its standard output; `nil` for this program's own.
  /// - Throws: ``StartError`` where the system can't start it.
  package init(_ words: [String], input: Int32, output: Int32? = nil) throws(StartError) {
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
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    for descriptor in [input, output].compactMap(\.self) where descriptor > STDERR_FILENO {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // It would ignore or block what is ignored or blocked here: gzip would go on, and end with the status of a damaged file, once
    // its output is no longer read.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments = words.map { (word: String) in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var number: pid_t = 0
    let code = posix_spawnp(&number, words[0], &actions, &attributes, &arguments, environ)
    if code != 0 { throw StartError(code: code) }
    self.number = number
  }

  /// Waits until the program has ended. To be called once: its number may belong to another one afterwards.
  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 {
      if errno != EINTR { return .unknown }
    }
    // The low seven bits are the signal that ended the process, and the next eight its exit status where there was none:
    // https://man7.org/linux/man-pages/man2/wait.2.html names macros for them, which Swift does not import.
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }
}
