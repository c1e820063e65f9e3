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

  @Test("of what is shown, and nothing where something else has changed")
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
    try await served.trainers.filter { $0.id == 1 }.update { $0.secret = "raichu" }
    try await served.trainers.filter { $0.id == 3 }.update { $0.badges = 1 }
    try await served.trainers.filter { $0.id == 1 }.update { $0.badges = 9 }
    let second = try #require(try await events.next())
    #expect(second.contains("\"badges\":9"))

    // Taken up again: what the client has is not sent again.
    let id = try #require(second.split(separator: "\n").first { $0.hasPrefix("id: ") }?.dropFirst(4))
    var again = request
    again.headers["Last-Event-ID"] = String(id)
    var later = Self.events(await service.respond(to: again)).makeAsyncIterator()
    try await served.trainers.filter { $0.badges > 2 }.delete()
    let third = try #require(try await later.next())
    #expect(third.hasSuffix("\ndata: \n\n"))
  }

  @Test("each once, however often the rows are found to be the same")
  func repeated() async throws {
    // They differ in their budgets, which no client sees.
    let found = [1, 1, 2, 2, 1].enumerated().map { [Team(id: $1, name: "a", budget: $0)] }
    let teams = Scripted(base: try MemoryRepository(), results: found)
    let service = try RepositoryService { Route("teams", teams).reading(\.id, \.name).allowing(.liveResults) }
    let request = WebRequest("GET", "/teams:changes")
    var ids: [String] = []
    var rows: [String] = []
    for try await event in Self.events(await service.respond(to: request)) {
      let lines = event.split(separator: "\n").map(String.init)
      ids.append(try #require(lines.first { $0.hasPrefix("id: ") }))
      rows.append(try #require(lines.last))
    }
    #expect(rows == [1, 2, 1].map { "data: {\"id\":\($0),\"name\":\"a\"}" })
    // A client that comes again with the first of them is told the others.
    var again = request
    again.headers["Last-Event-ID"] = String(try #require(ids.first).dropFirst(4))
    var later: [String] = []
    for try await event in Self.events(await service.respond(to: again)) { later.append(event) }
    #expect(later.count == 2 && later.first?.contains("\"id\":2") == true)
  }

  @Test("of as many rows as the route allows, and an error in place of a part of more")
  func tooMany() async throws {
    let served = try await Served()
    for (maximum, event) in [(2, "problem"), (3, "rows")] {
      let route = served.route.pages(of: 1, atMost: 2, wholeResults: maximum)
      let response = try await served.service(route).respond(to: WebRequest("GET", "/trainers:changes"))
      var events = Self.events(response).makeAsyncIterator()
      #expect(try await events.next()?.hasPrefix("event: \(event)\n") == true)
    }
  }

  @Test("where the route allows them alone, and of rows that exist for the request")
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

/// A repository that finds certain results one after another, and then no more.
private struct Scripted: RepositoryDecorator {
  let base: MemoryRepository<Team>
  let results: [[Team]]

  func changes(_ request: FetchRequest) -> Changes<Team> {
    Changes(looking: { [results] in
      var rest = results[...]
      return { () async throws(RepositoryError) -> Changes<Team>.Snapshot? in
        guard let next = rest.popFirst() else { return nil }
        return (next, next.map { [.integer(Int64($0.id)), .integer(Int64($0.budget))] })
      }
    })
  }
}
