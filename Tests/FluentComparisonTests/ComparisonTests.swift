import Foundation
import Testing

@Suite("The page Coming from Fluent")
struct ComparisonTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The cells of the lines of its table.
  private static let lines: [[String]] = {
    let page = (try? String(contentsOf: root.appending(path: "docs/coming-from-fluent.md"), encoding: .utf8)) ?? ""
    return page.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      line.replacing(#"\|"#, with: "or").dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  @Test("names each suite of this target once, and none that does not exist")
  func suites() throws {
    var suites: [String] = []
    let paths = FileManager.default.enumerator(
      at: Self.root.appending(path: "Tests/FluentComparisonTests"), includingPropertiesForKeys: nil)
    while let file = paths?.nextObject() as? URL {
      guard file.pathExtension == "swift", file.path != #filePath else { continue }
      suites += try String(contentsOf: file, encoding: .utf8).matches(of: /@Suite\("([^"]+)"\)/).map { String($0.1) }
    }
    #expect(suites.count >= 40)
    #expect(Set(suites).count == suites.count)
    let named = Self.lines.map { $0[1] }
    #expect(Set(named).count == named.count)
    #expect(Set(suites).subtracting(named).isEmpty, "suites without a line")
    #expect(Set(named).subtracting(suites).isEmpty, "lines without a suite")
  }

  @Test("says of each group whether it is the same, takes more code, or is not there, and then what to write")
  func answers() {
    for line in Self.lines {
      #expect(line.count == 4, "\(line)")
      #expect(["same", "more code", "not there"].contains(line[2]), "\(line)")
      #expect(line[2] == "same" || !line[3].isEmpty, "\(line)")
    }
  }
}
