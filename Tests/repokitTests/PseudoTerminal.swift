#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation
import Testing

/// A program that runs at a terminal of its own, which a test reads and types into.
///
/// Nothing here sleeps: a wait ends when the text appears, or fails after ``patience`` with all that was shown.
///
/// ```swift
/// let terminal = try workshop.terminal(["query", "p.sqlite", "pokemon"], width: 40, height: 10)
/// try await terminal.wait(for: "Bulbasaur")
/// try terminal.send("q")
/// #expect(try await terminal.finish() == 0)
/// ```
final class PseudoTerminal: @unchecked Sendable {
  /// Why a terminal can't go on, with what it has shown.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// How long a wait may take before the test fails. Far longer than any program needs, so that a slow machine is no
  /// failure.
  static let patience = 60.0

  /// The folder is there as long as the program may need it.
  private let workshop: Workshop
  private let master: Int32
  private let process: ChildProcess
  private let lock = NSLock()
  private var bytes: [UInt8] = []
  /// Where the next wait starts to look.
  private var seen = 0
  private var hasEnded = false
  private var status: Int32?

  /// Starts a program at a new terminal, which is all of its standard streams and sends it the signals of keys.
  ///
  /// - Parameter environment: all variables that the program sees.
  init(
    _ program: String, _ arguments: [String], in workshop: Workshop, width: Int, height: Int,
    environment: [String: String]
  ) throws {
    self.workshop = workshop
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw Problem(description: "no terminal: \(errno)") }
    guard let name = Self.unlock(master) else {
      close(master)
      throw Problem(description: "no terminal: \(errno)")
    }
    // Where nobody has the other end open, a read says that all is over.
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(slave) }
    var size = Self.size(width, height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    do {
      // The terminal that the leader of a new session opens first becomes the one that controls it.
      let streams = [ChildProcess.Stream](repeating: .init(name, O_RDWR), count: 3)
      process = try ChildProcess(
        program, arguments, in: workshop.path, environment: environment, streams: streams, hasOwnSession: true)
    } catch {
      close(master)
      throw error
    }
  }

  deinit {
    if status == nil { process.kill() }
    close(master)
  }

  /// Types a text. Control characters are keys: `"\r"` Enter, `"\u{3}"` Ctrl-C, `"\u{4}"` Ctrl-D, `"\u{1B}[A"` Up.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Problem(description: "can't type \(text.debugDescription): \(errno)\n\(shown)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends the program a signal.
  func send(signal: Int32) { process.send(signal) }

  /// Makes the terminal wider or narrower, and tells the program.
  func resize(width: Int, height: Int) {
    var size = Self.size(width, height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Waits for a text in what was shown since the last wait.
  ///
  /// - Returns: what was shown since then, up to and with the text.
  @discardableResult
  func wait(for text: String) async throws -> String {
    try await onThread { [self] in
      let wanted = Array(text.utf8)
      let deadline = Date(timeIntervalSinceNow: Self.patience)
      while true {
        if let end = end(of: wanted) {
          defer { seen = end }
          return String(decoding: bytes[seen..<end], as: UTF8.self)
        }
        guard try read(until: deadline) else {
          throw Problem(description: "\(text.debugDescription) did not appear before the end\n\(shown)")
        }
      }
    }
  }

  /// Reads until the program ends.
  ///
  /// - Returns: its exit status; for a program that a signal ended, 128 and the signal, as a shell has it.
  @discardableResult
  func finish() async throws -> Int32 {
    try await onThread { [self] in
      if let status { return status }
      let deadline = Date(timeIntervalSinceNow: Self.patience)
      while try read(until: deadline) {}
      let status = process.wait()
      self.status = status
      return status
    }
  }

  /// All that was shown so far, byte by byte: with escapes, and with a carriage return before each line feed.
  var transcript: String { String(decoding: bytes, as: UTF8.self) }

  /// What was shown so far as lines, without escapes that only change how text looks and without carriage returns.
  var text: String {
    transcript.replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
      .replacingOccurrences(of: "\r\n", with: "\n")
  }

  private var shown: String { "shown so far: \(transcript.debugDescription)" }

  /// Where a text that was not seen yet ends.
  private func end(of wanted: [UInt8]) -> Int? {
    var start = seen
    while start + wanted.count <= bytes.count {
      if bytes[start..<(start + wanted.count)].elementsEqual(wanted) { return start + wanted.count }
      start += 1
    }
    return nil
  }

  /// Reads what there is to read, once there is something.
  ///
  /// - Returns: whether there may be more.
  private func read(until deadline: Date) throws -> Bool {
    if hasEnded { return false }
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    let ready = poll(&request, 1, Int32(max(0, deadline.timeIntervalSinceNow) * 1_000))
    if ready < 0, errno == EINTR { return true }
    guard ready > 0 else { throw Problem(description: "nothing happened for too long\n\(shown)") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(master, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    // Linux fails with EIO when the last program has closed the terminal; Darwin reads nothing.
    hasEnded = count <= 0
    if count > 0 { bytes += buffer[..<count] }
    return !hasEnded
  }

  /// Runs what blocks on a thread that no other test needs.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [lock] in
        continuation.resume(with: Swift.Result { try lock.withLock(body) })
      }
    }
  }

  private static func size(_ width: Int, _ height: Int) -> winsize {
    winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
  }

  /// Lets the other end of a terminal be opened.
  ///
  /// - Returns: its path.
  private static func unlock(_ master: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
      return ptsname(master).map { String(cString: $0) }
    #else
      // What `unlockpt` and `ptsname` do, which the C library shows to Swift only as extensions: ioctl_tty(2).
      let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      var (lock, number) = (Int32(0), UInt32(0))
      guard ioctl(master, setLock, &lock) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #endif
  }
}

extension Workshop {
  /// Runs the tool in the folder, at a terminal.
  ///
  /// - Parameter environment: variables beside `TERM`, `PATH` and `repokit`, or in their place.
  func terminal(
    _ arguments: [String], width: Int = 80, height: Int = 24, environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try terminal(Self.tool, arguments, width, height, environment)
  }

  /// Runs a line of the shell in the folder, at a terminal, with the tool as `$repokit`.
  func terminal(
    shell line: String, width: Int = 80, height: Int = 24, environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try terminal("/bin/sh", ["-c", line], width, height, environment)
  }

  private func terminal(
    _ program: String, _ arguments: [String], _ width: Int, _ height: Int, _ environment: [String: String]
  ) throws -> PseudoTerminal {
    let standard = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "repokit": Self.tool]
    return try PseudoTerminal(
      program, arguments, in: self, width: width, height: height, environment: standard.merging(environment) { $1 })
  }
}

@Suite("Pseudo-terminals")
struct PseudoTerminalTests {
  @Test("have a size, are a terminal, and give the exit status")
  func size() async throws {
    let terminal = try Workshop().terminal(
      shell: "stty size; test -t 0 && test -t 1 && test -t 2 && echo terminal; exit 3", width: 33, height: 7)
    #expect(try await terminal.finish() == 3)
    #expect(terminal.text == "7 33\nterminal\n")
  }

  @Test("take keys, and answer in order")
  func keys() async throws {
    let terminal = try Workshop().terminal(shell: "printf 'name? '; read name; echo \"hello $name\"; read more")
    #expect(try await terminal.wait(for: "? ") == "name? ")
    try terminal.send("Ash\r")
    try await terminal.wait(for: "hello Ash")
    try terminal.send("\u{4}")
    #expect(try await terminal.finish() == 1)
  }

  @Test("send signals for keys")
  func interruption() async throws {
    let terminal = try Workshop().terminal(shell: "echo ready; exec cat")
    try await terminal.wait(for: "ready")
    try terminal.send("\u{3}")
    #expect(try await terminal.finish() == 130)
  }

  @Test("fail a test that waits for what never comes, and tell what came")
  func absence() async throws {
    let terminal = try Workshop().terminal(shell: "echo something else")
    let problem = await #expect(throws: PseudoTerminal.Problem.self) { try await terminal.wait(for: "wanted") }
    #expect(problem?.description.contains("something else") == true)
  }
}
