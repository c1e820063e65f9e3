import Repository
import Synchronization
import Testing

@testable import WebStore

@Suite("A cached answer is sent again")
struct ResponseCacheTests {
  /// A server whose rows differ by the token, and whose versions do not: each user's rows are at the first one.
  private final class Tenants: WebTransport {
    private let asked = Mutex<[String]>([])

    /// The token and the version that each request has named.
    var log: [String] { asked.withLock(\.self) }

    func send(_ request: WebRequest) -> WebResponse {
      let token = request.headers["Authorization"] ?? "0"
      let version = request.headers["If-None-Match"]
      asked.withLock { $0.append("\(token) \(version ?? "-")") }
      let headers: WebHeaders = ["Content-Type": "application/x-ndjson", "ETag": "\"1\""]
      if version == "\"1\"" { return WebResponse(304, headers: headers) }
      return WebResponse(200, headers: headers, body: WebBody(Array("{\"id\":1,\"balance\":\(token)}\n".utf8)))
    }
  }

  @Test("to the user alone whose token has asked for it")
  func users() async throws {
    let tenants = Tenants()
    let token = Mutex("")
    let store = WebStore(over: tenants) { ["Authorization": token.withLock(\.self)] }
    let accounts = try store.repository(of: Account.self)
    for user in [7, 8, 7, 8] {
      token.withLock { $0 = "\(user)" }
      #expect(try await accounts.findAll() == [Account(id: 1, balance: user)])
    }
    #expect(tenants.log == ["7 -", "8 -", "7 \"1\"", "8 \"1\""])
  }

  @Test(
    "unless others were used since, where there is room for two",
    arguments: [
      ("a b", "a b", ""), ("a b c", "b c", "a"), ("a b a c", "a c", "b"), ("a b b a c", "a c", "b"),
      ("a b a c d", "c d", "a b"), ("a a a b c", "b c", "a"), ("a b a c a d", "a d", "b c"),
    ])
  func room(_ uses: String, _ kept: String, _ evicted: String) async throws {
    // An answer takes 500 bytes in addition to its body, of which the cache takes a quarter of its size.
    let cache = ResponseCache(limit: 4_000)
    let body = [UInt8](repeating: 0, count: 1_000)
    for name in uses.split(separator: " ") {
      let request = WebRequest("GET", String(name))
      if cache.entry(for: request) != nil { continue }
      let (response, keep) = cache.noting(
        WebResponse(200, headers: ["ETag": "\"1\""], body: WebBody(body)), for: request)
      #expect(try await response.body.collect(upTo: 1_000) == body)
      keep()
    }
    for name in kept.split(separator: " ") { #expect(cache.entry(for: WebRequest("GET", String(name))) != nil) }
    for name in evicted.split(separator: " ") { #expect(cache.entry(for: WebRequest("GET", String(name))) == nil) }
  }
}
