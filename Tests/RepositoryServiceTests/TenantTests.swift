import Repository
import RepositoryService
import TestSupport
import Testing

@Suite("Rows of several tenants in one table are apart, by values that the server fills")
struct TenantTests {
  struct User: Sendable {
    let name: String
    let tenant: String
  }

  struct Ticket: Entity, Hashable {
    let id: Int?
    var slug: String
    var title: String
    var tenant: String

    static let schema = Schema(
      "ticket", Ticket.init, Column("id", \.id, .generated), Column("slug", \.slug, .unique), Column("title", \.title),
      Column("tenant", \.tenant))
  }

  /// An element that belongs to the tenant of its ticket.
  struct Comment: Entity, Hashable {
    let id: Int?
    var ticket: Int
    var text: String

    static let parent = ToOne(\Comment.ticket, to: Ticket.self)
    static let schema = Schema(
      "comment", Comment.init, Column("id", \.id, .generated), Column("ticket", \.ticket), Column("text", \.text)
    ).references(parent)
  }

  static let ann = User(name: "ann", tenant: "a")
  static let ben = User(name: "ben", tenant: "b")
  private static let tickets = [
    Ticket(id: 1, slug: "x", title: "of a", tenant: "a"), Ticket(id: 2, slug: "y", title: "of b", tenant: "b"),
    Ticket(id: 3, slug: "z", title: "of a", tenant: "a"),
  ]
  private static let comments = [
    Comment(id: 1, ticket: 1, text: "of a"), Comment(id: 2, ticket: 2, text: "of b"),
  ]

  struct Shown {
    let tickets: AnyRepository<Ticket>
    let comments: AnyRepository<Comment>
    let service: RepositoryService

    init(inTransactions: Bool = true) async throws {
      let store = MemoryStore()
      tickets = try store.repository(of: Ticket.self)
      comments = try store.repository(of: Comment.self)
      try await tickets.insert(TenantTests.tickets)
      try await comments.insert(TenantTests.comments)
      let (tickets, comments) = (tickets, comments)
      service = try RepositoryService(transactionsIn: inTransactions ? store : nil) {
        Route("ticket", tickets).reading(\.id, \.slug, \.title).writing(\.slug, \.title, by: .all).allowing(.all)
          .filling(\.tenant) { request in try request.identity(as: User.self).tenant }
          .authorizing { request, ticket in ticket.tenant == (try request.identity(as: User.self).tenant) }
        Route("comment", comments).readingAll().writingAll().allowing(.all)
          .authorizing { request, comment in comment.parent.tenant == (try request.identity(as: User.self).tenant) }
      }
    }

    func answer(
      _ method: String, _ target: String, _ body: String = "", as user: User? = ann, headers: WebHeaders = [:]
    ) async throws -> Answer {
      let request = WebRequest(method, target, headers: headers, body: WebBody(Array(body.utf8)))
      let response = await service.respond(to: request, as: user)
      let text = String(decoding: try await response.body.collect(upTo: 1_000_000), as: UTF8.self)
      return Answer(status: response.status, headers: response.headers, text: text)
    }
  }

  @Test("in new and saved elements, whatever a client sends")
  func filled() async throws {
    let shown = try await Shown()
    let cases: [(String, String, String, String)] = [
      ("POST", "/ticket", #"{"slug":"n","title":"new"}"#, #"201 {"id":4,"slug":"n","title":"new"}"#),
      ("PUT", "/ticket/1", #"{"slug":"x","title":"mine"}"#, #"200 {"id":1,"slug":"x","title":"mine"}"#),
      ("PUT", "/ticket/9", #"{"slug":"m","title":"new"}"#, #"200 {"id":9,"slug":"m","title":"new"}"#),
      ("PUT", "/ticket", #"[{"id":3,"slug":"z","title":"c"},{"id":10,"slug":"o","title":"d"}]"#, "200 2"),
      ("PATCH", "/ticket/1", #"{"title":"patched"}"#, #"200 {"id":1,"slug":"x","title":"patched"}"#),
    ]
    for (method, target, body, answer) in cases {
      #expect(try await shown.answer(method, target, body).description == answer)
    }
    let lines = "{\"slug\":\"p\",\"title\":\"e\"}\n{\"slug\":\"q\",\"title\":\"f\"}\n"
    for headers in [["Content-Type": "application/x-ndjson", "Prefer": "return=minimal"] as WebHeaders] {
      #expect(try await shown.answer("POST", "/ticket", lines, headers: headers).description == "201 2")
    }
    #expect(try await shown.tickets.filter { $0.tenant == "a" }.count() == 7)
    #expect(try await shown.tickets.filter { $0.tenant == "b" }.all() == [Self.tickets[1]])
    // No client sees the column, nor sets it.
    for (method, target, body) in [
      ("POST", "/ticket", #"{"slug":"r","title":"g","tenant":"b"}"#), ("PATCH", "/ticket/1", #"{"tenant":"b"}"#),
      ("GET", "/ticket?where=tenant%20=%20'a'", ""),
    ] {
      #expect(try await shown.answer(method, target, body).status == 400)
    }
  }

  @Test("of which a client finds, changes and deletes no other tenant's")
  func others() async throws {
    let shown = try await Shown()
    let all = #"{"where":{"version":1,"query":true}}"#
    let title = #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"title","value":"z"}]}"#
    let cases: [(String, String, String, String)] = [
      ("GET", "/ticket:count", "", "200 2"), ("GET", "/ticket/2", "", "404"),
      ("PATCH", "/ticket/2", #"{"title":"z"}"#, "404"), ("DELETE", "/ticket/2", "", "404"),
      ("PUT", "/ticket/2", #"{"slug":"w","title":"z"}"#, "409"),
      ("PUT", "/ticket", #"[{"id":1,"slug":"x","title":"z"},{"id":2,"slug":"w","title":"z"}]"#, "409"),
      ("POST", "/ticket", #"{"id":2,"slug":"w","title":"z"}"#, "409"),
      ("POST", "/ticket:update", title, "200 2"), ("POST", "/ticket:delete", #"{"keys":["[2]"]}"#, "200 0"),
      ("DELETE", "/comment/1", "", "204"), ("POST", "/ticket:delete", all, "200 2"),
    ]
    for (method, target, body, expected) in cases {
      let answer = try await shown.answer(method, target, body)
      #expect(answer.description.hasPrefix(expected), "\(method) \(target): \(answer)")
    }
    #expect(try await shown.tickets.findAll() == [Self.tickets[1]])
    #expect(try await shown.answer("GET", "/ticket", as: nil).status == 401)
  }

  @Test("also where an element replaces the one with the same unique values")
  func upserts() async throws {
    let shown = try await Shown()
    let bodies = #"[{"slug":"x","title":"one"},{"slug":"n","title":"two"},{"slug":"n","title":"three"}]"#
    let answer = try await shown.answer("POST", "/ticket?conflict=update:slug", bodies)
    #expect(
      answer.description == """
        201 {"id":1,"slug":"x","title":"one"}
        {"id":4,"slug":"n","title":"three"}
        {"id":4,"slug":"n","title":"three"}

        """)
    let byKey = try await shown.answer("POST", "/ticket?conflict=update:id", #"[{"id":3,"slug":"z3","title":"four"}]"#)
    #expect(byKey.description == "201 {\"id\":3,\"slug\":\"z3\",\"title\":\"four\"}\n")
    // What another tenant has is a conflict, and stays.
    for (rule, body) in [
      ("update:slug", #"[{"slug":"x","title":"z"},{"slug":"y","title":"z"}]"#),
      ("update:id", #"[{"id":2,"slug":"q","title":"z"}]"#),
    ] {
      #expect(try await shown.answer("POST", "/ticket?conflict=\(rule)", body).status == 409)
    }
    let ignored = try await shown.answer("POST", "/ticket?conflict=ignore", #"[{"slug":"y","title":"z"}]"#)
    #expect(ignored.description == "201 ")
    #expect(
      try await shown.tickets.findAll() == [
        Ticket(id: 1, slug: "x", title: "one", tenant: "a"), Self.tickets[1],
        Ticket(id: 3, slug: "z3", title: "four", tenant: "a"), Ticket(id: 4, slug: "n", title: "three", tenant: "a"),
      ])
    let without = try await Shown(inTransactions: false)
    let refused = try await without.answer("POST", "/ticket?conflict=update:slug", #"[{"slug":"x","title":"z"}]"#)
    #expect(refused.status == 422 && refused.text.contains("no store with transactions"), "\(refused)")
    #expect(try await without.tickets.findAll() == Self.tickets)
  }

  @Test("also where the tenant is that of another row")
  func parents() async throws {
    let shown = try await Shown()
    let lines: WebHeaders = ["Content-Type": "application/x-ndjson", "Prefer": "return=minimal"]
    let byQuery = #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"text","value":"u"}]}"#
    let moved = #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"ticket","value":2}]}"#
    let cases: [(String, String, String, WebHeaders, String)] = [
      ("POST", "/comment", #"{"ticket":1,"text":"n"}"#, [:], #"201 {"id":3,"ticket":1,"text":"n"}"#),
      ("POST", "/comment", #"{"ticket":2,"text":"z"}"#, [:], "403"),
      ("POST", "/comment", "{\"ticket\":3,\"text\":\"n\"}\n{\"ticket\":2,\"text\":\"z\"}\n", lines, "403"),
      ("POST", "/comment", "{\"ticket\":3,\"text\":\"n\"}\n", lines, "201 1"),
      ("PUT", "/comment/1", #"{"ticket":3,"text":"s"}"#, [:], #"200 {"id":1,"ticket":3,"text":"s"}"#),
      ("PUT", "/comment/1", #"{"ticket":2,"text":"z"}"#, [:], "403"),
      ("PUT", "/comment/2", #"{"ticket":1,"text":"z"}"#, [:], "409"),
      ("PUT", "/comment", #"[{"id":1,"ticket":3,"text":"s"},{"id":20,"ticket":1,"text":"s"}]"#, [:], "200 2"),
      ("PUT", "/comment", #"[{"id":1,"ticket":3,"text":"z"},{"id":21,"ticket":2,"text":"z"}]"#, [:], "403"),
      ("PATCH", "/comment/1", #"{"text":"p"}"#, [:], #"200 {"id":1,"ticket":3,"text":"p"}"#),
      ("PATCH", "/comment/1", #"{"ticket":2}"#, [:], "403"), ("PATCH", "/comment/2", #"{"text":"z"}"#, [:], "404"),
      ("POST", "/comment:update", moved, [:], "403"), ("POST", "/comment:update", byQuery, [:], "200 4"),
      ("POST", "/comment?conflict=update:id", #"[{"id":1,"ticket":3,"text":"w"}]"#, [:], "201"),
      ("POST", "/comment?conflict=update:id", #"[{"id":1,"ticket":2,"text":"z"}]"#, [:], "403"),
      ("POST", "/comment?conflict=update:id", #"[{"id":2,"ticket":1,"text":"z"}]"#, [:], "409"),
      ("POST", "/comment?conflict=ignore", #"[{"id":30,"ticket":2,"text":"z"}]"#, [:], "403"),
      ("GET", "/comment/2", "", [:], "404"), ("DELETE", "/comment/2", "", [:], "404"),
    ]
    for (method, target, body, headers, expected) in cases {
      let answer = try await shown.answer(method, target, body, headers: headers)
      #expect(answer.description.hasPrefix(expected), "\(method) \(target) \(body): \(answer)")
    }
    #expect(try await shown.comments.filter { $0.text == "z" }.count() == 0)
    #expect(try await shown.comments.find(2) == Self.comments[1])
    // Without transactions a write could not be undone.
    let without = try await Shown(inTransactions: false)
    for (method, target) in [("POST", "/comment"), ("PUT", "/comment/9"), ("PUT", "/comment")] {
      let answer = try await without.answer(method, target, #"{"id":9,"ticket":1,"text":"n"}"#)
      #expect(answer.status == 422 && answer.text.contains("no store with transactions"), "\(method): \(answer)")
    }
    #expect(try await without.answer("PATCH", "/comment/1", #"{"text":"p"}"#).status == 200)
    #expect(try await without.comments.count() == 2)
  }

  @Test("by an identity that no header replaces, and of which a key for a write is one's own")
  func identities() async throws {
    let shown = try await Shown()
    for target in ["/ticket", "/comment"] {
      let forged = try await shown.answer(
        "GET", target, as: nil, headers: ["X-User": "ann", "Authorization": "Bearer a"])
      #expect(forged.status == 401 && forged.headers["WWW-Authenticate"] == "Bearer")
    }
    struct Stranger {}
    #expect(await shown.service.respond(to: WebRequest("GET", "/ticket"), as: Stranger()).status == 401)
    // A route that only fills: a key for a write belongs to those for whom the same is filled.
    let (store, tickets) = (MemoryStore(), shown.tickets)
    let service = try RepositoryService(transactionsIn: store) {
      Route("ticket", tickets).reading(\.id, \.slug, \.title).writing(\.slug, \.title, by: .insert)
        .filling(\.tenant) { request in try request.identity(as: User.self).tenant }
    }
    for (user, slug, status) in [(Self.ann, "k", 201), (Self.ben, "l", 201), (Self.ann, "k", 201)] {
      let request = WebRequest(
        "POST", "/ticket", headers: ["Idempotency-Key": "1"],
        body: WebBody(Array(#"{"slug":"\#(slug)","title":"t"}"#.utf8)))
      #expect(await service.respond(to: request, as: user).status == status)
    }
    #expect(try await tickets.filter { $0.title == "t" }.all().map(\.tenant) == ["a", "b"])
    #expect(await service.respond(to: WebRequest("GET", "/ticket")).status == 200)
  }

  @Test("without a middleware, by what a closure checks itself")
  func headers() async throws {
    let tickets = try MemoryStore().repository(of: Ticket.self)
    let service = try RepositoryService {
      Route("ticket", tickets).reading(\.id, \.slug, \.title, \.tenant).writing(\.slug, \.title, by: .insert)
        .filling(\.tenant) { request in
          guard request.headers["Authorization"] == "Bearer secret" else { throw RouteRefusal.forbidden() }
          return "a"
        }
    }
    let body = #"{"slug":"x","title":"t","tenant":"b"}"#
    #expect(try await service.answer("POST", "/ticket", body).status == 403)
    let answer = try await service.answer("POST", "/ticket", body, headers: ["Authorization": "Bearer secret"])
    #expect(answer.description == #"201 {"id":1,"slug":"x","title":"t","tenant":"a"}"#)
  }

  @Test("of a column that the server alone writes")
  func contradictions() throws {
    let tickets = try MemoryStore().repository(of: Ticket.self)
    let route = Route("ticket", tickets).readingAll().writingAll().filling(\.tenant) { _ in "a" }
    let description = try RepositoryService { route }.openAPI()
    #expect(description.contains("slug") && !description.contains("tenant"))
    let wrong = [
      route.filling(\.tenant) { _ in "b" }, route.writing(\.tenant, by: .insert), route.filling(\.id) { _ in 1 },
    ]
    for route in wrong {
      expectError(.invalidSchema) { try RepositoryService { route } }
    }
  }
}
