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
    .holdLock, .writeExclusively, .countUp, .writeUntilKilled, .fillDisk, .faultyCalls, .damagedFiles, .lackRights,
  ]

  /// Tells the experiment something, at once.
  static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  /// Waits for the experiment to close the input.
  static func waitForRelease() { _ = FileHandle.standardInput.readDataToEndOfFile() }
}
