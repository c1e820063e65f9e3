import Foundation

/// An article of the documentation, or a source file with examples in its comments, whose snippets a test repeats and runs.
package struct Article {
  /// The blocks of code with their languages, in order.
  private let blocks: [(language: String, text: String)]
  /// How long it is.
  package let lineCount: Int

  /// Reads an article.
  ///
  /// - Parameter path: where it is, from the folder of the package.
  package init(_ path: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    var blocks: [(language: String, text: String)] = []
    var isOpen = false
    let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    for line in lines {
      let line = line.hasPrefix("/// ") ? String(line.dropFirst(4)) : line == "///" ? "" : line
      if line.hasPrefix("```") {
        if !isOpen { blocks.append((String(line.dropFirst(3)), "")) }
        isOpen.toggle()
      } else if isOpen {
        blocks[blocks.count - 1].text += line + "\n"
      }
    }
    self.blocks = blocks
    lineCount = lines.count
  }

  /// The blocks of a language.
  package func blocks(_ language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

  /// The number of lines of Swift, and those that a file of tests lacks: a snippet is what a test runs, line by line.
  package func snippets(in file: String = #filePath) throws -> (count: Int, missing: [String]) {
    let blanks = CharacterSet(charactersIn: " ,")
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: blanks) }.filter { !$0.isEmpty }
    }
    let known = Set(lines(try String(contentsOf: URL(filePath: file), encoding: .utf8)))
    let snippets = blocks("swift").flatMap(lines)
    return (snippets.count, snippets.filter { !known.contains($0) })
  }
}
