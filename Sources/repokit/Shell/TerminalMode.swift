import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a terminal handles keys: line by line as usual, or each at once while a line is edited.
///
/// The usual mode is there again whenever a line is not being edited, and when a signal ends the program meanwhile.
enum TerminalMode {
  /// The usual mode while another one is set. Written while no signal handler is set that reads it.
  nonisolated(unsafe) private static var usual = termios()
  /// What was to happen at signals in the usual mode.
  nonisolated(unsafe) private static var replaced: [(number: Int32, action: sigaction)] = []
  private static let isRaw = Atomic(false)
  private static let output = Atomic<Int32>(STDOUT_FILENO)
  /// Whether the size of the terminal changed, or the program was stopped and goes on.
  private static let hasChanged = Atomic(false)
  private static let fatal = [SIGTERM, SIGHUP, SIGQUIT]

  /// Whether a terminal can show a line that is edited.
  static func canEdit(output: Int32) -> Bool {
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(STDIN_FILENO) == 1 && isatty(output) == 1 && term != "dumb" && !term.isEmpty
  }

  /// Has keys come one by one.
  ///
  /// - Returns: whether that is possible.
  static func enterRaw(output descriptor: Int32) -> Bool {
    guard tcgetattr(STDIN_FILENO, &usual) == 0 else { return false }
    output.store(descriptor, ordering: .relaxed)
    hasChanged.store(false, ordering: .relaxed)
    for number in fatal {
      handle(number, flags: Int32(truncatingIfNeeded: SA_RESETHAND)) { number in
        TerminalMode.setUsual()
        raise(number)
      }
    }
    // Neither restarts a read, so that the change is noticed.
    for number in [SIGWINCH, SIGCONT] {
      handle(number, flags: 0) { number in
        if number == SIGCONT { TerminalMode.setRaw() }
        TerminalMode.hasChanged.store(true, ordering: .relaxed)
      }
    }
    isRaw.store(true, ordering: .relaxed)
    setRaw()
    return true
  }

  /// Has the terminal handle keys as usual.
  static func leaveRaw() {
    setUsual()
    for (number, action) in replaced {
      var action = action
      sigaction(number, &action, nil)
    }
    replaced = []
  }

  /// Nothing here but what a signal handler may call: POSIX, General Information, 2.4.3 Signal Actions.
  private static func setUsual() {
    guard isRaw.exchange(false, ordering: .relaxed) else { return }
    Self.write(pasteOff)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &usual)
  }

  /// Whether the terminal may show something else than it did.
  static func takeChange() -> Bool { hasChanged.exchange(false, ordering: .relaxed) }

  /// Stops the program until somebody wants it again.
  static func suspend() {
    let descriptor = output.load(ordering: .relaxed)
    leaveRaw()
    kill(0, SIGTSTP)
    _ = enterRaw(output: descriptor)
  }

  private static func setRaw() {
    guard isRaw.load(ordering: .relaxed) else { return }
    var raw = usual
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    raw.c_cflag |= tcflag_t(CS8)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    Self.write(pasteOn)
  }

  // Bracketed paste: https://invisible-island.net/xterm/xterm-paste64.html
  private static let pasteOn: StaticString = "\u{1B}[?2004h"
  private static let pasteOff: StaticString = "\u{1B}[?2004l"

  private static func write(_ text: StaticString) {
    _ = systemWrite(output.load(ordering: .relaxed), text.utf8Start, text.utf8CodeUnitCount)
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
