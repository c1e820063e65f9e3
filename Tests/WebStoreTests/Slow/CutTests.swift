import Repository
import RepositoryService
import Synchronization
import TestSupport
import Testing
import WebStore

/// A network that loses requests and answers, cuts bodies at any byte, and sometimes does not tell.
final class BadNetwork: WebTransport {
  private let service: RepositoryService
  private let random: Mutex<SplitMix64>
  /// How many of ten exchanges go well.
  private let luck: Int

  init(_ service: RepositoryService, seed: UInt64, luck: Int = 4) {
    (self.service, self.luck) = (service, luck)
    random = Mutex(SplitMix64(seed: seed))
  }

  private enum Fate: Sendable {
    case well, lost, unanswered
    case request(cut: Int)
    case answer(cut: Int, isTold: Bool)
  }

  func send(_ request: WebRequest) async throws -> WebResponse {
    let fate: Fate = random.withLock { random in
      if Int.random(in: 0..<10, using: &random) < luck { return .well }
      let byte = Int.random(in: 0..<80, using: &random)
      return switch Int.random(in: 0..<5, using: &random) {
      case 0: .lost
      case 1: .unanswered
      case 2: .request(cut: byte)
      case 3: .answer(cut: byte, isTold: true)
      default: .answer(cut: byte, isTold: false)
      }
    }
    var request = request
    switch fate {
    case .well: return await service.respond(to: request)
    case .lost: throw Broken()
    case .unanswered:
      _ = await service.respond(to: request)
      throw Broken()
    case .request(let byte):
      let body = try await request.body.collect(upTo: .max)
      // A request without so long a body arrives.
      if byte < body.count { request.body = Self.broken(Array(body.prefix(byte))) }
      let response = await service.respond(to: request)
      if byte < body.count { throw Broken() }
      return response
    case .answer(let byte, let isTold):
      var response = await service.respond(to: request)
      let body = try await response.body.collect(upTo: .max)
      if byte >= body.count { return response }
      // A proxy that is cut off gives what it has as the whole.
      let rest = Array(body.prefix(byte))
      response.body = isTold || response.headers["Repository-Row-Count"] == nil ? Self.broken(rest) : WebBody(rest)
      return response
    }
  }

  struct Broken: Error {}

  private static func broken(_ bytes: [UInt8]) -> WebBody {
    WebBody(
      AsyncThrowingStream { continuation in
        continuation.yield(bytes)
        continuation.finish(throwing: Broken())
      })
  }
}

@Suite("Over a network that cuts at any byte", .tags(.slow))
struct CutTests {
  @Test("each write is done once, and each answer is whole")
  func once() async throws {
    let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    try await accounts.save(Account(id: 0, balance: 0))
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    var options = WebStoreOptions()
    (options.attempts, options.backoff) = (1_000, .none)
    let web = try WebStore(over: BadNetwork(service, seed: seed), options: options).repository(of: Account.self)
    let rounds = Effort.rounds(2_000)
    for round in 1...rounds {
      let account = Account(id: round, balance: round)
      let added = try await web.filter { $0.id == 0 }.update { $0.balance += 1 }
      #expect(added == 1, "seed \(seed)")
      #expect(try await web.insert(account) == account, "seed \(seed)")
      #expect(try await web.find(round) == account, "seed \(seed)")
      #expect(try await web.findAll(where: { $0.id == round || $0.id == 0 }).last == account, "seed \(seed)")
      if round % 2 == 0 { #expect(try await web.delete([round]) == 1, "seed \(seed)") }
      try await web.save([Account(id: -1, balance: round), Account(id: -2, balance: round)])
    }
    #expect(try await accounts.find(0)?.balance == rounds, "seed \(seed)")
    #expect(try await accounts.count() == 3 + (rounds + 1) / 2, "seed \(seed)")
  }

  @Test("a sequence that breaks off is kept as a whole or not at all")
  func sequences() async throws {
    let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    let web = try WebStore(over: BadNetwork(service, seed: seed, luck: 2)).repository(of: Account.self)
    for round in 1...40 {
      let elements = (0..<50).map { Account(id: round * 100 + $0, balance: 1) }
      let written = try? await web.save(contentsOf: elements)
      let kept = try await accounts.filter { $0.id >= round * 100 }.count()
      #expect(kept == 50 || (kept == 0 && written == nil), "seed \(seed)")
    }
  }

  @Test("a sequence whose elements fail is not kept, and ends with their error")
  func failingSequence() async throws {
    struct Bad: Error {}
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    let web = try WebStore(over: service).repository(of: Account.self)
    let elements = AsyncThrowingStream<Account, any Error> { continuation in
      for id in 0..<5_000 { continuation.yield(Account(id: id, balance: 0)) }
      continuation.finish(throwing: Bad())
    }
    let error = await #expect(throws: RepositoryError.self) { try await web.insert(contentsOf: elements) }
    #expect(error?.underlying is Bad)
    #expect(try await accounts.count() == 0)
    // And one that the server refuses ends, though the client reads no further.
    try await accounts.save(Account(id: 3, balance: 0))
    await expectError(.conflict) {
      try await web.insert(contentsOf: (0..<200_000).lazy.map { Account(id: $0, balance: 0) })
    }
    let reports = Mutex<[WorkProgress]>([])
    let count = try await web.save(contentsOf: (0..<20_000).lazy.map { Account(id: $0, balance: 0) }) { progress in
      reports.withLock { $0.append(progress) }
    }
    #expect(count == 20_000 && reports.withLock(\.count) == 20)
    #expect(try await accounts.count() == 20_000)
  }
}
