import Repository
import TestSupport
import Testing

/// Runs the example of `RepositoryDecorator`.
@Suite("A decorator forwards the methods that it does not implement")
struct DecoratorExampleTests {
  struct Note: Entity, Equatable {
    let id: Int
    var text: String

    static let schema = Schema("note", Note.init, Column("id", \.id), Column("text", \.text))
  }

  struct Trimmed<Base: Repository<Note>>: RepositoryDecorator {
    let base: Base

    func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Note] {
      var found = try await base.findAll(request)
      for index in found.indices { found[index].text = String(found[index].text.prefix(80)) }
      return found
    }
  }

  @Test("each method that finds elements shortens their text; other methods are those of the base")
  func example() async throws {
    let long = Note(id: 1, text: String(repeating: "x", count: 100))
    let base = try MemoryRepository([long, Note(id: 2, text: "short")])
    let notes = Trimmed(base: base)
    #expect(try await notes.findAll(where: { $0.id == 1 }).map(\.text.count) == [80])
    #expect(try await notes.sorted { $0.id.ascending }.first()?.text.count == 80)
    #expect(try await notes.selection().page(size: 1).elements.map(\.text.count) == [80])
    #expect(try await notes.find(1) == long)
    #expect(try await notes.filter { $0.id == 2 }.update { $0.text = "other" } == 1)
    for try await result in notes.selection().changes() {
      #expect(result.map(\.id) == [1, 2])
      break
    }
    #expect(try await base.get(2).text == "other")
  }

  @Test("the example is the one that is run here")
  func text() throws {
    let snippets = try Article("Sources/Repository/Contract/RepositoryDecorator.swift").snippets(in: #filePath)
    #expect(snippets.count > 5 && snippets.missing == [])
  }
}
