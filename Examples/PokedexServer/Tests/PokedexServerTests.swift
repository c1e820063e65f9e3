import Foundation
import Hummingbird
import Logging
import NIOCore
import PokedexService
import PostgresStore
import ServiceLifecycle
import Testing
import WebStore

@Suite("The server", .serialized, .timeLimit(.minutes(2)))
struct PokedexServerTests {
  /// Memory, and the PostgreSQL server of `REPOKIT_POSTGRES`, a connection string as `scripts/postgres.sh` prints it.
  enum Kind: String, CaseIterable {
    case memory, postgres

    static var available: [Kind] { server == nil ? [.memory] : allCases }

    static var server: String? {
      ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"].flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  private static let samples = [
    Pokemon(id: 6, name: "Charizard", type: "fire", secondType: "flying", weight: 90.5, attack: 84),
    Pokemon(id: 143, name: "Snorlax", type: "normal", secondType: nil, weight: 460, attack: 110),
  ]

  /// Runs a test with a store that holds the samples; on PostgreSQL in a schema of its own.
  private func with(_ kind: Kind, _ body: (any Store) async throws -> Void) async throws {
    guard kind == .postgres else {
      let store = MemoryStore()
      try await store.repository(of: Pokemon.self).save(Self.samples)
      return try await body(store)
    }
    let server = Kind.server ?? ""
    let name = "pokedex_\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    let cleaner = try PostgresStore(server, connections: 1, notifies: false)
    try await cleaner.sql.execute(SQLStatement(verbatim: "CREATE SCHEMA \(name)"))
    let store = try Pokedex.store(connection: "\(server) options='-c search_path=\(name)'", path: "")
    var failure: (any Error)?
    do {
      try await store.repository(of: Pokemon.self).save(Self.samples)
      try await body(store)
    } catch {
      failure = error
    }
    try await cleaner.sql.execute(SQLStatement(verbatim: "DROP SCHEMA \(name) CASCADE"))
    if let failure { throw failure }
  }

  /// Runs a server over a store for as long as a closure asks it, and stops it gracefully.
  ///
  /// - Parameter port: where it listens; 0 for any port.
  private func serving<Result>(
    _ store: any Store, port: Int = 0, _ ask: (URL) async throws -> Result
  ) async throws -> Result {
    let service = try await Pokedex.service(over: store, owners: ["a": "ann", "b": "ben"])
    let (ports, running) = AsyncStream<Int>.makeStream()
    let application = Application(
      responder: ServiceResponder(service), configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) })
    var logger = Logger(label: "pokedex-server-tests")
    logger.logLevel = .error
    let group = ServiceGroup(services: [application], logger: logger)
    let server = Task { try await group.run() }
    defer { server.cancel() }
    let port = await ports.first { _ in true } ?? 0
    let result = try await ask(try #require(URL(string: "http://127.0.0.1:\(port)")))
    await group.triggerGracefulShutdown()
    try await server.value
    return result
  }

  @Test("answers a web store as the store itself does", arguments: Kind.available)
  func asks(kind: Kind) async throws {
    try await with(kind) { store in
      try await serving(store) { url in
        let pokedex = try WebStore(url).repository(of: Pokemon.self)
        #expect(try await pokedex.find(6) == Self.samples[0])
        #expect(
          try await pokedex.findAll(where: { $0.weight > 90 }, sortedBy: { $0.weight.descending })
            == Self.samples.reversed())
        #expect(try await pokedex.filter { $0.id == 6 }.update { $0.attack += 1 } == 1)
        #expect(try await pokedex.find(6)?.attack == 85)
        let error = await #expect(throws: RepositoryError.self) { try await pokedex.save(Self.samples) }
        #expect(error?.code == .unsupported)
      }
    }
  }

  @Test("keeps the notes of each owner apart", arguments: Kind.available)
  func notes(kind: Kind) async throws {
    try await with(kind) { store in
      try await serving(store) { url in
        func notes(_ token: String) throws -> AnyRepository<Note> {
          try WebStore(url, headers: { ["Authorization": "Bearer \(token)"] }).repository(of: Note.self)
        }
        let note = try await notes("a").insert(Note(pokemon: 6, owner: "ann", text: "hot"))
        #expect(note.id == 1)
        #expect(try await notes("a").count() == 1)
        #expect(try await notes("b").count() == 0)
        let error = await #expect(throws: RepositoryError.self) { try await notes("c").count() }
        #expect(error?.code == .unauthenticated)
      }
    }
  }

  @Test("stops though live results are told, and goes on telling them after it was started", arguments: Kind.available)
  func live(kind: Kind) async throws {
    try await with(kind) { store in
      let (results, told) = AsyncStream<[String]>.makeStream()
      var names = results.makeAsyncIterator()
      var follower: Task<Void, any Error>?
      defer { follower?.cancel() }
      let port = try await serving(store) { url in
        var options = WebStoreOptions()
        options.attempts = 1_000
        options.backoff = .constant(.milliseconds(50))
        let pokedex = try WebStore(url, options: options).repository(of: Pokemon.self)
        follower = Task {
          for try await found in pokedex.filter({ $0.weight > 100 }).changes() { told.yield(found.map(\.name)) }
        }
        #expect(await names.next(isolation: #isolation) == ["Snorlax"])
        try await store.repository(of: Pokemon.self).filter { $0.id == 6 }.update { $0.weight = 100.5 }
        #expect(await names.next(isolation: #isolation) == ["Charizard", "Snorlax"])
        return url.port
      }
      // Nobody answers now.
      try await store.repository(of: Pokemon.self).filter { $0.id == 6 }.update { $0.weight = 90.5 }
      try await serving(store, port: port ?? 0) { _ in #expect(await names.next(isolation: #isolation) == ["Snorlax"]) }
    }
  }
}
