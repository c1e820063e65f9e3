#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Foundation
import TestSupport
import Testing

/// A program that runs at a terminal of its own, which a test reads and types into.
///
/// ```swift
/// let terminal = try workshop.terminal(["query", "p.sqlite", "pokemon"], width: 40, height: 10)
/// try await terminal.wait(for: "Bulbasaur")
/// try terminal.send("q")
/// #expect(try await terminal.finish() == 0)
/// ```
final class PseudoTerminal: @unchecked Sendable {
  typealias Problem = TerminalPair.Problem

  /// The folder is there as long as the program may need it.
  private let workshop: Workshop
  private let pair: TerminalPair
  private let process: TestProcess
  private let lock = NSLock()
  private var status: Int32?

  /// Starts a program at a new terminal, which is all of its standard streams and sends it the signals of keys.
  ///
  /// - Parameter environment: all variables that the program sees.
  init(
    _ program: String, _ arguments: [String], in workshop: Workshop, width: Int, height: Int,
    environment: [String: String]
  ) throws {
    self.workshop = workshop
    pair = try TerminalPair(width: width, height: height)
    let other = try pair.openOtherEnd()
    defer { close(other) }
    // The terminal that the leader of a new session opens first becomes the one that controls it.
    let streams = [TestProcess.Stream](repeating: .init(pair.path, O_RDWR), count: 3)
    process = try TestProcess(
      program, arguments, in: workshop.path, environment: environment, streams: streams, hasOwnSession: true)
  }

  deinit {
    if status == nil { process.kill() }
  }

  /// Types a text, see ``TerminalPair/send(_:)``.
  func send(_ text: String) throws { try pair.send(text) }

  /// Sends the program a signal.
  func send(signal: Int32) { process.send(signal) }

  /// Waits until no signal is pending for the program and its main thread sleeps; does nothing on systems without `/proc`.
  ///
  /// On a busy machine, a program may handle a signal long after those that it has started have handled the same.
  func waitForSignals() async throws {
    #if os(Linux)
      while true {
        // https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
        let status = try String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)
        let fields = Dictionary(
          status.split(separator: "\n").map { line in
            let name = line.prefix { $0 != ":" }
            return (String(name), line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces))
          }, uniquingKeysWith: { first, _ in first })
        let pending = ["SigPnd", "ShdPnd"].compactMap { fields[$0] }.joined()
        if fields["State"]?.hasPrefix("S") == true, pending.allSatisfy({ $0 == "0" }) { return }
        try await Task.sleep(for: .milliseconds(5))
      }
    #endif
  }

  /// Makes the terminal wider or narrower, and tells the program.
  func resize(width: Int, height: Int) { pair.resize(width: width, height: height) }

  /// Waits for a text in what was shown since the last wait.
  ///
  /// - Returns: what was shown since then, up to and with the text.
  @discardableResult
  func wait(for text: String) async throws -> String {
    try await onThread { [self] in try pair.wait(for: text) }
  }

  /// Reads until the program ends.
  ///
  /// - Returns: its exit status; for a program that a signal ended, 128 and the signal, as a shell has it.
  @discardableResult
  func finish() async throws -> Int32 {
    try await onThread { [self] in
      if let status { return status }
      let deadline = Date(timeIntervalSinceNow: TerminalPair.timeout)
      while try pair.read(until: deadline) {}
      let status = process.wait()
      self.status = status
      return status
    }
  }

  /// All that was shown so far, byte by byte: with escapes, and with a carriage return before each line feed.
  var transcript: String { pair.transcript }

  /// What was shown so far as lines, without escapes that only change how text looks and without carriage returns.
  var text: String {
    transcript.replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
      .replacingOccurrences(of: "\r\n", with: "\n")
  }

  /// Runs what blocks on a thread that no other test needs.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [lock] in
        continuation.resume(with: Swift.Result { try lock.withLock(body) })
      }
    }
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
