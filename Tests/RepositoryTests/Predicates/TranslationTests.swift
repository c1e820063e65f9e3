import Foundation
import Repository
import Testing

@Suite("A predicate becomes the query that says the same")
struct TranslationTests {
  @Test("Comparisons", arguments: TranslationCase.comparisons)
  func comparisons(_ example: TranslationCase) throws { try example.check() }

  @Test("nil", arguments: TranslationCase.nilTests)
  func nilTests(_ example: TranslationCase) throws { try example.check() }

  @Test("What stands in for nil", arguments: TranslationCase.coalescing)
  func coalescing(_ example: TranslationCase) throws { try example.check() }

  @Test("Optional chains and bindings", arguments: TranslationCase.chains + TranslationCase.chainsOfConditions)
  func chains(_ example: TranslationCase) throws { try example.check() }

  @Test("Lists", arguments: TranslationCase.lists)
  func lists(_ example: TranslationCase) throws { try example.check() }

  @Test("Ranges", arguments: TranslationCase.ranges + TranslationCase.rangesOfProperties)
  func ranges(_ example: TranslationCase) throws { try example.check() }

  @Test("Texts", arguments: TranslationCase.texts)
  func texts(_ example: TranslationCase) throws { try example.check() }

  @Test("Logic", arguments: TranslationCase.logic)
  func logic(_ example: TranslationCase) throws { try example.check() }

  @Test("A computed property that has a column of its own")
  func computedColumn() throws {
    #expect(try AnyQuery(#Predicate<Note> { $0.text.isEmpty }).description == "blank = 1")
    #expect(try AnyQuery(#Predicate<Note> { $0.title.isEmpty }).description == "title = ''")
    #expect(try AnyQuery(#Predicate<Note> { $0.length > 3 }).description == "length > 3")
  }

  private struct Note: Entity {
    let id: Int
    var title: String
    var text: String
    var length: Int { text.count }

    static let schema = Schema(
      "note", columns: Column("id", \.id), Column("title", \.title), Column("text", \.text),
      Column("blank", \.text.isEmpty), Column("length", \.length)
    ) { row in
      Note(id: try row.read("id"), title: try row.read("title"), text: try row.read("text"))
    }
  }

  @Test("Captured values", arguments: TranslationCase.capturedValues)
  func capturedValues(_ example: TranslationCase) throws { try example.check() }
}

extension TranslationCase {
  /// Translates the predicate and compares what comes out.
  fileprivate func check() throws {
    let translated = try AnyQuery(predicate)
    #expect(translated == query)
    #expect(translated.description == text)
  }
}
