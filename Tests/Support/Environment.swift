import Foundation

/// What a run of the tests may be told from outside.
package enum Environment {
  package static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
