import Foundation

/// What a run may be told from outside.
enum Environment {
  static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
