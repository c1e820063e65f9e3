import Foundation
import Testing

@Suite("The glossary")
struct GlossaryTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private static func page(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func codes(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// The cells of the rows of a table that follows a heading, without its header.
  private static func rows(in page: String, after heading: String) throws -> [[Substring]] {
    let start = try #require(page.range(of: heading)).upperBound
    let lines = page[start...].split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return lines.dropFirst(2).map { $0.split(separator: "|") }
  }

  /// The Swift files of the sources.
  private static func sources() -> [URL] {
    let paths = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    return (paths?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
  }

  /// The types that a source declares, and their members as `Type.member`. It relies on the layout of `swift format`: a member
  /// is indented by two more blanks than its type.
  private static func declarations(in source: String) -> Set<String> {
    let types: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias", "extension"]
    let members: Set<Substring> = ["func", "var", "let", "case"]
    var declared: Set<String> = []
    var enclosing: [(indent: Int, name: String)] = []
    for line in source.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let first = words.first, !first.hasPrefix("//"),
        let keyword = words.firstIndex(where: { types.contains($0) || members.contains($0) }), keyword + 1 < words.count
      else { continue }
      let path = words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      guard let name = path.split(separator: ".").last.map(String.init) else { continue }
      let indent = line.prefix { $0 == " " }.count
      enclosing.removeAll { $0.indent >= indent }
      if types.contains(words[keyword]) {
        if words[keyword] != "extension" { declared.insert(name) }
        enclosing.append((indent, name))
      } else if let type = enclosing.last, type.indent + 2 == indent {
        declared.insert("\(type.name).\(name)")
      }
    }
    return declared
  }

  @Test("names types, files, and members with their types, that exist")
  func names() throws {
    let lines = try Self.page("Sources/Query/Query.docc/Glossary.md").split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("|") }.flatMap { Self.codes(in: $0.split(separator: "|").last ?? "") }
    #expect(names.count > 60)
    var declared = Set(Self.sources().map(\.lastPathComponent))
    for file in Self.sources() {
      declared.formUnion(Self.declarations(in: try String(contentsOf: file, encoding: .utf8)))
    }
    let missing = names.filter { !declared.contains($0) }
    #expect(missing.isEmpty, "no such types, files or members: \(missing)")
  }

  @Test("takes no member without its type, and no local variable")
  func members() {
    let source = """
      /// A struct Reading of a class.
      public struct Reading: Sendable {
        public static let limit = 4
        enum Unit {
          case kelvin(Double)
        }
        mutating func convert() {
          let factor = 2
        }
      }
      func free() {
        let count = 1
      }
      extension Query.Parser {
        var isAtEnd: Bool { true }
      }
      """
    let expected: Set = [
      "Reading", "Reading.limit", "Unit", "Unit.kelvin", "Reading.convert", "Parser.isAtEnd",
    ]
    #expect(Self.declarations(in: source) == expected)
  }

  @Test("of places in CONTRIBUTING names files that exist")
  func places() throws {
    let rows = try Self.rows(in: Self.page("CONTRIBUTING.md"), after: "## Where a subject is")
    #expect(rows.count > 15)
    let files = Set(Self.sources().map { $0.deletingPathExtension().lastPathComponent })
    for row in rows {
      let names = Self.codes(in: row.last ?? "")
      #expect(!names.isEmpty, "\(row)")
      #expect(names.filter { !files.contains($0) } == [])
    }
  }
}
