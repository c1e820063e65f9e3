import Foundation
import Testing

@Suite("The page on security")
struct SecurityPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
    .standardized

  @Test("names tests that there are, one at least for each promise")
  func tests() throws {
    var functions: [String: Set<String>] = [:]
    for folder in ["Tests", "Faults/Tests"] {
      let files = FileManager.default.enumerator(at: Self.root.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        var suite = ""
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          if let match = line.firstMatch(of: #/^(?:\S.* )?struct (\w+)/#) { suite = String(match.1) }
          if let match = line.firstMatch(of: #/^  func (\w+)\(/#) {
            functions[suite, default: []].insert(String(match.1))
          }
        }
      }
    }
    let page = try String(contentsOf: Self.root.appending(path: "docs/security.md"), encoding: .utf8)
    var count = 0
    for line in page.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| Promise") {
      let names = line.matches(of: #/`([A-Z]\w+)\.(\w+)`/#)
      #expect(line.contains("| `"), "\(line)")
      for name in names {
        #expect(functions[String(name.1)]?.contains(String(name.2)) == true, "there is no \(name.0)")
        count += 1
      }
    }
    #expect(count > 50)
  }
}
