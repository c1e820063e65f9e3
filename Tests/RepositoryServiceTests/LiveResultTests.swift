import Repository
import RepositoryService
import Testing

@Suite("A service tells live results")
struct LiveResultTests {
  /// The events of a response, as texts; comments are left out.
  private static func events(_ response: WebResponse) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await chunk in response.body where chunk.first != UInt8(ascii: ":") {
            continuation.yield(String(decoding: chunk, as: UTF8.self))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  @Test("of what is shown, and nothing where something else has changed", .timeLimit(.minutes(5)))
  func shown() async throws {
    let served = try await Served()
    let service = try served.service()
    let request = WebRequest(
      "GET", "/trainers:changes?where=badges%20%3E%202", headers: ["Accept": "text/event-stream"])
    var events = Self.events(await service.respond(to: request)).makeAsyncIterator()
    let first = try #require(try await events.next())
    #expect(
      first.hasPrefix("event: rows\nid: ")
        && first.hasSuffix("\ndata: {\"id\":1,\"name\":\"Ash\",\"badges\":8,\"team\":1}\n\n"))
    // What a client does not see, it does not hear of either.
    try await served.trainers.update(where: { $0.id == 1 }, set: { $0.secret = "raichu" })
    try await served.trainers.update(where: { $0.id == 3 }, set: { $0.badges = 1 })
    try await served.trainers.update(where: { $0.id == 1 }, set: { $0.badges = 9 })
    let second = try #require(try await events.next())
    #expect(second.contains("\"badges\":9"))

    // Taken up again: what the client has is not sent again.
    let id = try #require(second.split(separator: "\n").first { $0.hasPrefix("id: ") }?.dropFirst(4))
    var again = request
    again.headers["Last-Event-ID"] = String(id)
    var later = Self.events(await service.respond(to: again)).makeAsyncIterator()
    try await served.trainers.delete(where: { $0.badges > 2 })
    let third = try #require(try await later.next())
    #expect(third.hasSuffix("\ndata: \n\n"))
  }

  @Test("where the route allows them alone, and of rows that exist for the request", .timeLimit(.minutes(5)))
  func allowed() async throws {
    let served = try await Served()
    let none = try RepositoryService { Route("trainers", served.trainers).reading(\.id, \.name) }
    #expect(try await none.answer("GET", "/trainers:changes").status == 422)
    let service = try RepositoryService {
      Route("trainers", served.trainers).reading(\.id).allowing(.liveResults).authorizing { _ in
        .equal(key: "secret", value: "onix")
      }
    }
    var events = Self.events(await service.respond(to: WebRequest("GET", "/trainers:changes"))).makeAsyncIterator()
    #expect(try await events.next()?.hasSuffix("\ndata: {\"id\":3}\n\n") == true)
  }
}
