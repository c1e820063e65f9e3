import Foundation
import Testing

@Suite("The glossary")
struct GlossaryTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// The names in the last column of the page's tables.
  private static let names: [String] = {
    let page =
      (try? String(contentsOf: root.appending(path: "Sources/Query/Query.docc/Glossary.md"), encoding: .utf8)) ?? ""
    return page.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { line in
      let cells = line.split(separator: "|")
      return (cells.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
    }
  }()

  @Test("names types, members and files that exist")
  func names() throws {
    #expect(Self.names.count > 60)
    var files: Set<String> = []
    var declared: Set<String> = []
    let paths = FileManager.default.enumerator(
      at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    while let file = paths?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      files.insert(file.lastPathComponent)
      let source = try String(contentsOf: file, encoding: .utf8)
      for match in source.matches(of: /\b(?:struct|enum|class|protocol|actor|typealias|func|var|let) (\w+)/) {
        declared.insert(String(match.1))
      }
    }
    let missing = Self.names.filter { !($0.hasSuffix(".swift") ? files : declared).contains($0) }
    #expect(missing.isEmpty, "no such types or files: \(missing)")
  }
}
