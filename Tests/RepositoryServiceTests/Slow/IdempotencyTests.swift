import Repository
import RepositoryService
import TestSupport
import Testing

@Suite("A write that is sent again is done once")
struct IdempotencyTests {
  /// The body of an update that adds 1 to each budget.
  fileprivate static let update =
    #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"budget","expression":"budget + 1"}]}"#

  @Test("for each idempotency key, also where many come at once")
  func idempotency() async throws {
    let served = try await Served()
    let service = try WritingTests.service(served)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { try await service.addToBudgets().text }
      }
      for try await text in group { #expect(text == "1") }
    }
    #expect(try await served.teams.find(1)?.budget == 78)
    // What is another request is refused with problem details, whether it has another address or another body.
    let twice = Self.update.split(separator: "+ 1").joined(separator: "+ 2")
    for (method, target, body) in [("DELETE", "/teams/1", ""), ("POST", "/teams:update", twice)] {
      let other = try await service.answer(method, target, body, headers: ["Idempotency-Key": "a"])
      #expect(other.status == 422 && other.headers["Content-Type"] == "application/problem+json", "\(other)")
      #expect(other.text.contains("the idempotency key belongs to another request"))
    }
    #expect(try await served.teams.find(1)?.budget == 78)
    // One that was refused may be sent again.
    let other: WebHeaders = ["Idempotency-Key": "b"]
    #expect(try await service.answer("DELETE", "/teams/1", headers: other).status == 409)
    try await served.trainers.filter { $0.team != nil }.delete()
    #expect(try await service.answer("DELETE", "/teams/1", headers: other).status == 204)
    let again = try await service.answer("DELETE", "/teams/1", headers: other)
    #expect(again.status == 204 && again.headers["Idempotency-Replayed"] == "true")
  }

  @Test("also with a renewed token, and for each condition of the route's closure")
  func clients() async throws {
    let served = try await Served()
    try await served.teams.save([Team(id: 8, name: "a", budget: 1), Team(id: 9, name: "b", budget: 1)])
    let service = try RepositoryService {
      Route("teams", served.teams).readingAll().writingAll().allowing(.all).authorizing { request in
        // Each token begins with the team that it is for, and ends with its number.
        guard let team = request.headers["Authorization"]?.split(separator: "-").first.flatMap({ Int($0) }) else {
          throw RouteRefusal.unauthenticated()
        }
        return .equal(key: "id", value: team)
      }
    }
    for (token, isReplayed) in [("8-1", false), ("8-2", true), ("9-1", false), ("9-1", true), ("8-1", true)] {
      let answer = try await service.addToBudgets(headers: ["Authorization": token])
      #expect(answer.text == "1" && (answer.headers["Idempotency-Replayed"] != nil) == isReplayed, "\(token)")
    }
    #expect(try await served.teams.find(8)?.budget == 2)
    #expect(try await served.teams.find(9)?.budget == 2)
    #expect(try await service.addToBudgets().status == 401)
  }

  @Test("also where bodies come in chunks, of which some break off", arguments: [1, 7, 1_000])
  func idempotencyOfStreams(_ size: Int) async throws {
    struct Broken: Error {}
    let served = try await Served()
    let service = try WritingTests.service(served)
    let line = "{\"id\":2,\"name\":\"x\",\"budget\":1}\n{\"id\":3,\"name\":\"y\",\"budget\":1}\n"
    let cases = [
      (line, true, 400), (line, false, 201), (line, false, 201), (line + "\n", false, 422), (line, true, 400),
    ]
    for (text, isBroken, status) in cases {
      let bytes = Array(text.utf8)
      let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        for start in stride(from: 0, to: bytes.count, by: size) {
          continuation.yield(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        continuation.finish(throwing: isBroken ? Broken() : nil)
      }
      let headers: WebHeaders = [
        "Content-Type": "application/x-ndjson", "Prefer": "return=minimal", "Idempotency-Key": "s",
      ]
      let response = await service.respond(
        to: WebRequest("POST", "/teams", headers: headers, body: WebBody(chunks)))
      #expect(response.status == status)
    }
    #expect(try await served.teams.count() == 3)
  }

  @Test("also where the store does not know whether it was done")
  func unknownOutcome() async throws {
    let served = try await Served()
    let service = try RepositoryService {
      Route("teams", Uncertain(base: served.teams)).readingAll().writingAll().allowing(.all)
    }
    for round in 1...2 {
      let answer = try await service.addToBudgets()
      #expect(answer.status == 503 && answer.text.contains(#""code":"timeout""#), "\(answer)")
      // What may be done is not to be tried again in a moment.
      #expect(answer.headers["Retry-After"] == nil && answer.text.contains("check the data"))
      #expect((answer.headers["Idempotency-Replayed"] == "true") == (round == 2))
    }
    #expect(try await served.teams.find(1)?.budget == 78)
  }

  @Test("to its end, also where the client that has sent it first is gone")
  func goneClient() async throws {
    let served = try await Served()
    let (slow, service) = try Slow.served(served.teams)
    let client = Task { try await service.addToBudgets() }
    await slow.waitUntilBegun()
    client.cancel()
    slow.mayGoOn.continuation.finish()
    _ = await client.result
    let again = try await service.addToBudgets()
    #expect(again.text == "1" && again.headers["Idempotency-Replayed"] == "true")
    #expect(try await served.teams.find(1)?.budget == 78)
  }

  @Test("while those who wait for it leave as soon as they are gone")
  func goneWaiters() async throws {
    let served = try await Served()
    let (slow, service) = try Slow.served(served.teams)
    let first = Task { try await service.addToBudgets() }
    await slow.waitUntilBegun()
    // They wait by the time at which they are cancelled.
    let waiters = (0..<100).map { _ in
      Task(executorPreference: InlineExecutor.shared) { try await service.addToBudgets() }
    }
    for waiter in waiters[..<50] { waiter.cancel() }
    // The write is not over.
    for waiter in waiters[..<50] { #expect(try await waiter.value.status == 503) }
    slow.mayGoOn.continuation.finish()
    for waiter in waiters[50...] + [first] { #expect(try await waiter.value.text == "1") }
    #expect(try await served.teams.find(1)?.budget == 78)
  }

  @Test("as long as there is room for it, for the longest of keys too")
  func room() async throws {
    let served = try await Served()
    var limits = ServiceLimits()
    limits.rememberedWrites = (count: 100, bytes: 1_200)
    let service = try WritingTests.service(served, limits)
    // There is room for two; what is forgotten makes room again.
    for name in ["a", "a", "b", "c", "a", "c"] {
      #expect(try await service.addToBudgets(key: String(repeating: name, count: 255)).text == "1")
    }
    #expect(try await served.teams.find(1)?.budget == 77 + 4)
  }
}

extension RepositoryService {
  /// Sends an update that adds 1 to each budget, with an idempotency key.
  fileprivate func addToBudgets(key: String = "a", headers: WebHeaders = [:]) async throws -> Answer {
    var headers = headers
    headers["Idempotency-Key"] = key
    return try await answer("POST", "/teams:update", IdempotencyTests.update, headers: headers)
  }
}

/// A repository whose connection is lost after each change.
private struct Uncertain: RepositoryDecorator {
  let base: AnyRepository<Team>

  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    _ = try await base.update(where: query, set: assignments)
    throw RepositoryError(.timeout, "it is not known whether the change was made")
  }
}

/// A repository whose changes begin, and go on when they are told to, unless their task is cancelled.
private struct Slow: RepositoryDecorator {
  let base: AnyRepository<Team>
  let begun = AsyncStream.makeStream(of: Void.self)
  let mayGoOn = AsyncStream.makeStream(of: Void.self)

  static func served(_ base: AnyRepository<Team>) throws -> (slow: Slow, service: RepositoryService) {
    let slow = Slow(base: base)
    return (slow, try RepositoryService { Route("teams", slow).readingAll().writingAll().allowing(.all) })
  }

  func waitUntilBegun() async {
    var begun = begun.stream.makeAsyncIterator()
    await begun.next()
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    begun.continuation.yield()
    for await _ in mayGoOn.stream {}
    if Task.isCancelled { throw .cancelled }
    return try await base.update(where: query, set: assignments)
  }
}
