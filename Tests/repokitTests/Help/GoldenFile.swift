import Foundation
import Testing

/// A text that stands in a file beside the tests, as somebody has read it and found it good.
enum GoldenFile {
  /// Compares a text with its file.
  ///
  /// Where REPOKIT_RECORD is set, the file is written instead, and the test fails: nothing has been checked then.
  ///
  /// - Parameter name: the file's name in the folder `Golden` of the folder of the test.
  static func check(
    _ text: String, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden")
    let golden = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["REPOKIT_RECORD"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
      Issue.record("recorded \(name): read it, and run again without REPOKIT_RECORD", sourceLocation: location)
      return
    }
    let expected = try? String(contentsOf: golden, encoding: .utf8)
    #expect(
      text == expected, "\(name) differs; with REPOKIT_RECORD=1, this test writes it anew", sourceLocation: location)
  }
}
