#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import LineEditor
import RowImport
import Synchronization

/// The standard output, through a pager where the output is longer than the screen.
///
/// Output is held back until it is clear that it fills the screen, or that no more follows.
final class PagedOutput {
  private enum State {
    case holding([UInt8])
    /// Output that was sent is kept for a while: it is shown directly if the pager can't be run.
    case paging(Pager, sent: [UInt8]?)
    case direct
  }

  /// More than the capacity of a pipe: once more is sent, the pager has read some of it.
  private static let mostKept = 1 << 20

  /// The command of the pager; `nil` for none.
  private let command: String?
  private let meter: ScreenHeight
  private var state: State

  /// - Parameter command: the command of the pager; `nil` to write everything at once.
  init(command: String?, size: TerminalSize) {
    self.command = command
    meter = ScreenHeight(size)
    state = command == nil ? .direct : .holding([])
  }

  /// Whether a pager has the terminal.
  var isPaging: Bool { if case .paging = state { true } else { false } }

  /// Adds output.
  func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    switch state {
    case .direct:
      try Self.writeDirectly(bytes)
    case .holding(var held):
      state = .holding([])
      held += bytes
      state = .holding(held)
      if meter.isExceeded(by: held) { try startPager(held) }
    case .paging(let pager, let sent):
      try send(bytes, to: pager, after: sent)
    }
  }

  /// Writes what is held back, whatever comes later.
  func release() throws(OutputError) {
    guard case .holding(let held) = state, !held.isEmpty else { return }
    state = .direct
    try Self.writeDirectly(held[...])
  }

  /// Writes everything, and waits until the pager is closed. Later output starts on a new screen.
  func finish() throws(OutputError) {
    let ended = state
    state = command == nil ? .direct : .holding([])
    switch ended {
    case .direct: return
    case .holding(let held): try Self.writeDirectly(held[...])
    case .paging(let pager, let sent):
      if !pager.finish(), let sent { try Self.writeDirectly(sent[...]) }
    }
  }

  private func startPager(_ held: [UInt8]) throws(OutputError) {
    guard let command, let pager = Pager(command) else {
      state = .direct
      return try Self.writeDirectly(held[...])
    }
    try send(held[...], to: pager, after: [])
  }

  private func send(_ bytes: ArraySlice<UInt8>, to pager: Pager, after sent: [UInt8]?) throws(OutputError) {
    var kept = sent
    state = .direct
    kept?.append(contentsOf: bytes)
    do throws(OutputError) {
      try pager.write(bytes)
      state = .paging(pager, sent: kept.flatMap { $0.count > Self.mostKept ? nil : $0 })
    } catch {
      guard error == .readerClosed, !pager.finish(), let kept else {
        state = .paging(pager, sent: nil)
        throw error
      }
      // There is no such program, and its shell has reported that.
      try Self.writeDirectly(kept[...])
    }
  }

  private static func writeDirectly(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    if !bytes.isEmpty { try StandardStreams.write(bytes, to: STDOUT_FILENO) }
  }
}

/// A program that shows output screen by screen, as `less` does.
final class Pager {
  /// The pager that runs, or 0. Nothing but an atomic may be touched when a signal comes.
  private static let running = Atomic<Int32>(0)
  /// The previous action of Control-C. Written while no signal handler is set that reads it. In memory of its own, as the mode
  /// of a terminal is.
  nonisolated(unsafe) private static let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)

  private let process: ChildProcess
  private var input: Int32?

  /// Starts a pager; `nil` where the system can't start one.
  ///
  /// - Parameter command: a line of the shell.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // It would wait for the end of its input as long as it holds the other end itself.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    // Colours as they are, and no screen of its own, so that what was read stays in sight afterwards. As Git has it.
    let options = getenv("LESS") == nil ? "LESS=FRX; export LESS; " : ""
    guard let process = try? ChildProcess(["/bin/sh", "-c", options + command], input: ends[0]) else {
      close(ends[1])
      return nil
    }
    self.process = process
    input = ends[1]
    Self.running.store(process.number, ordering: .relaxed)
    // Control-C is for the pager while it has the terminal: this program would leave the two of them, pager and shell,
    // to read from one keyboard. Once the pager has ended, the former handler is called: in the shell, that
    // ends the command and not the program.
    sigaction(SIGINT, nil, Self.former)
    signal(SIGINT) { number in
      let code = errno
      let process = Pager.running.load(ordering: .relaxed)
      var status: Int32 = 0
      if process == 0 || waitpid(process, &status, WNOHANG) != 0 {
        // Its number may belong to another program from now on.
        Pager.running.store(0, ordering: .relaxed)
        sigaction(number, Pager.former, nil)
        raise(number)
      }
      errno = code
    }
  }

  /// Writes to the pager.
  ///
  /// - Throws: ``OutputError/readerClosed`` where it was closed.
  func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    guard let input else { throw .readerClosed }
    try StandardStreams.write(bytes, to: input)
  }

  /// Ends the pager's input, and waits until the pager is closed.
  ///
  /// - Returns: whether there was a pager at all: a shell that finds no such program says so by its exit status.
  func finish() -> Bool {
    guard let input else { return true }
    close(input)
    self.input = nil
    let ending = process.wait()
    Self.running.store(0, ordering: .relaxed)
    sigaction(SIGINT, Self.former, nil)
    // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html, section 2.8.2
    return ![.exited(status: 126), .exited(status: 127)].contains(ending)
  }
}

/// Counts the lines of a terminal that output takes, those included onto which long ones are broken.
struct ScreenHeight {
  private let size: TerminalSize

  init(_ size: TerminalSize) {
    self.size = size
  }

  /// Whether output leaves no line for the shell's next prompt.
  func isExceeded(by bytes: [UInt8]) -> Bool {
    var rows = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      rows += max(1, (columns(of: line) + size.columns - 1) / size.columns)
      if rows >= size.lines { return true }
    }
    return false
  }

  /// The columns of a line, or at least as many as a whole screen has.
  private func columns(of line: ArraySlice<UInt8>) -> Int {
    var columns = 0
    // No character that takes columns is shorter than one byte, nor longer than 32 where people write.
    let text = String(decoding: line.prefix(size.columns * size.lines * 32), as: UTF8.self)
    var isEscape = false
    for character in text {
      switch character {
      case "\u{1B}": isEscape = true
      case "\t" where !isEscape: columns += 8 - columns % 8
      case _ where isEscape: isEscape = !character.isLetter
      default: columns += TerminalText.columns(of: String(character))
      }
    }
    return columns
  }
}
