#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif
import Synchronization

/// The mode in which a terminal handles keys: by lines as usual, or each at once while a line is edited.
///
/// The usual mode is restored whenever no line is being edited, and when a signal ends the program meanwhile.
package enum TerminalMode {
  /// The usual mode, to be restored. It is written only while no signal handler that reads it is installed.
  ///
  /// In memory of its own: Swift 6.3 leaves the padding out of a static `termios`, so that the system would write three bytes
  /// beyond it.
  nonisolated(unsafe) private static let usual = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// The usual actions of the handled signals, to be restored.
  nonisolated(unsafe) private static var replaced: [(number: Int32, action: sigaction)] = []
  private static let isRaw = Atomic(false)
  /// Whether a line is being edited, also while the program is stopped.
  private static let isEditing = Atomic(false)
  private static let input = Atomic<Int32>(STDIN_FILENO)
  private static let output = Atomic<Int32>(STDOUT_FILENO)
  /// The pipe into which a byte is written when the size of the terminal changes, and when the program continues after it
  /// was stopped: a signal is delivered to any thread, and need not end a wait for keys.
  private static let changes = Atomic<Int32>(-1)
  private static let changeSink = Atomic<Int32>(-1)
  private static let fatal = [SIGTERM, SIGHUP, SIGQUIT]

  /// Whether a terminal can show a line that is edited.
  static func canEdit(input: Int32, output: Int32, term: String) -> Bool {
    isatty(input) == 1 && isatty(output) == 1 && term != "dumb" && !term.isEmpty
  }

  /// Switches to receiving keys one by one.
  ///
  /// - Returns: whether that is possible.
  static func enterRaw(input source: Int32, output target: Int32) -> Bool {
    guard tcgetattr(source, usual) == 0 else { return false }
    input.store(source, ordering: .relaxed)
    output.store(target, ordering: .relaxed)
    openPipe()
    for number in fatal {
      handle(number, flags: Int32(truncatingIfNeeded: SA_RESETHAND)) { number in
        TerminalMode.setUsual()
        raise(number)
      }
    }
    for number in [SIGWINCH, SIGCONT, SIGTSTP] {
      handle(number, flags: Int32(SA_RESTART)) { number in
        let code = errno
        if number == SIGTSTP {
          TerminalMode.setUsual()
          TerminalMode.stop()
        }
        if number != SIGWINCH { TerminalMode.setRaw() }
        TerminalMode.noteChange()
        errno = code
      }
    }
    isEditing.store(true, ordering: .relaxed)
    setRaw()
    return true
  }

  /// Restores the usual mode.
  static func leaveRaw() {
    isEditing.store(false, ordering: .relaxed)
    setUsual()
    for (number, action) in replaced {
      var action = action
      sigaction(number, &action, nil)
    }
    replaced = []
  }

  /// Restores the usual mode. Signal handlers call this, so it calls only functions that they may call: POSIX, General
  /// Information, 2.4.3 Signal Actions.
  private static func setUsual() {
    guard isRaw.exchange(false, ordering: .relaxed) else { return }
    Self.write(pasteOff, to: output.load(ordering: .relaxed))
    tcsetattr(input.load(ordering: .relaxed), TCSADRAIN, usual)
  }

  /// Waits for something to read from the terminal.
  ///
  /// - Parameter milliseconds: the time limit; negative for no limit.
  static func wait(_ milliseconds: Int32) -> Event {
    var requests = [input.load(ordering: .relaxed), changes.load(ordering: .relaxed)].map { descriptor in
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&requests, nfds_t(requests.count), milliseconds)
    if count < 0 { return errno == EINTR ? .change : .input }
    guard count > 0 else { return .silence }
    if requests[1].revents == 0 { return .input }
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = systemRead(requests[1].fd, &bytes, bytes.count)
    return .change
  }

  /// The result of waiting.
  enum Event {
    case input, silence
    /// The terminal may show something other than before.
    case change
  }

  private static func openPipe() {
    guard changes.load(ordering: .relaxed) < 0 else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    changes.store(ends[0], ordering: .relaxed)
    changeSink.store(ends[1], ordering: .relaxed)
  }

  /// Stops the program and its job, until the shell continues them.
  static func suspend() {
    let terminal = (input: input.load(ordering: .relaxed), output: output.load(ordering: .relaxed))
    leaveRaw()
    // The signal first stops the other processes of the job. This process ignores it, since the signal would stop it a little
    // later, on another thread, and in raw mode again.
    var former = sigaction()
    sigaction(SIGTSTP, nil, &former)
    let isIgnored = former.isIgnored
    signal(SIGTSTP, SIG_IGN)
    kill(0, SIGTSTP)
    sigaction(SIGTSTP, &former, nil)
    if !isIgnored { stop() }
    _ = enterRaw(input: terminal.input, output: terminal.output)
  }

  /// Stops the program, and returns when it is continued; at once if its parent is outside of its session, since the system
  /// does not stop such a program. A signal handler may call this.
  private static func stop() {
    var (usual, former) = (sigaction(), sigaction())
    sigaction(SIGTSTP, &usual, &former)
    // The threads of tasks block all signals, and a handler blocks its own, so the signal is unblocked first. It has then been
    // delivered when `raise` returns.
    var (signals, mask) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, &mask)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &former, nil)
  }

  /// The value for "no key", `_POSIX_VDISABLE`.
  #if canImport(Darwin)
    private static let disabled: UInt8 = 0xFF
  #else
    private static let disabled: UInt8 = 0
  #endif

  /// Wakes ``wait(_:)``. A signal handler may call this.
  package static func noteChange() { write("!", to: changeSink.load(ordering: .relaxed)) }

  private static func setRaw() {
    guard isEditing.load(ordering: .relaxed) else { return }
    isRaw.store(true, ordering: .relaxed)
    var raw = usual.pointee
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    // Control-C remains a signal, so that it also interrupts a command that is about to run. Control-Z and Control-\ become keys.
    withUnsafeMutableBytes(of: &raw.c_cc) { keys in
      for key in [VSUSP, VQUIT] { keys[Int(key)] = disabled }
    }
    raw.c_cflag |= tcflag_t(CS8)
    tcsetattr(input.load(ordering: .relaxed), TCSADRAIN, &raw)
    Self.write(pasteOn, to: output.load(ordering: .relaxed))
  }

  // Bracketed paste: https://invisible-island.net/xterm/xterm-paste64.html
  private static let pasteOn: StaticString = "\u{1B}[?2004h"
  private static let pasteOff: StaticString = "\u{1B}[?2004l"

  private static func write(_ text: StaticString, to descriptor: Int32) {
    _ = systemWrite(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func handle(_ number: Int32, flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    sigaction(number, nil, &action)
    replaced.append((number, action))
    signal(number, handler)
    sigaction(number, nil, &action)
    action.sa_flags = action.sa_flags & ~Int32(SA_RESTART) | flags
    sigaction(number, &action, nil)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

// The handler of a signal, which each system declares in a union with another name.
extension sigaction {
  package typealias Handler = @convention(c) (Int32) -> Void

  /// Whether the signal is ignored. Functions can't be compared, and `SIG_IGN` is a number cast to a function.
  package var isIgnored: Bool {
    let ignoring: Handler? = SIG_IGN
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(ignoring, to: UInt.self)
  }

  #if canImport(Darwin)
    private var handler: Handler? { __sigaction_u.__sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sigaction_u.__sa_handler = handler }
  #elseif canImport(Glibc)
    private var handler: Handler? { __sigaction_handler.sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sigaction_handler.sa_handler = handler }
  #elseif canImport(Musl)
    private var handler: Handler? { __sa_handler.sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sa_handler.sa_handler = handler }
  #endif
}
