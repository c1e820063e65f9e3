import Foundation
import Hummingbird
import NIOCore
import PokedexService
import Testing
import WebStore

@Suite("The server", .serialized, .timeLimit(.minutes(2)))
struct PokedexServerTests {
  private static let samples = [
    Pokemon(id: 6, name: "Charizard", type: "fire", secondType: "flying", weight: 90.5, attack: 84),
    Pokemon(id: 143, name: "Snorlax", type: "normal", secondType: nil, weight: 460, attack: 110),
  ]

  /// Runs a server over memory for as long as a closure asks it.
  private func serving(_ ask: @Sendable (URL, any Store) async throws -> Void) async throws {
    let store = MemoryStore()
    try await store.repository(of: Pokemon.self).save(Self.samples)
    let service = try await Pokedex.service(over: store, owners: ["a": "ann", "b": "ben"])
    let (ports, running) = AsyncStream<Int>.makeStream()
    let application = Application(
      responder: ServiceResponder(service), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      let port = await ports.first { _ in true } ?? 0
      try await ask(try #require(URL(string: "http://127.0.0.1:\(port)")), store)
      group.cancelAll()
    }
  }

  @Test("answers a web store as the store itself does")
  func asks() async throws {
    try await serving { url, _ in
      let pokedex: AnyRepository<Pokemon> = try WebStore(url).repository()
      #expect(try await pokedex.find(6) == Self.samples[0])
      #expect(
        try await pokedex.findAll(where: { $0.weight > 90 }, sortedBy: .descending(\.weight)) == Self.samples.reversed()
      )
      #expect(try await pokedex.update(where: { $0.id == 6 }, set: { $0.attack += 1 }) == 1)
      #expect(try await pokedex.find(6)?.attack == 85)
      let error = await #expect(throws: RepositoryError.self) { try await pokedex.save(Self.samples) }
      #expect(error?.code == .unsupported)
    }
  }

  @Test("keeps the notes of each owner apart")
  func notes() async throws {
    try await serving { url, _ in
      func notes(_ token: String) throws -> AnyRepository<Note> {
        try WebStore(url, headers: { ["Authorization": "Bearer \(token)"] }).repository()
      }
      let note = try await notes("a").insert(Note(pokemon: 6, owner: "ann", text: "hot"))
      #expect(note.id == 1)
      #expect(try await notes("a").count() == 1)
      #expect(try await notes("b").count() == 0)
      let error = await #expect(throws: RepositoryError.self) { try await notes("c").count() }
      #expect(error?.code == .unauthenticated)
    }
  }

  @Test("tells live results")
  func live() async throws {
    try await serving { url, store in
      let pokedex: AnyRepository<Pokemon> = try WebStore(url).repository()
      var results = pokedex.changes(where: { $0.weight > 100 }).makeAsyncIterator()
      #expect(try await results.next()?.map(\.name) == ["Snorlax"])
      try await store.repository(of: Pokemon.self).update(where: { $0.id == 6 }, set: { $0.weight = 100.5 })
      #expect(try await results.next()?.map(\.name) == ["Charizard", "Snorlax"])
    }
  }
}
