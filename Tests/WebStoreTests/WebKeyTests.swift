import Repository
import RepositoryService
import Testing
import WebStore

@Suite("A key in an address")
struct WebKeyTests {
  private struct Word: Entity, Equatable {
    let id: String
    static let schema = Schema("word", Word.init, Column("id", \.id))
  }

  @Test(
    "leads to its element, whatever letters it has",
    arguments: ["", ".", "..", "a", "a/b", "a+b", "a b", "%41", "a:find", "é", "?", "\0"])
  func find(key: String) async throws {
    let words = try MemoryStore().repository(of: Word.self)
    try await words.save(Word(id: key))
    let service = try RepositoryService { Route("word", words).readingAll().writingAll().allowing(.all) }
    let web = try WebStore(over: service).repository(of: Word.self)
    #expect(try await web.find(key) == Word(id: key))
    #expect(try await web.find("other") == nil)
    #expect(try await web.delete(key) == 1)
    #expect(try await web.find(key) == nil)
  }
}
