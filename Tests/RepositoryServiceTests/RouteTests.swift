import Repository
import RepositoryService
import Testing

@Suite("A route")
struct RouteTests {
  @Test(
    "allows what it says, and nothing else",
    arguments: [
      ("/trainers?where=name%20contains%20'A'", RouteCapabilities.textSearch),
      ("/trainers?where=length(name)%20=%203", .expressions), ("/trainers?sort=length(name)", .expressions),
      ("/trainers?where=team.name%20=%20'Kanto'", .relations), ("/teams?where=any%20trainers%20by%20team", .relations),
      ("/trainers:changes", .liveResults),
    ])
  func capabilities(_ target: String, _ needed: RouteCapabilities) async throws {
    let served = try await Served()
    func answer(_ allowed: RouteCapabilities) async throws -> Int {
      let service = try RepositoryService {
        Route("trainers", served.trainers).reading(\.id, \.name, \.badges, \.team).allowing(allowed)
        Route("teams", served.teams).readingAll().allowing(allowed)
      }
      return await service.respond(to: WebRequest("GET", target)).status
    }
    #expect(try await answer(.all.subtracting(needed)) == 422)
    #expect(try await answer(needed) == 200)
  }

  @Test(
    "refuses an expression whose operand needs a capability that the route does not allow",
    arguments: [RouteCapabilities.expressions, .relations])
  func operandCapabilities(_ missing: RouteCapabilities) async throws {
    let served = try await Served()
    let needed: RouteCapabilities = [.expressions, .relations]
    for target in ["/trainers?where=length(team.name)%20=%205", "/trainers?sort=length(team.name)"] {
      func answer(_ allowed: RouteCapabilities) async throws -> Int {
        let service = try RepositoryService {
          Route("trainers", served.trainers).reading(\.id, \.name, \.badges, \.team).allowing(allowed)
          Route("teams", served.teams).readingAll().allowing(allowed)
        }
        return await service.respond(to: WebRequest("GET", target)).status
      }
      #expect(try await answer(.all.subtracting(missing)) == 422)
      #expect(try await answer(needed) == 200)
    }
  }

  @Test(
    "allows the keys and the order of the groups of a projection only what it allows everywhere",
    arguments: [
      (#""groups":[{"expression":"length(name)"}]"#, .expressions),
      (#""groups":[{"expression":"team.name"}]"#, .relations),
      (#""groups":["id"],"sort":[{"key":{"expression":"length(name)"}}]"#, .expressions),
      (#""groups":["id"],"sort":[{"key":"name"},{"key":{"expression":"team.name"}}]"#, .relations),
    ] as [(String, RouteCapabilities)])
  func groupCapabilities(_ groups: String, _ needed: RouteCapabilities) async throws {
    let served = try await Served()
    let body = #"{"version":1,"columns":["name"],"first":{"limit":1,\#(groups)}}"#
    func answer(_ allowed: RouteCapabilities) async throws -> Int {
      let service = try RepositoryService {
        Route("trainers", served.trainers).reading(\.id, \.name, \.badges, \.team).allowing(allowed)
        Route("teams", served.teams).readingAll().allowing(allowed)
      }
      return try await service.answer("POST", "/trainers:project", body).status
    }
    #expect(try await answer(.all.subtracting(needed)) == 422)
    #expect(try await answer(needed.union([.projections, .wholeResults])) == 200)
  }

  @Test("filters and sorts by the columns that it says")
  func columns() async throws {
    let served = try await Served()
    let service = try served.service(served.route.filtering(\.name).sorting(\.badges))
    let cases: [(String, Int)] = [
      ("/trainers?where=name%20=%20'Ash'", 200), ("/trainers?where=badges%20=%208", 400),
      ("/trainers?where=not%20(name%20=%20'x'%20or%20badges%20=%208)", 400), ("/trainers?sort=badges", 200),
      ("/trainers?sort=name", 400), ("/trainers?sort=badges,-id", 200),
      ("/trainers?where=length(name)%20=%20badges", 400),
      ("/trainers?where=secret%20=%20'x'", 400),
    ]
    for (target, status) in cases {
      let answer = try await service.answer("GET", target)
      #expect(answer.status == status && !answer.text.contains("onix"), "\(target): \(answer)")
    }
    let rest: [(String, String, Int)] = [
      ("project", #""columns":["name"],"sort":[{"key":"name"}]"#, 400),
      ("project", #""columns":["name"],"first":{"limit":1,"groups":["id"],"sort":[{"key":"badges"}]}"#, 200),
      ("project", #""columns":["name"],"first":{"limit":1,"groups":["id"],"sort":[{"key":"name"}]}"#, 400),
      ("aggregate", #""aggregates":[{"aggregate":"count","query":{"key":"name","op":"=","value":"Ash"}}]"#, 200),
      ("aggregate", #""aggregates":[{"aggregate":"count","query":{"key":"badges","op":"=","value":8}}]"#, 400),
      ("aggregate", group(#""having":{"key":{"expression":"max(name)"},"op":">","value":"B"}"#), 200),
      ("aggregate", group(#""having":{"key":{"expression":"max(badges)"},"op":">","value":7}"#), 400),
      ("aggregate", group(#""sort":{"aggregate":"max","key":"badges"},"limit":1"#), 200),
      ("aggregate", group(#""sort":{"aggregate":"max","key":"name"},"limit":1"#), 400),
    ]
    for (operation, fields, status) in rest {
      let answer = try await service.answer("POST", "/trainers:\(operation)", #"{"version":1,\#(fields)}"#)
      #expect(answer.status == status, "\(fields): \(answer)")
    }
  }

  private func group(_ fields: String) -> String {
    let aggregates = #"[{"aggregate":"count"},{"aggregate":"max","key":"badges"},{"aggregate":"max","key":"name"}]"#
    return #""aggregates":\#(aggregates),"groups":["id"],\#(fields)"#
  }

  @Test("writes the columns that it says")
  func writing() async throws {
    let served = try await Served()
    let service = try served.service(served.route.writing(\.badges, by: [.update, .updateByQuery]))
    #expect(try await service.answer("PATCH", "/trainers/1", #"{"badges":9}"#).status == 200)
    for name in [#""x""#, "null"] {
      let refused = try await service.answer("PATCH", "/trainers/1", #"{"name":\#(name)}"#)
      #expect(refused.status == 400 && refused.text.contains("is not writable here"), "\(refused)")
    }
    let all = #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"team","value":null}]}"#
    #expect(try await service.answer("POST", "/trainers:update", all).status == 400)
    #expect(try await served.trainers.find(1)?.badges == 9)
  }

  @Test("may have pages and whole results of any size")
  func boundless() async throws {
    let served = try await Served()
    let service = try served.service(served.route.pages(of: .max, atMost: .max, wholeResults: .max))
    for target in ["/trainers", "/trainers?limit=\(Int.max)"] {
      #expect(try await service.answer("GET", target).text.contains("Brock"))
      let lines = try await service.answer("GET", target, headers: ["Accept": "application/x-ndjson"])
      #expect(lines.headers["Repository-Row-Count"] == "3")
    }
    let body = #"{"version":1,"columns":["name"]}"#
    #expect(try await service.answer("POST", "/trainers:project", body).status == 200)
    let response = await service.respond(to: WebRequest("GET", "/trainers:changes?limit=\(Int.max)"))
    var chunks = response.body.makeAsyncIterator()
    while let chunk = try await chunks.next() {
      if String(decoding: chunk, as: UTF8.self).contains("Brock") { break }
    }
  }

  @Test("is refused where it contradicts itself")
  func contradictions() async throws {
    let served = try await Served()
    let route = Route("trainers", served.trainers)
    let wrong: [Route<Trainer>] = [
      route, route.reading(\.name), route.reading(\.id).writing(\.name, by: .update),
      route.reading(\.id).filtering(\.name),
      Route("a/b", served.trainers).readingAll(), Route("", served.trainers).readingAll(),
      Route("x:find", served.trainers).readingAll(), Route("..", served.trainers).readingAll(),
    ]
    for route in wrong {
      let error = #expect(throws: RepositoryError.self) { try RepositoryService { route } }
      #expect(error?.code == .invalidSchema && error?.summary.hasPrefix("the route ") == true)
    }
    let twice = route.readingAll()
    #expect(throws: RepositoryError.self) {
      try RepositoryService {
        twice
        twice
      }
    }
  }
}
