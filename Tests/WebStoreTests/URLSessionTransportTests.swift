import Foundation
import Repository
import Testing

@testable import WebStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A request by a URLSession")
struct URLSessionTransportTests {
  /// A task that is not started.
  private static func makeTask() throws -> URLSessionDataTask {
    URLSession.shared.dataTask(with: try #require(URL(string: "http://127.0.0.1:9/")))
  }

  @Test(
    "ends also where its task has ended before it was waited for",
    arguments: [(URLError.Code.cancelled, nil), (.timedOut, .timeout), (.badURL, .unreachable), (nil, .unreachable)]
      as [(URLError.Code?, RepositoryError.Code?)])
  func ended(_ code: URLError.Code?, _ expected: RepositoryError.Code?) async throws {
    let task = try Self.makeTask()
    let exchange = URLExchange(by: task)
    exchange.finish(code.map { URLError($0) })
    let error = await #expect(throws: (any Error).self) { try await exchange.response() }
    #expect((error as? RepositoryError)?.code == expected && (expected != nil || error is CancellationError))
    #expect(task.state == .suspended)
  }

  @Test("has the answer that came before its end")
  func answered() async throws {
    let task = try Self.makeTask()
    let exchange = URLExchange(by: task)
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["A": "b"]))
    exchange.take(head)
    for number in 0..<100 { exchange.take(Data([UInt8(number)])) }
    exchange.finish(nil)
    let response = try await exchange.response()
    #expect(response.status == 200 && response.headers["a"] == "b")
    #expect(try await response.body.collect(upTo: 100) == Array(0..<100))
  }

  @Test("ends when its task is cancelled at any time")
  func cancelled() async throws {
    let server = try LoopbackServer(Fixed(WebResponse(204)))
    defer { server.stop() }
    let transport = URLSessionTransport(server.url, timeout: .seconds(900))
    for round in 0..<100 {
      let task = Task { try await transport.send(WebRequest("GET", "/\(round)")).status }
      for _ in 0..<round % 10 { await Task.yield() }
      task.cancel()
      if case .success(let status) = await task.result { #expect(status == 204) }
    }
  }
}
