import Repository
import RepositoryService
import Synchronization
import Testing

@Suite("A service answers requests that write")
struct WritingTests {
  static func service(_ served: Served, _ limits: ServiceLimits = ServiceLimits()) throws -> RepositoryService {
    try RepositoryService(limits: limits, transactionsIn: served.store) {
      Route("teams", served.teams).readingAll().writingAll().allowing(.all)
      served.route
    }
  }

  @Test(
    "with what was written, or a problem",
    arguments: [
      ("POST", "/teams", #"{"id":2,"name":"Johto","budget":5}"#, #"201 {"id":2,"name":"Johto","budget":5}"#),
      ("POST", "/teams", #"[{"id":2,"name":"Johto","budget":5}]"#, "201 {\"id\":2,\"name\":\"Johto\",\"budget\":5}\n"),
      ("PUT", "/teams/1", #"{"name":"K","budget":1}"#, #"200 {"id":1,"name":"K","budget":1}"#),
      ("PUT", "/teams/5", #"{"id":5,"name":"K","budget":1}"#, #"200 {"id":5,"name":"K","budget":1}"#),
      ("PUT", "/teams", #"[{"id":1,"name":"K","budget":1},{"id":2,"name":"J","budget":2}]"#, "200 2"),
      ("PATCH", "/teams/1", #"{"budget":78}"#, #"200 {"id":1,"name":"Kanto","budget":78}"#),
      (
        "POST", "/teams:update",
        #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"budget","expression":"budget * 2"}]}"#, "200 1"
      ),
      ("POST", "/teams:delete", #"{"keys":["[7]"]}"#, "200 0"),
      ("POST", "/teams?conflict=ignore", #"[{"id":1,"name":"x","budget":0}]"#, "201 "),
    ])
  func answers(_ method: String, _ target: String, _ body: String, _ expected: String) async throws {
    let served = try await Served()
    #expect(try await Self.service(served).answer(method, target, body).description == expected)
  }

  @Test(
    "with a status that says what is wrong, and then nothing is written",
    arguments: [
      ("POST", "/teams", #"{"id":1,"name":"x","budget":0}"#, 409), ("POST", "/teams", #"{"id":2,"name":"x"}"#, 422),
      ("POST", "/teams", #"{"id":2,"name":5,"budget":0}"#, 422), ("POST", "/teams", #"{"id":2,"nme":"x"}"#, 400),
      ("POST", "/teams", "[", 400), ("POST", "/teams", #"{"id":2,"id":3}"#, 400), ("POST", "/teams", "", 400),
      ("POST", "/teams", #"{"id":2,"name":"x","budget":{"a":{"b":[]}}}"#, 400),
      ("POST", "/teams", #"{"id":99999999999999999999,"name":"x","budget":0}"#, 400),
      ("POST", "/teams?conflict=maybe", "[]", 400), ("POST", "/teams?conflict=update:name", "[]", 400),
      ("PUT", "/teams/1", #"{"id":2,"name":"x","budget":0}"#, 400), ("PUT", "/teams/1", "[]", 400),
      ("PATCH", "/teams/9", #"{"name":"x"}"#, 404), ("PATCH", "/teams/1", #"{"id":2}"#, 400),
      ("PATCH", "/teams/1", "{}", 400), ("DELETE", "/teams/9", "", 404), ("DELETE", "/teams/1", "", 409),
      ("POST", "/teams:delete", #"{"where":{"version":1,"query":true}}"#, 409), ("POST", "/teams:delete", "{}", 400),
      ("POST", "/teams:update", #"{"where":{"version":1,"query":true},"set":[]}"#, 400),
      (
        "POST", "/teams:delete",
        #"{"where":{"version":1,"query":{"key":"id","op":"=","value":9}},"keys":["[9]"]}"#, 400
      ),
    ])
  func problems(_ method: String, _ target: String, _ body: String, _ status: Int) async throws {
    let served = try await Served()
    let answer = try await Self.service(served).answer(method, target, body)
    #expect(answer.status == status, "\(answer)")
    #expect(try await served.teams.findAll() == [Team(id: 1, name: "Kanto", budget: 77)])
  }

  @Test("and refuses bodies of other types, and lines that are too long")
  func bodies() async throws {
    let served = try await Served()
    var limits = ServiceLimits()
    (limits.bodyBytes, limits.streamBytes) = (100, 200)
    let service = try Self.service(served, limits)
    let lines: WebHeaders = ["Content-Type": "application/x-ndjson", "Prefer": "return=minimal"]
    let line = "{\"id\":2,\"name\":\"x\",\"budget\":1}\n"
    #expect(try await service.answer("POST", "/teams", line, headers: ["Content-Type": "text/plain"]).status == 415)
    #expect(try await service.answer("POST", "/teams", line, headers: ["Content-Encoding": "gzip"]).status == 415)
    #expect(try await service.answer("POST", "/teams", line, headers: ["Content-Length": "101"]).status == 413)
    let long = String(repeating: " ", count: 120)
    #expect(try await service.answer("POST", "/teams", long + line, headers: lines).status == 413)
    let many = (10..<20).map { "{\"id\":\($0),\"name\":\"x\",\"budget\":1}\n" }.joined()
    #expect(try await service.answer("POST", "/teams", many, headers: lines).status == 413)
    #expect(try await service.answer("POST", "/teams", line + "{\"id\":", headers: lines).status == 400)
    #expect(try await served.teams.count() == 1)
    // A body of unknown length, in pieces that are short.
    let pieces = AsyncStream<[UInt8]> { continuation in
      for _ in 0..<12 { continuation.yield(Array("          ".utf8)) }
      continuation.yield(Array(line.utf8))
      continuation.finish()
    }
    let response = await service.respond(to: WebRequest("POST", "/teams", body: WebBody(pieces)))
    #expect(response.status == 413)
    #expect(try await served.teams.count() == 1)
    let written = try await service.answer("POST", "/teams", line, headers: lines)
    #expect(written.description == "201 1" && written.headers["Content-Type"] == "application/json")
  }

  @Test("with a number where no more is wanted, whatever else is")
  func minimal() async throws {
    let service = try Self.service(try await Served())
    for (id, preference) in zip(2..., ["return=minimal", "Return=Minimal; x=1", "respond-async, return=minimal"]) {
      let answer = try await service.answer(
        "POST", "/teams", #"{"id":\#(id),"name":"x","budget":1}"#, headers: ["Prefer": preference])
      #expect(answer.description == "201 1" && answer.headers["Content-Type"] == "application/json")
    }
  }

  @Test("and loses no value of a line that does not name it")
  func lines() async throws {
    let served = try await Served()
    let service = try Self.service(served)
    let headers: WebHeaders = ["Content-Type": "application/x-ndjson"]
    let answer = try await service.answer("PUT", "/teams", #"{"id":1,"name":"x"}"#, headers: headers)
    #expect(answer.status == 400 && answer.text.contains("budget"), "\(answer)")
    #expect(try await service.answer("PUT", "/teams", #"[{"id":1,"name":"x"}]"#).description == "200 1")
    #expect(try await served.teams.findAll() == [Team(id: 1, name: "x", budget: 77)])
  }

  @Test("of elements with keys of several columns, however many they are")
  func compositeKeys() async throws {
    let store = MemoryStore()
    let places = try store.repository(of: Place.self)
    let service = try RepositoryService(transactionsIn: store) {
      Route("places", places).reading(\.x, \.y, \.name).writing(\.name, by: [.save, .deleteByQuery])
    }
    // A query of all of them has more conditions than a store takes.
    let keys = (0..<5_001).map { (x: $0, y: $0 + 10_000) }
    let rows = keys.map { "{\"x\":\($0.x),\"y\":\($0.y),\"name\":\"n\"}" }.joined(separator: ",")
    #expect(try await service.answer("PUT", "/places", "[\(rows)]").description == "200 5001")
    let texts = keys.map { "\"[\($0.x),\($0.y)]\"" }.joined(separator: ",")
    #expect(try await service.answer("POST", "/places:delete", "{\"keys\":[\(texts)]}").description == "200 5001")
  }

  @Test("only where the element is of the version that the client has seen")
  func versions() async throws {
    let served = try await Served()
    let service = try Self.service(served)
    let tag = try #require(try await service.answer("GET", "/teams/1").headers["ETag"])
    let match: WebHeaders = ["If-Match": tag]
    #expect(try await service.answer("PATCH", "/teams/1", #"{"budget":1}"#, headers: match).status == 200)
    #expect(try await service.answer("PATCH", "/teams/1", #"{"budget":2}"#, headers: match).status == 412)
    #expect(try await service.answer("PUT", "/teams/1", #"{"name":"x","budget":2}"#, headers: match).status == 412)
    #expect(try await service.answer("DELETE", "/teams/1", headers: match).status == 412)
    #expect(
      try await service.answer("PUT", "/teams/8", #"{"name":"x","budget":2}"#, headers: ["If-Match": "*"]).status == 412
    )
    let new: WebHeaders = ["If-None-Match": "*"]
    #expect(try await service.answer("PUT", "/teams/1", #"{"name":"x","budget":2}"#, headers: new).status == 412)
    #expect(try await service.answer("PUT", "/teams/8", #"{"name":"x","budget":2}"#, headers: new).status == 200)
    #expect(try await served.teams.find(1)?.budget == 1)
  }

  @Test("only where it is still of that version when it is written")
  func overtakenVersions() async throws {
    let served = try await Served()
    let store = Overtaken(base: served.store) {
      try await served.teams.filter { $0.id == 1 }.update { $0.budget += 1 }
    }
    let service = try RepositoryService(transactionsIn: store) {
      Route("teams", served.teams).readingAll().writingAll().allowing(.all)
    }
    for (method, body) in [("PUT", #"{"name":"x","budget":2}"#), ("PATCH", #"{"budget":2}"#), ("DELETE", "")] {
      let tag = try #require(try await service.answer("GET", "/teams/1").headers["ETag"])
      let answer = try await service.answer(method, "/teams/1", body, headers: ["If-Match": tag])
      #expect(answer.status == 412, "\(method): \(answer)")
    }
    #expect(try await served.teams.findAll() == [Team(id: 1, name: "Kanto", budget: 80)])
  }

  @Test("and lets no other write between what it reads of an element and what it saves of it")
  func overtakenParts() async throws {
    // A write that would have to wait fails.
    let store = MemoryStore(timeout: .zero)
    let teams = try store.repository(of: Team.self)
    try await teams.save(Team(id: 1, name: "Kanto", budget: 77))
    let read = ReadMeanwhile(base: teams)
    let service = try RepositoryService(transactionsIn: store) {
      Route("teams", read).readingAll().writingAll().allowing(.all)
    }
    #expect(try await service.answer("PUT", "/teams", #"[{"id":1,"name":"x"}]"#).description == "200 1")
    #expect(read.others.withLock(\.self) == [.busy])
    #expect(try await teams.findAll() == [Team(id: 1, name: "x", budget: 77)])
  }

  @Test("of no row that is kept as deleted, or that another client has")
  func placesOfOthers() async throws {
    let store = MemoryStore()
    let letters = try store.repository(of: Letter.self)
    try await letters.save([Letter(id: 1, owner: "bob", text: "b"), Letter(id: 2, owner: "bob", text: "kept")])
    try await letters.filter { $0.id == 2 }.delete()
    let service = try RepositoryService(transactionsIn: store) {
      Route("letters", letters).reading(\.id, \.owner, \.text).writing(\.owner, \.text, by: .all).authorizing {
        request in
        .equal(key: "owner", value: request.headers["X-User"] ?? "")
      }
    }
    let ann: WebHeaders = ["X-User": "ann"]
    // A key that is taken is a conflict, by whichever method it is sent; no answer tells whose it is.
    for id in 1...2 {
      let body = #"{"id":\#(id),"owner":"ann","text":"stolen"}"#
      var problems: Set<String> = []
      for (method, target, body) in [
        ("POST", "/letters", body), ("PUT", "/letters/\(id)", body), ("PUT", "/letters", "[\(body)]"),
      ] {
        let answer = try await service.answer(method, target, body, headers: ann)
        #expect(answer.status == 409, "\(answer)")
        problems.insert(answer.text)
      }
      #expect(problems.count == 1)
      // What is not sent is not that of the row that is there.
      let partial = try await service.answer("PUT", "/letters/\(id)", #"{"text":"stolen"}"#, headers: ann)
      let free = try await service.answer("PUT", "/letters/9", #"{"text":"stolen"}"#, headers: ann)
      #expect(partial.description == free.description)
    }
    let all = try store.repository(Letter.schema.includingDeleted)
    #expect(try await all.findAll().map(\.text) == ["b", "kept"])
    let mine = #"[{"id":5,"owner":"ann","text":"a"},{"id":6,"owner":"ann","text":"b"}]"#
    #expect(try await service.answer("PUT", "/letters", mine, headers: ann).description == "200 2")
    let both = #"[{"id":5,"owner":"ann","text":"c"},{"id":7,"owner":"ann","text":"d"}]"#
    #expect(try await service.answer("PUT", "/letters", both, headers: ann).description == "200 2")
    #expect(try await letters.findAll(where: { $0.owner == "ann" }).map(\.text) == ["c", "b", "d"])
  }

  @Test("of no row that the closure of its route does not let be written, also without transactions")
  func conditionsWithoutTransactions() async throws {
    let served = try await Served()
    let service = try RepositoryService {
      Route("trainers", served.trainers).readingAll().writingAll().allowing(.all).authorizing { _ in
        .equal(key: "team", value: 1)
      }
    }
    #expect(try await service.answer("PATCH", "/trainers/3", #"{"badges":9}"#).status == 404)
    #expect(try await service.answer("DELETE", "/trainers/3").status == 404)
    #expect(try await served.trainers.find(3) == Trainer.samples[2])
  }

  @Test("of rows that the closure of its route lets be written")
  func conditions() async throws {
    let served = try await Served()
    let reports = Mutex<[RepositoryError]>([])
    let service = try RepositoryService(
      transactionsIn: served.store, reportingTo: { error in reports.withLock { $0.append(error) } }
    ) {
      Route("trainers", served.trainers).readingAll().writingAll().allowing(.all).authorizing { request in
        guard let team = request.headers["X-Team"] else { throw RouteRefusal.unauthenticated() }
        if team == "broken" { throw RepositoryError(.corrupt, "secret path /var/db") }
        if team == "busy" { throw RepositoryError(.busy, "secret path /var/db") }
        return .equal(key: "team", value: Int(team) ?? 0)
      }
      Route("teams", served.teams).readingAll().allowing(.all)
    }
    let mine: WebHeaders = ["X-Team": "1"]
    let body = #"{"id":3,"name":"B","badges":1,"secret":"x","team":1}"#
    let byQuery = #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"team","value":2}]}"#
    let cases: [(String, String, String, Int)] = [
      ("POST", "/trainers:update", byQuery, 403), ("GET", "/trainers/3", "", 404), ("GET", "/trainers/1", "", 200),
      ("PATCH", "/trainers/3", #"{"badges":9}"#, 404),
      ("DELETE", "/trainers/3", "", 404), ("PUT", "/trainers/3", body, 409), ("PUT", "/trainers", "[\(body)]", 409),
      ("PATCH", "/trainers/1", #"{"team":null}"#, 403), ("PATCH", "/trainers/1", #"{"badges":9}"#, 200),
      ("POST", "/trainers", #"{"id":9,"name":"G","badges":1,"secret":"y","team":null}"#, 403),
      ("POST", "/trainers?conflict=update:name", "[\(body)]", 201),
      ("GET", "/teams?where=any%20trainers%20by%20team", "", 400),
    ]
    for (method, target, body, status) in cases {
      let answer = try await service.answer(method, target, body, headers: mine)
      #expect(answer.status == status || target.contains("conflict"), "\(method) \(target): \(answer)")
    }
    // An idempotency key, too, is one of the client that the closure knows, however it does.
    for (team, status) in [("1", 200), ("2", 404), ("1", 200)] {
      let answer = try await service.answer(
        "PATCH", "/trainers/1", #"{"badges":7}"#, headers: ["X-Team": team, "Idempotency-Key": "a"])
      #expect(answer.status == status, "\(team): \(answer)")
    }
    let count = try await service.answer("GET", "/trainers:count", headers: mine)
    #expect(count.text == "2")
    let sum = #"{"version":1,"aggregates":[{"aggregate":"count"}]}"#
    #expect(try await service.answer("POST", "/trainers:aggregate", sum, headers: mine).text == "[2]\n")
    #expect(
      try await service.answer("POST", "/trainers:delete", #"{"where":{"version":1,"query":true}}"#, headers: mine).text
        == "2")
    #expect(try await served.trainers.findAll().map(\.id) == [3])
    let unknown = try await service.answer("GET", "/trainers")
    #expect(unknown.status == 401 && unknown.headers["WWW-Authenticate"] == "Bearer")
    let broken = try await service.answer("GET", "/trainers", headers: ["X-Team": "broken"])
    #expect(broken.status == 500 && !broken.text.contains("/var"))
    let busy = try await service.answer("GET", "/trainers", headers: ["X-Team": "busy"])
    #expect(busy.status == 503 && busy.headers["Retry-After"] == "1" && !busy.text.contains("/var"))
    #expect(reports.withLock(\.self).map(\.code) == [.corrupt, .busy])
  }

  @Test("and lets nothing break out of a header field")
  func headers() async throws {
    var headers: WebHeaders = ["X-A": "1\r\nX-B: 2", "X B": "3", "": "4"]
    headers["x-a"] = headers["X-A"]
    #expect(headers.fields.map(\.name) == ["x-a"] && headers["X-a"] == "1  X-B: 2")
    for character in ["\r", "\n", "\0"] {
      headers["x-a"] = "1\(character)X-B: 2"
      #expect(headers["X-a"] == "1 X-B: 2")
    }
    let served = try await Served()
    let answer = try await Self.service(served).answer("POST", "/teams", #"{"id":2,"name":"\r\n","budget":0}"#)
    #expect(answer.headers["Location"] == "/teams/2")
  }
}

/// A store whose transactions begin after another client has written.
private struct Overtaken: Store {
  typealias Transaction = MemoryStore.Transaction

  let base: MemoryStore
  let write: @Sendable () async throws -> Void

  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element> {
    try base.repository(schema)
  }

  func transaction<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result {
    try await write()
    return try await base.transaction(body)
  }

  func read<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result { try await base.read(body) }
}

/// A repository that another client tries to change after each read, and the codes with which it fails.
private final class ReadMeanwhile: RepositoryDecorator {
  let base: AnyRepository<Team>
  let others = Mutex<[RepositoryError.Code?]>([])

  init(base: AnyRepository<Team>) { self.base = base }

  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    let rows = try await base.findRows(request)
    let other = Task.detached { [base] in try await base.filter { $0.id == 1 }.update { $0.budget += 1 } }
    let code: RepositoryError.Code? =
      switch await other.result {
      case .success: nil
      case .failure(let error): (error as? RepositoryError)?.code
      }
    others.withLock { $0.append(code) }
    return rows
  }
}
