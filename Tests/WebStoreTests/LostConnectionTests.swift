import Repository
import RepositoryService
import Synchronization
import TestSupport
import Testing
import WebStore

/// A network whose first connections fail, each in a way of its own.
private final class FailingNetwork: WebTransport {
  enum Failure: Sendable {
    case unreachable, ended, status(Int)
    /// The connection ends with the first result.
    case oneResult
    /// The connection ends within the first result, behind one of its lines.
    case halfResult
    /// The server says that it is there, and nothing else.
    case quiet
  }

  private let service: RepositoryService
  private let failures: Mutex<[Failure]>

  init(_ service: RepositoryService, _ failures: [Failure]) {
    self.service = service
    self.failures = Mutex(failures)
  }

  /// How many failures are still to come.
  var rest: Int { failures.withLock(\.count) }

  func send(_ request: WebRequest) async throws -> WebResponse {
    struct Lost: Error {}
    let headers: WebHeaders = ["Content-Type": "text/event-stream"]
    let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    switch failure {
    case nil: return await service.respond(to: request)
    case .unreachable: throw Lost()
    case .ended: return WebResponse(200, headers: headers)
    case .oneResult, .halfResult:
      var response = await service.respond(to: request)
      var chunks = response.body.makeAsyncIterator()
      while let chunk = try await chunks.next() {
        guard chunk.starts(with: "event: ".utf8) else { continue }
        let isHalf = if case .halfResult = failure { true } else { false }
        response.body = WebBody(isHalf ? Array(chunk.dropLast()) : chunk)
        break
      }
      return response
    case .quiet: return WebResponse(200, headers: headers, body: WebBody(Array(": \n\n: \n\n".utf8)))
    case .status(let status): return WebResponse(status)
    }
  }
}

@Suite("Live results of a web store")
struct LostConnectionTests {
  private let accounts: AnyRepository<Account>
  private let service: RepositoryService

  init() throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    self.accounts = accounts
    service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
  }

  private func store(_ network: FailingNetwork, reconnections: Int = 1_000) -> WebStore {
    var options = WebStoreOptions()
    (options.attempts, options.reconnections, options.backoff) = (2, reconnections, .none)
    // Other tests may keep all threads busy for long.
    options.timeout = .seconds(900)
    return WebStore(over: network, options: options)
  }

  @Test("go on after the server was away for longer than a request is tried")
  func restart() async throws {
    let failures: [FailingNetwork.Failure] = [.unreachable, .unreachable, .unreachable, .status(503), .ended, .quiet]
    let network = FailingNetwork(service, [.oneResult] + failures + failures)
    let web = try store(network).repository(of: Account.self)
    var results = web.selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    let account = Account(id: 1, balance: 2)
    try await accounts.save(account)
    #expect(try await results.next() == [account])
    #expect(network.rest == 0)
  }

  @Test("begin anew where a connection was lost amid a result")
  func halfResult() async throws {
    let account = Account(id: 1, balance: 2)
    try await accounts.save(account)
    let network = FailingNetwork(service, [.halfResult])
    let web = try store(network).repository(of: Account.self)
    var results = web.selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [account])
    #expect(network.rest == 0)
  }

  @Test("end where a lost connection does not come back")
  func gone() async throws {
    let network = FailingNetwork(service, [.oneResult] + Array(repeating: .unreachable, count: 9))
    let web = try store(network, reconnections: 5).repository(of: Account.self)
    var results = web.selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    let error = await #expect(throws: RepositoryError.self) { try await results.next() }
    #expect(error?.code == .unreachable && network.rest == 4)
  }

  @Test("last as long as the server says that it is there, though nothing changes")
  func quiet() async throws {
    let network = FailingNetwork(service, [.oneResult] + Array(repeating: .quiet, count: 50))
    let web = try store(network, reconnections: 2).repository(of: Account.self)
    var results = web.selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    let account = Account(id: 1, balance: 2)
    try await accounts.save(account)
    #expect(try await results.next() == [account])
  }

  @Test("are refused where the server is not there to begin with, and tell why")
  func first() async throws {
    for (failure, code) in [
      (FailingNetwork.Failure.unreachable, RepositoryError.Code.unreachable), (.status(503), .unreachable),
      (.status(504), .timeout),
    ] {
      let network = FailingNetwork(service, Array(repeating: failure, count: 3))
      let web = try store(network).repository(of: Account.self)
      var results = web.selection().changes().makeAsyncIterator()
      let error = await #expect(throws: RepositoryError.self) { try await results.next() }
      #expect(error?.code == code && network.rest == 1)
    }
  }
}
