import Repository
import RepositoryService
import TestSupport
import Testing

/// Runs what the article *Serving a repository* says.
@Suite("The article Serving a repository tells the truth")
struct ServiceArticleTests {
  struct Pokemon: Entity {
    let id: Int
    var name: String
    var type: String
    var weight: Double
    var location: String

    static let schema = Schema<Pokemon>(table: "pokemon") {
      Parameters(of: Pokemon.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("type", \.type)
      Column("weight", \.weight)
      Column("location", \.location)
    }
  }

  struct User {
    let tenant: String
  }

  struct Ticket: Entity {
    let id: Int
    var title: String
    var tenant: String

    static let schema = Schema<Ticket>(table: "stored_ticket") {
      Parameters(of: Ticket.init)
      Column("id", \.id)
      Column("title", \.title)
      Column("tenant", \.tenant)
    }
  }

  @Test("in its snippets")
  func snippets() throws {
    let article = try Article("Sources/RepositoryService/RepositoryService.docc/ServingARepository.md")
    let (count, missing) = try article.snippets()
    #expect(missing == [] && count > 20)
  }

  @Test("in what it shows")
  func shows() async throws {
    let store = MemoryStore()
    let pokedex = try store.repository(of: Pokemon.self)
    let tickets = try store.repository(of: Ticket.self)
    let ann = User(tenant: "a")
    try await pokedex.save(Pokemon(id: 143, name: "Snorlax", type: "normal", weight: 460, location: "Route 12"))
    try await tickets.save([Ticket(id: 1, title: "x", tenant: "a"), Ticket(id: 2, title: "y", tenant: "b")])
    let service = try RepositoryService(transactionsIn: store) {
      Route("pokemon", pokedex)
        .reading(\.id, \.name, \.type, \.weight)
        .allowing(.textSearch, .aggregates, .wholeResults, .liveResults)
        .pages(of: 20, atMost: 100)
        .writing(\.name, \.weight, by: [.save, .update])
    }
    let request = WebRequest("GET", "/pokemon?where=weight%20%3E%2090&sort=-weight&limit=1&columns=name,weight")
    let response = await service.respond(to: request)
    #expect(response.status == 200)
    let bytes = try await response.body.collect(upTo: 1_000_000)
    #expect(String(decoding: bytes, as: UTF8.self) == #"[{"name":"Snorlax","weight":460.0}]"#)

    let shown = Route("ticket", tickets)
      .reading(\.id, \.title)
      .writing(\.title, by: .all)
      .filling(\.tenant) { request in try request.identity(as: User.self).tenant }
      .authorizing { request, ticket in ticket.tenant == (try request.identity(as: User.self).tenant) }
    let tracker = try RepositoryService(transactionsIn: store) { shown }
    let mine = WebRequest("GET", "/ticket:count")
    #expect(try await tracker.respond(to: mine, as: ann).body.collect(upTo: 10) == Array("1".utf8))
    #expect(await tracker.respond(to: mine).status == 401)

    let seen = await service.respond(to: WebRequest("GET", "/pokemon/143")).headers["ETag"] ?? ""
    let patch = WebRequest(
      "PATCH", "/pokemon/143", headers: ["If-Match": seen], body: WebBody(Array(#"{"weight":450}"#.utf8)))
    #expect(await service.respond(to: patch).status == 200)
    #expect(await service.respond(to: patch).status == 412)
  }
}
