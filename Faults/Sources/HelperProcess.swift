import CSQLite
import Foundation

/// What this program does when it is started as a helper of an experiment.
struct Role: Sendable {
  let name: String
  let body: @Sendable ([String]) async throws -> Void

  init(_ name: String, body: @escaping @Sendable ([String]) async throws -> Void) {
    self.name = name
    self.body = body
  }

  static let all: [Role] = [
    .holdLock, .writeExclusively, .takeTurns, .writeOnMainActor, .countUp, .writeUntilKilled, .fillDisk, .goWrong,
    .losePower,
    .damagedFiles,
    .lackRights, .waitInPostgres, .workInSteps, .longRun, .appendToLists, .readBeside, .writeOnDemand, .experiment,
    .waitForEver,
  ]

  /// Tells the experiment something, at once.
  static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  /// The next line that the experiment says; `nil` at its end. It reads no further, so that ``isTold()`` knows of the next one.
  static func nextInput() -> String? {
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while read(0, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Whether the experiment has said more.
  static func isTold() -> Bool {
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  /// Waits for the experiment to close the input.
  static func waitForRelease() { _ = FileHandle.standardInput.readDataToEndOfFile() }
}

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
    // A write to a helper that has gone is an error, and no signal.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    if process.isRunning { kill() }
  }

  /// Starts processes of one role, which begin together when all of them are ready.
  ///
  /// - Parameter arguments: makes the arguments of a process of its number.
  static func atOnce(_ count: Int, _ role: String, _ arguments: (Int) -> [String]) async throws -> [Helper] {
    let helpers = try (0..<count).map { try Helper(role, arguments($0)) }
    for helper in helpers { _ = await helper.line() }
    for helper in helpers { helper.release() }
    return helpers
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

  /// Says something to the role.
  func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// Closes the role's input, which it may take for a sign.
  func release() { try? input.fileHandleForWriting.close() }

  /// The number of its process.
  var identifier: Int32 { process.processIdentifier }

  /// Kills the role on the spot.
  func kill() { send(SIGKILL) }

  /// Sends the role a signal.
  func send(_ signal: Int32) { Foundation.kill(identifier, signal) }

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

/// Another program that uses a database by SQLite alone, and knows nothing of this package.
final class OtherProgram {
  private var handle: OpaquePointer?

  init(_ path: String) throws(OtherProgramError) {
    let result = sqlite3_open(path, &handle)
    if result != SQLITE_OK { throw error(result) }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements.
  func run(_ sql: String) throws(OtherProgramError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw error(result) }
  }

  /// The first column of what a statement results in, as texts.
  func texts(_ sql: String) throws(OtherProgramError) -> [String] {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    if result != SQLITE_OK { throw error(result) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
      case SQLITE_DONE: return texts
      case let result: throw error(result)
      }
    }
  }

  /// The number that a statement results in.
  func number(_ sql: String) throws(OtherProgramError) -> Int { Int(try texts(sql).first ?? "") ?? 0 }

  /// Whether SQLite finds the database whole.
  func isWhole() throws(OtherProgramError) -> Bool { try texts("PRAGMA integrity_check") == ["ok"] }

  private func error(_ result: Int32) -> OtherProgramError {
    OtherProgramError(code: result, message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// What SQLite told the other program.
struct OtherProgramError: Error, CustomStringConvertible {
  let code: Int32
  let message: String

  var description: String { "SQLite \(code): \(message)" }
}

/// A folder of its own for an experiment, gone with it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "repository-kit-faults-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The size of a file in bytes, 0 where there is none.
  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
