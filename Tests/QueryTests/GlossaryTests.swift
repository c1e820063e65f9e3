import Foundation
import Testing

@Suite("The glossary")
struct GlossaryTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  private static func page(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func codes(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// The Swift files of the sources.
  private static func sources() -> [URL] {
    let paths = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    return (paths?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
  }

  @Test("names types, members and files that exist")
  func names() throws {
    let lines = try Self.page("Sources/Query/Query.docc/Glossary.md").split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("|") }.flatMap { Self.codes(in: $0.split(separator: "|").last ?? "") }
    #expect(names.count > 60)
    let files = Set(Self.sources().map(\.lastPathComponent))
    var declared: Set<String> = []
    for file in Self.sources() {
      let source = try String(contentsOf: file, encoding: .utf8)
      for match in source.matches(of: /\b(?:struct|enum|class|protocol|actor|typealias|func|var|let) (\w+)/) {
        declared.insert(String(match.1))
      }
    }
    let missing = names.filter { !($0.hasSuffix(".swift") ? files : declared).contains($0) }
    #expect(missing.isEmpty, "no such types or files: \(missing)")
  }

  @Test("of places in CONTRIBUTING names files that exist")
  func places() throws {
    let paragraphs = try Self.page("CONTRIBUTING.md").split(separator: "\n\n")
    let places = try #require(paragraphs.first { $0.hasPrefix("For instance") })
    // The first is an operator.
    let names = Self.codes(in: places).filter { $0 != "between" }
    #expect(names.count > 15)
    let files = Set(Self.sources().map { $0.deletingPathExtension().lastPathComponent })
    #expect(names.filter { !files.contains($0) } == [])
  }
}
