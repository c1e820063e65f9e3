import Foundation

/// The lines of Swift that documentation shows, and those of a test that runs them.
enum Documents {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The lines of Swift in an article that stand in no line of a test's file.
  static func unknownLines(ofArticle article: String, in test: StaticString) throws -> (unknown: [String], count: Int) {
    try unknown(lines(of: article), in: test)
  }

  /// The lines of Swift in the comments of all files of a folder that stand in no line of a test's file.
  static func unknownLines(ofComments folder: String, in test: StaticString) throws -> (unknown: [String], count: Int) {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
    let comments = try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
      try lines(of: "\(folder)/\(name)").compactMap { line -> Substring? in
        let line = line.drop { $0 == " " }
        return line.hasPrefix("///") ? line.dropFirst(3).drop { $0 == " " } : nil
      }
    }
    return try unknown(comments, in: test)
  }

  private static func lines(of file: String) throws -> [Substring] {
    try String(contentsOf: root.appending(path: file), encoding: .utf8).split(separator: "\n")
  }

  private static func unknown(_ lines: [Substring], in test: StaticString) throws -> (unknown: [String], count: Int) {
    let source = try String(contentsOfFile: "\(test)", encoding: .utf8)
    // A type of a test is private, so that others may have the same name.
    let known = Set(
      source.split(separator: "\n").map { line in
        let line = line.trimmingCharacters(in: .whitespaces)
        return line.hasPrefix("private struct ") ? String(line.dropFirst("private ".count)) : line
      })
    var isSwift = false
    var shown: [String] = []
    for line in lines {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("```") {
        isSwift = line == "```swift"
      } else if isSwift, !line.isEmpty {
        shown.append(line)
      }
    }
    return (shown.filter { !known.contains($0) }, shown.count)
  }
}
