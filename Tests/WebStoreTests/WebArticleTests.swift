import Foundation
import Repository
import RepositoryService
import Synchronization
import TestSupport
import Testing
import WebStore

/// Runs what the article *A repository over a web API* says.
@Suite("The article A repository over a web API tells the truth")
struct WebArticleTests {
  struct Pokemon: Entity, Hashable {
    let id: Int
    var name: String
    var weight: Double

    static let schema = Schema<Pokemon>(table: "pokemon") {
      Parameters(of: Pokemon.init)
      Column("id", \.id)
      Column("name", \.name, .unique)
      Column("weight", \.weight)
    }
  }

  struct Session: Sendable {
    func token() async -> String { "x" }
  }

  /// A transport that notes the statuses that come by.
  final class Log: WebTransport {
    private let service: RepositoryService
    private let noted = Mutex<[Int]>([])

    init(_ service: RepositoryService) { self.service = service }

    var statuses: [Int] { noted.withLock(\.self) }

    func send(_ request: WebRequest) async -> WebResponse {
      let response = await service.respond(to: request)
      noted.withLock { $0.append(response.status) }
      return response
    }
  }

  private static let samples = [
    Pokemon(id: 25, name: "Pikachu", weight: 6), Pokemon(id: 143, name: "Snorlax", weight: 460),
  ]

  @Test("in its snippets")
  func snippets() throws {
    let article = try Article("Sources/WebStore/WebStore.docc/ARepositoryOverAWebAPI.md")
    let (count, missing) = try article.snippets()
    #expect(missing == [] && count > 10)
  }

  @Test("in what it says of finding")
  func finding() async throws {
    let kept = try MemoryRepository(Self.samples)
    let served = try RepositoryService { Route("pokemon", kept).readingAll().writingAll().allowing(.all) }
    let server = try LoopbackServer(served)
    defer { server.stop() }
    let (url, session) = (server.url, Session())
    do {
      let store = try WebStore(url) { ["Authorization": "Bearer \(await session.token())"] }
      let pokedex = try store.repository(of: Pokemon.self)
      let heavy = try await pokedex.findAll(where: { $0.weight > 90 }, sortedBy: { $0.weight.descending })
      #expect(heavy.map(\.name) == ["Snorlax"])
    }
    let log = Log(served)
    let store = WebStore(over: log)
    let pokedex = try store.repository(of: Pokemon.self)
    let error = await #expect(throws: RepositoryError.self) {
      try await pokedex.insert(Pokemon(id: 7, name: "Snorlax", weight: 1))
    }
    #expect(error?.code == .conflict && error?.summary == "another row of pokemon has the same name (text)")
    let before = try await pokedex.find(143)
    let after = try await pokedex.find(143)  // 304, without a body
    #expect(before == after && log.statuses.suffix(2) == [200, 304])
    let versioned = try store.webRepository(of: Pokemon.self, at: "pokemon")
    let (seen, version) = try #require(try await versioned.findVersioned(143))
    var heavier = seen
    heavier.weight += 1
    try await versioned.save(heavier, ifVersion: version)
    let late = await #expect(throws: RepositoryError.self) { try await versioned.save(seen, ifVersion: version) }
    #expect(late?.code == .changedMeanwhile)
    #expect(try await pokedex.find(143) == heavier)
    #expect(try await versioned.findVersioned(9) == nil)
    var names: [String] = []
    for try await light in pokedex.filter({ $0.weight < 10 }).changes() { names = light.map(\.name); break }
    #expect(names == ["Pikachu"])
  }

  @Test("in what it says of tests")
  func tests() async throws {
    let kept = try MemoryRepository(Self.samples)
    let service = try RepositoryService { Route("pokemon", kept).readingAll().writingAll().allowing(.all) }
    let tested = try WebStore(over: service).repository(of: Pokemon.self)
    #expect(try await tested.count() == 2)
    let other = try WebStore(over: service).webRepository(of: Pokemon.self, at: "pokedex")
    let error = await #expect(throws: RepositoryError.self) { try await other.count(.true) }
    #expect(error?.code == .missingTable)
  }
}
