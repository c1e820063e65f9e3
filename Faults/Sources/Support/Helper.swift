import Foundation

/// This program, started once more to play a role.
final class Helper: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer: [UInt8] = []

  /// Starts a role.
  init(_ role: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["role", role] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Whoever writes to a helper that has gone gets an error, no signal.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// The next line that the role prints; `nil` at its end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      buffer += more
    }
  }

  /// All further lines.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Closes the role's input, which it may take for a sign.
  func release() { try? input.fileHandleForWriting.close() }

  /// Kills the role on the spot.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end.
  ///
  /// - Returns: how it ended, `nil` if well.
  @discardableResult
  func wait() -> String? {
    process.waitUntilExit()
    let status = process.terminationStatus
    if process.terminationReason == .uncaughtSignal { return "ended by signal \(status)" }
    return status == 0 ? nil : "ended with \(status)"
  }

  /// Waits for its end, for so long at most.
  ///
  /// - Returns: whether it came by itself; the role is killed otherwise.
  func hasEnded(within seconds: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
    if !process.isRunning { return true }
    kill()
    return false
  }

  /// Where this program is: beside the tests, where those run it.
  static let program: String = {
    let bundles = CommandLine.arguments.compactMap { argument -> String? in
      argument.range(of: ".xctest").map { String(argument[..<$0.lowerBound]) }
    }
    let folders = (bundles + [Bundle.main.executablePath ?? "", CommandLine.arguments[0]])
      .map { ($0 as NSString).deletingLastPathComponent }
    return folders.map { $0 + "/faults" }.first { FileManager.default.isExecutableFile(atPath: $0) }
      ?? "faults, which was not built"
  }()
}
