import Foundation

/// What a run of the tests may be told from outside.
package enum Environment {
  /// A number that a variable holds; `nil` where it is not set. What is no number ends the process: a run by another seed than the
  /// one that was asked for would repeat nothing.
  package static func number(_ name: String) -> UInt64? {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
    if let number = UInt64(text) { return number }
    FileHandle.standardError.write(Data("\(name)=\(text) is no whole number below 2^64\n".utf8))
    exit(2)
  }
}
