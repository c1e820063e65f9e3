import Foundation
import Repository
import RepositoryService
import RepositoryTesting
import SQLiteStore
import Synchronization
import TestSupport
import Testing
import WebStore

@Suite("A web store over sockets", .tags(.slow), .serialized)
struct LoopbackTests {
  private static func options(attempts: Int = 3, timeout: Duration = .seconds(2)) -> WebStoreOptions {
    var options = WebStoreOptions()
    options.attempts = attempts
    options.backoff = .none
    // Foundation on Linux does not notice each cut.
    options.timeout = timeout
    return options
  }

  @Test("keeps the contract")
  func conformance() async throws {
    try await RepositoryConformance.verify(
      without: WebConformanceTests.lacking, checking: { Effort.sample(Effort.sample($0)) },
      store: {
        // Other tests may keep all threads busy for long.
        let options = Self.options(timeout: .seconds(900))
        return try LoopbackStore(SQLiteStore.inMemory(timeout: .seconds(120)), options: options)
      })
  }

  @Test("does each write once, wherever its connection is cut")
  func cuts() async throws {
    let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let random = Mutex(SplitMix64(seed: seed))
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    try await accounts.save(Account(id: 0, balance: 0))
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    let server = try LoopbackServer(service) {
      random.withLock { random in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: LoopbackServer.Cut(reading: .random(in: 0..<600, using: &random))
        case 1: LoopbackServer.Cut(writing: .random(in: 0..<30, using: &random))
        case 2: LoopbackServer.Cut(isMute: true)
        default: LoopbackServer.Cut()
        }
      }
    }
    defer { server.stop() }
    let web = try WebStore(server.url, options: Self.options(attempts: 100)).repository(of: Account.self)
    let rounds = Effort.rounds(200)
    for round in 1...rounds {
      #expect(try await web.filter { $0.id == 0 }.update { $0.balance += 1 } == 1, "seed \(seed)")
      #expect(
        try await web.insert(Account(id: round, balance: round)) == Account(id: round, balance: round), "seed \(seed)")
      if round % 3 == 0 { #expect(try await web.delete(round) == 1, "seed \(seed)") }
    }
    #expect(try await accounts.find(0)?.balance == rounds, "seed \(seed)")
    #expect(try await accounts.count() == 1 + rounds - rounds / 3, "seed \(seed)")
  }

  @Test("sends a sequence of any length by a file, which is this user's alone and is gone afterwards")
  func sequences() async throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    let folder = FileManager.default.temporaryDirectory
    @Sendable func files() throws -> [String] {
      let prefix = "repository-kit-\(ProcessInfo.processInfo.processIdentifier)-"
      return try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasPrefix(prefix) }
    }
    let seen = Mutex<[Int]>([])
    let server = try LoopbackServer(
      Watched(service) {
        for file in try files() {
          let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path())
          seen.withLock { $0.append(attributes[.posixPermissions] as? Int ?? 0) }
        }
      })
    defer { server.stop() }
    let options = Self.options(timeout: .seconds(60))
    let web = try WebStore(server.url, options: options).repository(of: Account.self)
    #expect(try await web.insert(contentsOf: (1...30_000).lazy.map { Account(id: $0, balance: -$0) }) == 30_000)
    #expect(try await accounts.findAll().reduce(0) { $0 + $1.balance } == -450_015_000)
    #expect(seen.withLock(\.self) == [0o600])
    #expect(try files() == [])
    // One that fails on the way sends nothing, and leaves nothing behind either.
    struct Bad: Error {}
    let failing = AsyncThrowingStream<Account, any Error> { continuation in
      for id in 40_000..<45_000 { continuation.yield(Account(id: id, balance: 0)) }
      continuation.finish(throwing: Bad())
    }
    await #expect(throws: RepositoryError.self) { try await web.insert(contentsOf: failing) }
    #expect(try files() == [])
    #expect(try await accounts.count() == 30_000)
  }

  @Test("gives typed errors where there is no server, or something else")
  func others() async throws {
    let closed = try LoopbackServer(Fixed(WebResponse(200)))
    closed.stop()
    let cases: [(WebResponse, RepositoryError.Code)] = [
      (WebResponse(502, headers: ["Content-Type": "text/html"], body: WebBody(Array("<html>".utf8))), .unreachable),
      (WebResponse(403), .forbidden), (WebResponse(404), .missingTable), (WebResponse(504), .timeout),
      (WebResponse(302, headers: ["Location": "/elsewhere"]), .storeFailure),
      (WebResponse(200, headers: ["Content-Type": "text/html"], body: WebBody(Array("hello".utf8))), .storeFailure),
      (
        WebResponse(200, headers: ["Content-Type": "application/x-ndjson"], body: WebBody(Array("{\n".utf8))),
        .storeFailure
      ),
      (
        WebResponse(
          200, headers: ["Content-Type": "application/x-ndjson", "Repository-Row-Count": "2"],
          body: WebBody(Array("{\"id\":1,\"balance\":2}\n".utf8))), .unreachable
      ),
      (
        WebResponse(
          200, headers: ["Content-Type": "application/x-ndjson"], body: WebBody(Array("{\"id\":1}\n".utf8))),
        .schemaMismatch
      ),
    ]
    for (response, code) in cases {
      let server = try LoopbackServer(Fixed(response))
      defer { server.stop() }
      let web = try WebStore(server.url, options: Self.options(attempts: 2)).repository(of: Account.self)
      await expectError(code, comment: "\(response.status)") { try await web.findAll() }
    }
    let web = try WebStore(closed.url, options: Self.options(attempts: 2)).repository(of: Account.self)
    await expectError(.unreachable) { try await web.count() }
  }

  @Test(
    "refuses an address to which no route can be appended",
    arguments: [
      ("http://example.com/api?key=1", "a query"), ("http://example.com?", "a query"),
      ("http://example.com/api#pokemon", "a fragment"), ("ftp://example.com", "not an HTTP URL"),
      ("file:///api", "not an HTTP URL"), ("https:///api", "not an HTTP URL"), ("/api", "not an HTTP URL"),
      ("https://example.com", nil), ("HTTP://[::1]:8080/api/", nil),
    ])
  func addresses(_ address: String, _ reason: String?) throws {
    let url = try #require(URL(string: address))
    guard let reason else { return _ = try WebStore(url) }
    let error = #expect(throws: RepositoryError.self) { try WebStore(url) }
    #expect(error?.code == .cannotOpen && error?.details.reason?.contains(reason) == true)
  }

  @Test("takes live results up again after a lost connection")
  func live() async throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    let connections = Mutex(0)
    // The first connection ends after its first result, whatever is written then.
    let server = try LoopbackServer(service) {
      connections.withLock { count in
        count += 1
        return count == 1 ? LoopbackServer.Cut(writing: 100) : LoopbackServer.Cut()
      }
    }
    defer { server.stop() }
    let web = try WebStore(server.url, options: Self.options(attempts: 10)).repository(of: Account.self)
    var results = web.selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    for number in 1...20 {
      try await accounts.save(Account(id: number, balance: number))
      var count = 0
      while count < number { count = try #require(try await results.next()).count }
    }
    #expect(connections.withLock(\.self) > 1)
  }
}

/// A service that is looked at while it answers.
private struct Watched: WebTransport {
  let service: RepositoryService
  let look: @Sendable () throws -> Void

  init(_ service: RepositoryService, _ look: @escaping @Sendable () throws -> Void) {
    (self.service, self.look) = (service, look)
  }

  func send(_ request: WebRequest) async throws -> WebResponse {
    try look()
    return await service.respond(to: request)
  }
}

/// A served store that is asked through sockets.
final class LoopbackStore<Base: Store>: Store {
  typealias Transaction = WebStore

  private let base: Base
  private let service: GrowingService
  private let server: LoopbackServer
  private let web: WebStore

  init(_ base: Base, options: WebStoreOptions) throws {
    self.base = base
    service = GrowingService(store: base)
    server = try LoopbackServer(service)
    web = try WebStore(server.url, options: options)
  }

  deinit { server.stop() }

  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element> {
    let table = try schema.table()
    try service.add(Route(table.name, try base.repository(schema), schema: schema).open, named: table.name)
    return AnyRepository(Held(try web.repository(schema), by: self))
  }

  func transaction<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    try await web.transaction(body)
  }

  func read<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result { try await web.read(body) }
}

/// A repository that keeps its server alive.
private struct Held<Element: Storable>: RepositoryDecorator {
  let base: AnyRepository<Element>
  private let owner: any AnyObject & Sendable

  init(_ base: AnyRepository<Element>, by owner: any AnyObject & Sendable) { (self.base, self.owner) = (base, owner) }
}
