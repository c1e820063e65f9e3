import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that shows output screen by screen, as `less` does.
final class Pager {
  /// The pager that runs, or 0. Nothing but an atomic may be touched when a signal comes.
  private static let running = Atomic<Int32>(0)
  /// What was to happen at Control-C before. Written while no signal handler is set that reads it.
  nonisolated(unsafe) private static var former = sigaction()

  private let process: pid_t
  private var input: Int32?

  /// Starts a pager; `nil` where the system starts nothing.
  ///
  /// - Parameter command: a line of the shell.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // It would wait for the end of its input as long as it holds the other end itself.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    guard let process = Self.spawn(command, input: ends[0]) else {
      close(ends[1])
      return nil
    }
    self.process = process
    input = ends[1]
    Self.running.store(process, ordering: .relaxed)
    // Control-C is for the pager while it has the terminal: this program would leave the two of them, pager and shell, to
    // read from one keyboard. Where the pager was left already, it is for whoever it was for before: in the shell, that
    // ends the command and not the program.
    sigaction(SIGINT, nil, &Self.former)
    signal(SIGINT) { number in
      let code = errno
      let process = Pager.running.load(ordering: .relaxed)
      var status: Int32 = 0
      if process == 0 || waitpid(process, &status, WNOHANG) != 0 {
        // Its number may be that of another program from now on.
        Pager.running.store(0, ordering: .relaxed)
        sigaction(number, &Pager.former, nil)
        raise(number)
      }
      errno = code
    }
  }

  /// Writes to the pager.
  ///
  /// - Throws: ``OutputError/readerLeft`` where it was left.
  func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    guard let input else { throw .readerLeft }
    try StandardStreams.write(bytes, to: input)
  }

  /// Tells the pager that there is no more, and waits until it is left.
  ///
  /// - Returns: whether there was a pager at all: a shell that finds no such program says so by its exit status.
  func finish() -> Bool {
    guard let input else { return true }
    close(input)
    self.input = nil
    var status: Int32 = 0
    var result = waitpid(process, &status, 0)
    while result < 0, errno == EINTR { result = waitpid(process, &status, 0) }
    Self.running.store(0, ordering: .relaxed)
    sigaction(SIGINT, &Self.former, nil)
    // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html, section 2.8.2
    let isMissing = result == process && status & 0x7F == 0 && [126, 127].contains(status >> 8 & 0xFF)
    return !isMissing
  }

  private static func spawn(_ command: String, input: Int32) -> pid_t? {
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
    posix_spawn_file_actions_addclose(&actions, input)
    // What this program ignores, its children would ignore too.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    // Colours as they are, and no screen of its own, so that what was read stays in sight afterwards. As Git has it.
    let options = getenv("LESS") == nil ? "LESS=FRX; export LESS; " : ""
    var words = ["/bin/sh", "-c", options + command].map { (word: String) in strdup(word) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ) == 0 ? process : nil
  }
}
