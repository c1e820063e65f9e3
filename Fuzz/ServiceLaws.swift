import Dispatch
import Foundation
import Repository
import RepositoryService
import Synchronization

/// What holds for every request that a service is sent: a request line, header fields, a blank line and a body.
enum ServiceLaws {
  /// What no client may see.
  private static let secret = "h1dden"

  private struct Trainer: Entity {
    let id: Int
    var name: String
    var badges: Int?
    var secret: String
    var team: Int?

    static let schema = Schema(
      "trainer", Trainer.init, Column("id", \.id), Column("name", \.name, .unique), Column("badges", \.badges),
      Column("secret", \.secret), Column("team", \.team, .references(Team.self)))
  }

  private struct Team: Entity {
    let id: Int
    var name: String

    static let schema = Schema("team", Team.init, Column("id", \.id), Column("name", \.name))
  }

  static func check(_ text: String) {
    guard let request = request(text) else { return }
    let mayEcho = text.contains(secret)
    let (first, second) = (ask(request, text), ask(request, text))
    Law.require(
      first.status == second.status && first.text == second.text, "the same request has the same answer",
      [text, "\(first)", "\(second)"])
    Law.require((200..<500).contains(first.status), "no request is the service's fault", [text, "\(first)"])
    Law.require(mayEcho || !first.text.contains(secret), "what is not shown is not sent", [text, first.text])
    if first.status >= 400, request.method != "HEAD" {
      let problem = try? JSONSerialization.jsonObject(with: Data(first.text.utf8)) as? [String: Any]
      Law.require(
        problem?["status"] as? Int == first.status && problem?["title"] is String, "a refusal is a problem",
        [text, first.text])
    }
    if request.method == "GET" {
      var head = request
      head.method = "HEAD"
      let answer = ask(head, text)
      Law.require(
        answer.status == first.status && answer.text.isEmpty, "HEAD is GET without its body", [text, "\(answer)"])
    }
  }

  private static func ask(_ request: WebRequest, _ text: String) -> (status: Int, text: String) {
    Law.mustSucceed("a service answers", [text]) { try blocking { try await answer(request) } }
  }

  private static func request(_ text: String) -> WebRequest? {
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    var headers = WebHeaders()
    for line in lines.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1)
      if field.count == 2 { headers.append(String(field[0]), field[1].trimmingCharacters(in: .whitespaces)) }
    }
    return WebRequest(
      String(words[0]), String(words[1]), headers: headers, body: WebBody(Array((parts.count > 1 ? parts[1] : "").utf8))
    )
  }

  /// The answer of a service that nobody asked before.
  private static func answer(_ request: WebRequest) async throws -> (status: Int, text: String) {
    let store = MemoryStore()
    let teams: AnyRepository<Team> = try store.repository()
    let trainers: AnyRepository<Trainer> = try store.repository()
    try await teams.save([Team(id: 1, name: "Kanto"), Team(id: 2, name: "Johto")])
    try await trainers.save([
      Trainer(id: 1, name: "Ash", badges: 8, secret: secret, team: 1),
      Trainer(id: 2, name: "Misty", badges: nil, secret: secret + "1", team: 1),
      Trainer(id: 3, name: "Brock", badges: 2, secret: secret + "2", team: nil),
    ])
    var limits = ServiceLimits()
    (limits.bodyBytes, limits.streamBytes, limits.conditions) = (400, 700, 20)
    let service = try RepositoryService(limits: limits, transactionsIn: store) {
      Route("teams", teams).readingAll().writingAll().allowing(.all)
      Route("trainers", trainers).reading(\.id, \.name, \.badges, \.team).allowing(.all)
        .writing(\.badges, \.team, by: [.update, .updateByQuery, .delete, .deleteByQuery]).pages(of: 2, atMost: 3)
    }
    let response = await service.respond(to: request)
    // Live results do not end.
    let isEndless = response.headers["Content-Type"] == "text/event-stream"
    let bytes = isEndless ? [] : try await response.body.collect(upTo: 1_000_000)
    // All of what a client sees, but for what changes by itself.
    let headers = response.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    return (
      response.status, request.method == "HEAD" || !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : headers
    )
  }

  private static func blocking<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result
  {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    Task.detached {
      let found: Swift.Result<Result, any Error>
      do { found = .success(try await body()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
      done.signal()
    }
    done.wait()
    guard let found = result.withLock({ $0 }) else { throw CancellationError() }
    return try found.get()
  }
}
