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
  func line() async -> String? {
    await Self.awayFromTasks { self.nextLine() }
  }

  /// All further lines.
  func lines() async -> [String] {
    await Self.awayFromTasks {
      var lines: [String] = []
      while let line = self.nextLine() { lines.append(line) }
      return lines
    }
  }

  private func nextLine() -> String? {
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

  /// Does what blocks on a thread that no task needs.
  private static func awayFromTasks<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }

  /// Closes the role's input, which it may take for a sign.
  func release() { try? input.fileHandleForWriting.close() }

  /// Kills the role on the spot.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end.
  ///
  /// - Returns: how it ended, `nil` if well.
  @discardableResult
  func wait() async -> String? {
    await Self.awayFromTasks { self.process.waitUntilExit() }
    let status = process.terminationStatus
    if process.terminationReason == .uncaughtSignal { return "ended by signal \(status)" }
    return status == 0 ? nil : "ended with \(status)"
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
