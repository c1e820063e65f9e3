import Repository
import RepositoryService
import Testing

@Suite("A service answers requests that read")
struct ReadingTests {
  @Test(
    "with rows, numbers and problems",
    arguments: [
      ("GET", "/trainers/1", #"200 {"id":1,"name":"Ash","badges":8,"team":1}"#),
      ("GET", "/trainers/1?columns=name,id", #"200 {"name":"Ash","id":1}"#),
      ("HEAD", "/trainers/1", "200 "),
      ("GET", "/trainers?where=badges%20is%20null", #"200 [{"id":2,"name":"Misty","badges":null,"team":1}]"#),
      (
        "GET", "/trainers?sort=-name&columns=name", #"200 [{"name":"Misty"},{"name":"Brock"}]"#
      ),
      ("GET", "/trainers?limit=0", "200 []"),
      ("GET", "/trainers:count?where=team.name%20=%20'Kanto'", "200 2"),
      ("GET", "/teams/1", #"200 {"id":1,"name":"Kanto"}"#),
    ])
  func answers(_ method: String, _ target: String, _ expected: String) async throws {
    let service = try await Served().service()
    #expect(try await service.answer(method, target).description == expected)
  }

  @Test(
    "with a status that says what is wrong",
    arguments: [
      ("GET", "/trainers/9", 404), ("GET", "/trainers/x", 404), ("GET", "/nothing", 404), ("GET", "/", 404),
      ("GET", "/trainers/1/2", 404), ("GET", "/trainers:nothing", 404), ("GET", "/trainers:count/1", 404),
      ("DELETE", "/trainers/1", 405), ("POST", "/trainers", 405), ("GET", "/trainers:update", 405),
      ("BREW", "/trainers", 405), ("GET", "/trainers?wher=id%20=%201", 400), ("GET", "/trainers?where=id%20=", 400),
      ("GET", "/trainers?limit=-1", 400), ("GET", "/trainers?limit=1&limit=2", 400), ("GET", "/trainers?where", 400),
      ("GET", "/trainers?where=id%20=%20%zz", 400), ("GET", "/trainers?where=%FF", 400), ("GET", "/trainers/", 400),
      ("GET", "/../trainers", 400), ("GET", "/%2e%2e/trainers", 400), ("GET", "//trainers", 400),
      ("GET", "trainers", 400), ("GET", "/trainers?after=AAAA", 400), ("GET", "/trainers?where=name%20=%205", 400),
      ("GET", "/trainers?columns=", 400), ("GET", "/trainers?columns=name,name", 400),
      ("GET", "/trainers:count?limit=1", 400), ("OPTIONS", "/trainers", 204),
      ("GET", "/trainers:count?columns=id", 400), ("GET", "/trainers:changes?columns=id", 400),
      ("GET", "/trainers/1?colums=id", 400), ("GET", "/trainers/1?where=true", 400),
      ("POST", "/trainers:find?where=true", 400), ("POST", "/trainers:project?columns=id", 400),
      ("POST", "/openapi.json", 405), ("OPTIONS", "/openapi.json", 204),
    ])
  func statuses(_ method: String, _ target: String, _ status: Int) async throws {
    let service = try await Served().service()
    let answer = try await service.answer(method, target)
    #expect(answer.status == status, "\(answer)")
    if status >= 400 {
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(answer.text.contains("\"status\":\(status)") && answer.text.contains("\"code\":"))
    }
    if status == 405 || status == 204 { #expect(answer.headers["Allow"] != nil) }
  }

  @Test("and refuses addresses and bodies that are too long")
  func tooLong() async throws {
    let service = try await Served().service()
    let long = String(repeating: "x", count: 70_000)
    let refused = try await service.answer("GET", "/trainers?where=name%20=%20'\(long)'")
    #expect(refused.status == 414 && refused.text.contains("URI Too Long"))
    // Nor is where a body is wrong told at length.
    let nested = try await service.answer("POST", "/trainers:find", String(repeating: "[", count: 60_000))
    #expect(nested.status == 400 && nested.text.utf8.count < 1_000)
    #expect(try await service.answer("POST", "/trainers:find", "\"\(long)\"").status == 413)
    let deep = String(repeating: #"{"not":"#, count: 3_000)
    #expect(try await service.answer("POST", "/trainers:find", #"{"version":1,"query":\#(deep)true"#).status == 400)
    let many = (0..<500).map { "id = \($0)" }.joined(separator: " or ").split(separator: " ").joined(separator: "%20")
    #expect(try await service.answer("GET", "/trainers?where=\(many)").text.contains("more than 200 conditions"))
    // A database sorts by so many terms, https://www.sqlite.org/limits.html, and is not asked for more.
    let terms = (0..<201).map { "id%2B\($0)" }.joined(separator: ",")
    #expect(try await service.answer("GET", "/trainers?sort=\(terms)").text.contains("more than 200 terms"))
    let keys = (0..<201).map { "{\"expression\":\"id+\($0)\"}" }.joined(separator: ",")
    let groups = "{\"version\":1,\"columns\":[\"id\"],\"first\":{\"limit\":1,\"groups\":[\(keys)]}}"
    #expect(try await service.answer("POST", "/trainers:project", groups).text.contains("more than 200 keys"))
    let pair = #"{"and":[{"key":"id","op":"=","value":1},{"key":"id","op":"=","value":2}]}"#
    let counted = Array(repeating: #"{"aggregate":"count","query":\#(pair)}"#, count: 101).joined(separator: ",")
    for (counts, message) in [
      (#""aggregates":[{"aggregate":"count"}],"groups":[\#(keys)]"#, "more than 200 aggregates"),
      (#""aggregates":[\#(counted)]"#, "more than 200 conditions"),
    ] {
      let answer = try await service.answer("POST", "/trainers:aggregate", #"{"version":1,\#(counts)}"#)
      #expect(answer.text.contains(message), "\(answer)")
    }
  }

  /// An element with a text for its key.
  private struct Word: Entity {
    let id: String
    static let schema = Schema("word", Word.init, Column("id", \.id))
  }

  @Test(
    "by keys of any letters",
    arguments: [
      ("a+b", "a+b"), ("a%2Bb", "a+b"), ("a%20b", "a b"), ("a%2Fb", "a/b"), ("a%2520b", "a%20b"), ("%C3%A9", "é"),
    ])
  func textKeys(escaped: String, key: String) async throws {
    let words = try MemoryStore().repository(of: Word.self)
    try await words.save(["a+b", "a b", "a/b", "a%20b", "é"].map(Word.init))
    let service = try RepositoryService { Route("words", words).readingAll() }
    #expect(try await service.answer("GET", "/words/\(escaped)").description == #"200 {"id":"\#(key)"}"#)
  }

  @Test("as pages, whose links lead through all of them, both ways")
  func pages() async throws {
    let service = try await Served().service()
    let first = try await service.answer("GET", "/trainers?sort=name&columns=name")
    #expect(first.text == #"[{"name":"Ash"},{"name":"Brock"}]"#)
    let link = try #require(first.headers["Link"])
    #expect(link.hasSuffix("; rel=\"next\"") && first.headers.values("Link").count == 1)
    let next = String(link.dropFirst().prefix { $0 != ">" })
    let second = try await service.answer("GET", next)
    #expect(second.text == #"[{"name":"Misty"}]"#)
    let back = try #require(second.headers.values("Link").first { $0.contains("prev") })
    let again = try await service.answer("GET", String(back.dropFirst().prefix { $0 != ">" }))
    #expect(again.text == first.text)
    // A cursor is one of its order and table.
    let other = next.split(separator: "sort=name").joined(separator: "sort=badges")
    #expect(try await service.answer("GET", other).status == 400)
    let cursor = try #require(next.split(separator: "after=").last)
    #expect(try await service.answer("GET", "/teams?after=\(cursor)").status == 400)
  }

  @Test("as lines, where a whole result is allowed, and no more rows than that")
  func lines() async throws {
    let served = try await Served()
    let headers: WebHeaders = ["Accept": "application/x-ndjson"]
    let all = try await served.service().answer("GET", "/trainers?columns=id", headers: headers)
    #expect(all.text == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n" && all.headers["Repository-Row-Count"] == "3")
    let few = try served.service(served.route.pages(of: 1, atMost: 2, wholeResults: 2))
    #expect(try await few.answer("GET", "/trainers", headers: headers).status == 413)
    let none = try await served.service().answer("GET", "/trainers", headers: ["Accept": "text/html"])
    #expect(none.status == 406)
    // The most specific range decides, wherever it stands.
    for accept in ["*/*;q=0.5, application/x-ndjson, application/json;q=0.1", "application/*, application/json;q=0"] {
      let answer = try await served.service().answer("GET", "/trainers", headers: ["Accept": accept])
      #expect(answer.headers["Content-Type"] == "application/x-ndjson", "\(accept)")
    }
  }

  @Test("with a version, by which nothing is sent again that the client has")
  func versions() async throws {
    let service = try await Served().service()
    for target in ["/trainers", "/trainers/1"] {
      let tag = try #require(try await service.answer("GET", target).headers["ETag"])
      let again = try await service.answer("GET", target, headers: ["If-None-Match": "\"x\", W/\(tag)"])
      #expect(again.description == "304 " && again.headers["ETag"] == tag)
      #expect(try await service.answer("GET", target, headers: ["If-None-Match": "\"x\""]).status == 200)
    }
  }
}
