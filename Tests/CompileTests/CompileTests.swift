import Foundation
import Testing

@Suite("What compiles, what does not, and what it costs")
struct CompileTests {
  @Test("Plain Swift keeps its types beside the modules, and is no slower to compile")
  func plainSwift() throws {
    let typechecker = try Typechecker()
    let text = try Snippet.plainSwift.text
    let alone = try typechecker.check(text)
    let beside = try typechecker.check("import Query\nimport Repository\nimport SQLiteStore\n" + text)
    #expect(alone.diagnostics.isEmpty)
    #expect(beside.diagnostics.isEmpty)
    #expect(alone.scopes > 0)
    #expect(beside.scopes <= 2 * alone.scopes, "\(beside.scopes) scopes instead of \(alone.scopes)")
  }

  @Test("Long queries are compiled with ease")
  func longQueries() throws {
    // Some 300 each today; the compiler itself gives up at a million.
    let result = try Typechecker().check(try Snippet.model.text + Snippet.longQueries.text, scopeLimit: 3_000)
    #expect(result.diagnostics.isEmpty, "\(result.output)")
  }

  @Test(
    "The methods of a repository take what they are documented to take, from every actor", arguments: [false, true])
  func methods(isOnMainActor: Bool) throws {
    let result = try Typechecker().check(
      try Snippet.model.text + Snippet.methods.text, scopeLimit: 3_000, isOnMainActor: isOnMainActor)
    #expect(result.diagnostics.isEmpty, "\(result.output)")
  }

  @Test("A schema that lacks a column says so, however many columns there are", arguments: [8, 16, 17, 31])
  func missingColumn(count: Int) throws {
    let properties = (1...count).map { ("p\($0)", ["Int", "String", "Double?", "Bool", "Date"][$0 % 5]) }
    func model(without missing: String?) -> String {
      """
      import Foundation
      import Repository

      struct Wide: Entity {
        let id: Int
        \(properties.map { "var \($0): \($1)" }.joined(separator: "\n  "))
        static let schema = Schema("wide", Wide.init, Column("id", \\.id), \(
          properties.filter { $0.0 != missing }.map { "Column(\"\($0.0)\", \\.\($0.0))" }.joined(separator: ", ")))
      }
      """
    }
    #expect(try Typechecker().check(model(without: nil)).diagnostics.isEmpty)
    let result = try Typechecker().check(model(without: "p\(count / 2)"))
    #expect(result.diagnostics.contains { $0.message.contains("a column is missing") }, "\(result.output)")
    #expect(result.scopes < 12_000, "\(result.scopes) scopes")
  }

  @Test("Wrong uses don't compile, and say why", arguments: [Snippet.wrongUses, .wrongCalls])
  func wrongUses(_ snippet: Snippet) throws {
    let source = try Snippet.model.text + snippet.text
    let diagnostics = try Typechecker().check(source).diagnostics
    var refusedLines: Set<Int> = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let parts = line.split(separator: "  // ")
      guard parts.count == 2 else { continue }
      refusedLines.insert(index + 1)
      let (words, found) = (String(parts[1]), diagnostics.filter { $0.line == index + 1 })
      #expect(
        found.contains {
          $0.message.hasPrefix(words.hasPrefix("warning: ") ? words : "error: ") && $0.message.contains(words)
        },
        "\(parts[0].drop { $0 == " " }): \(found.isEmpty ? "compiles" : "\(found)")")
    }
    #expect(refusedLines.count >= 30)
    #expect(diagnostics.filter { !refusedLines.contains($0.line) }.isEmpty)
  }
}

/// The source texts of these tests.
enum Snippet: String {
  case plainSwift = "PlainSwift"
  case model = "Model"
  case longQueries = "LongQueries"
  case wrongUses = "WrongUses"
  case methods = "Methods"
  case wrongCalls = "WrongCalls"

  var text: String {
    get throws {
      try String(
        contentsOf: URL(filePath: #filePath).appending(path: "../Snippets/\(rawValue).swift.txt").standardized,
        encoding: .utf8)
    }
  }
}
