import Foundation
import TestSupport
import Testing

@Suite("Code that compiles, code that does not compile, and compile times", .tags(.slow))
struct CompileTests {
  @Test("Plain Swift keeps its types beside the modules, and is no slower to compile")
  func plainSwift() async throws {
    let typechecker = try Typechecker()
    let text = try Snippet.plainSwift.text
    let alone = try await typechecker.check(text)
    let beside = try await typechecker.check("import Query\nimport Repository\nimport SQLiteStore\n" + text)
    #expect(alone.diagnostics.isEmpty)
    #expect(beside.diagnostics.isEmpty)
    #expect(alone.scopes > 0)
    #expect(beside.scopes <= 2 * alone.scopes, "\(beside.scopes) scopes instead of \(alone.scopes)")
  }

  @Test("Long queries are compiled with ease")
  func longQueries() async throws {
    // Some 300 each today; the compiler itself gives up at a million.
    let result = try await Typechecker().check(try Snippet.model.text + Snippet.longQueries.text, scopeLimit: 3_000)
    #expect(result.diagnostics.isEmpty, "\(result.output)")
  }

  @Test(
    "The methods of a repository take what they are documented to take, from every actor", arguments: [false, true])
  func methods(isOnMainActor: Bool) async throws {
    let result = try await Typechecker().check(
      try Snippet.model.text + Snippet.methods.text, scopeLimit: 3_000, isOnMainActor: isOnMainActor)
    #expect(result.diagnostics.isEmpty, "\(result.output)")
  }

  @Test(
    "The compiler finds a mistake in a schema of a few columns soon, and shows its place",
    arguments: [4, 8, 16], SchemaMistake.allCases)
  func schemaMistakes(count: Int, mistake: SchemaMistake) async throws {
    let (source, line) = mistake.model(columns: count)
    let result = try await Typechecker().check(source)
    if let expected = mistake.message(columns: count) {
      let words = result.diagnostics.filter { line == nil || $0.line == line }.map(\.message)
      #expect(words.contains { $0.contains(expected) }, "\(result.output)")
    } else {
      #expect(result.diagnostics.isEmpty, "\(result.output)")
    }
    #expect(result.scopes < 20_000, "\(result.scopes) scopes")
  }

  @Test(
    "In a block, the line of the first column that does not fit is told in linear time, whatever the columns' types",
    arguments: [8, 60], SchemaMistake.allCases)
  func mistakesInBlock(count: Int, mistake: SchemaMistake) async throws {
    for types in [["Int", "String", "Double?", "Bool", "Date"], ["Int?", "String?", "Bool?"]] {
      let (source, line) = mistake.model(columns: count, of: types, inBlock: true)
      let result = try await Typechecker().check(source, isOnMainActor: mistake == .none ? true : nil)
      if let expected = mistake.messageInBlock {
        let words = result.diagnostics.filter { line == nil || $0.line == line }.map(\.message)
        #expect(words.contains { $0.contains(expected) }, "\(result.output)")
      } else {
        #expect(result.diagnostics.isEmpty, "\(result.output)")
      }
      #expect(result.scopes < 300 + 40 * count, "\(result.scopes) scopes")
    }
  }

  @Test("Wrong uses don't compile, and say why", arguments: [Snippet.wrongUses, .wrongCalls])
  func wrongUses(_ snippet: Snippet) async throws {
    let source = try Snippet.model.text + snippet.text
    let diagnostics = try await Typechecker().check(source).diagnostics
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

  @Test("At the top level, every call of a store suspends, and none blocks")
  func topLevel() async throws {
    let source = """
      import SQLiteStore
      let store = try SQLiteStore.inMemory()
      let numbers = try store.repository(of: Owned.self)
      try await store.sql.execute("DELETE FROM owned")
      try await store.transaction { try await $0.sql.execute("DELETE FROM owned") }
      try await numbers.delete(1)
      try await store.transaction { _ in try await numbers.delete(1) }

      """
    let result = try await Typechecker().check(source + Snippet.model.text, isTopLevel: true)
    #expect(result.diagnostics.isEmpty, "\(result.output)")
  }

  @Test("The compiler shows how an array is kept that is no blob")
  func array() async throws {
    let output = try await Typechecker().check(try Snippet.model.text + Snippet.wrongCalls.text).output
    #expect(output.contains(#"json: \.tags"#), "\(output)")
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
