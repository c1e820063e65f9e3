import Foundation

/// One error or warning of the compiler.
struct Diagnostic: Hashable, CustomStringConvertible {
  /// The line, from 1.
  let line: Int
  /// What is wrong, such as "error: cannot find 'x' in scope".
  let message: String

  var description: String { "\(line): \(message)" }

  /// Reads a line such as `/tmp/Snippet.swift:12:5: error: cannot find 'x' in scope`; `nil` for every other, notes too.
  ///
  /// What the compiler says of other files, such as the source of a module, is a note.
  init?(_ output: Substring) {
    guard let severity = output.range(of: ": error: ") ?? output.range(of: ": warning: ") else { return nil }
    let place = output[..<severity.lowerBound].split(separator: ":").suffix(2)
    guard place.count == 2, let line = place.first.flatMap({ Int($0) }) else { return nil }
    self.line = line
    message = String(output[severity.lowerBound...].dropFirst(2))
  }
}
