import Foundation
import Repository
import RepositoryService
import Synchronization
import TestSupport
import Testing

@testable import WebStore

/// A server that refuses the first requests, and notes when each arrives.
private final class RefusingServer: WebTransport {
  private let service: RepositoryService
  private let refusals: Mutex<[WebResponse]>
  private let arrivals = Mutex<[ContinuousClock.Instant]>([])

  init(_ service: RepositoryService, _ refusals: [WebResponse]) {
    self.service = service
    self.refusals = Mutex(refusals)
  }

  /// The number of requests that arrived a number of seconds after the one before, or later: other tests may keep all
  /// threads busy.
  func waitsAtLeast(_ seconds: Int) -> Int {
    let times = arrivals.withLock(\.self)
    return zip(times, times.dropFirst()).count { $1 - $0 >= .seconds(seconds) }
  }

  func send(_ request: WebRequest) async -> WebResponse {
    arrivals.withLock { $0.append(.now) }
    if let refusal = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return refusal }
    return await service.respond(to: request)
  }
}

@Suite("The wait that a server asks for by Retry-After")
struct RetryAfterTests {
  private let accounts: AnyRepository<Account>
  private let service: RepositoryService

  init() throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    self.accounts = accounts
    service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
  }

  private func repository(
    _ server: RefusingServer, timeout: Duration = .seconds(900)
  ) throws -> AnyRepository<Account> {
    var options = WebStoreOptions()
    (options.attempts, options.backoff, options.timeout) = (3, .none, timeout)
    return try WebStore(over: server, options: options).repository(of: Account.self)
  }

  private static func problem(_ status: Int, _ code: String) -> WebResponse {
    let body = #"{"status":\#(status),"detail":"too many requests","code":"\#(code)"}"#
    return WebResponse(
      status, headers: ["Content-Type": "application/problem+json", "Retry-After": "1"], body: WebBody(Array(body.utf8))
    )
  }

  @Test("is kept to before a read or a write is sent again, in seconds and as a date")
  func waits() async throws {
    let dates: WebHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:36 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    let refusals = [
      WebResponse(503, headers: ["Retry-After": "1"]), WebResponse(429, headers: ["Retry-After": "1"]),
      WebResponse(503, headers: dates), Self.problem(429, "busy"), Self.problem(429, "tooManyRequests"),
    ]
    try await withThrowingTaskGroup { group in
      for (index, refusal) in refusals.enumerated() {
        group.addTask {
          let server = RefusingServer(service, [refusal])
          let web = try repository(server)
          #expect(try await web.insert(Account(id: index, balance: 1)).id == index)
          #expect(server.waitsAtLeast(1) == 1, "\(refusal)")
        }
        group.addTask {
          let server = RefusingServer(service, [refusal, refusal])
          let web = try repository(server)
          #expect(try await web.find(100) == nil)
          #expect(server.waitsAtLeast(1) == 2, "\(refusal)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await accounts.count() == refusals.count)
  }

  @Test("is kept to before live results are taken up again")
  func liveResults() async throws {
    let server = RefusingServer(service, [WebResponse(503, headers: ["Retry-After": "1"])])
    var results = try repository(server).selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    #expect(server.waitsAtLeast(1) == 1)
  }

  @Test("is what a route's closure says that limits the rate of a client")
  func rateLimit() async throws {
    let busy = RepositoryError(.busy, "too many requests")
    let refusals = Mutex([RouteRefusal(busy, status: 429, headers: ["Retry-After": "1"])])
    let limited = try RepositoryService {
      Route("account", accounts).open.authorizing { _ in
        if let refusal = refusals.withLock({ $0.popLast() }) { throw refusal }
        return .true
      }
    }
    let options = ServedStore<MemoryStore>.patient
    let web = try WebStore(over: limited, options: options).repository(of: Account.self)
    let start = ContinuousClock.now
    #expect(try await web.insert(Account(id: 1, balance: 1)).balance == 1)
    #expect(.now - start >= .seconds(1) && refusals.withLock(\.isEmpty))
  }

  @Test("is told instead where it is longer than an answer is waited for")
  func bounded() async throws {
    let server = RefusingServer(service, Array(repeating: WebResponse(429, headers: ["Retry-After": "3600"]), count: 3))
    let error = await #expect(throws: RepositoryError.self) { try await repository(server).find(1) }
    #expect(error?.code == .busy && error?.suggestion == "try again in 3600 seconds" && server.waitsAtLeast(0) == 0)
    #expect(error?.underlying?.localizedDescription == "the server asks for a wait of 3600 seconds")
    let live = RefusingServer(service, [WebResponse(429, headers: ["Retry-After": "3600"])])
    var results = try repository(live).selection().changes().makeAsyncIterator()
    let refused = await #expect(throws: RepositoryError.self) { try await results.next() }
    #expect(refused?.code == .busy && live.waitsAtLeast(0) == 0)
  }

  @Test(
    "is read in each form of RFC 9110, and is none where it is of no form",
    arguments: [
      ("0", nil, 0), ("120", nil, 120), (" 7 ", nil, 7), ("99999999999999999999", nil, 2_147_483_647),
      ("4294967296", nil, 2_147_483_647), ("2147483647", nil, 2_147_483_647), ("-1", nil, nil),
      ("1.5", nil, nil), ("", nil, nil), ("soon", nil, nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
      ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
      ("Thu, 29 Feb 2024 00:00:01 GMT", "Wed, 28 Feb 2024 23:59:59 GMT", 2),
      // One that is over, by the server's clock or by this one.
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", 0),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 0), ("Sun, 06 Nov 1994 08:49:37 GMT", "now", 0),
      ("1994-11-06T08:49:37Z", nil, nil), ("06 Nov 1994", nil, nil),
    ] as [(String, String?, Int?)])
  func forms(_ field: String, _ date: String?, _ seconds: Int?) {
    var headers: WebHeaders = ["Retry-After": field]
    headers["Date"] = date
    #expect(RetryAfter(headers)?.wait == seconds.map { Duration.seconds($0) })
  }
}
