import Repository
import RepositoryService
import TestSupport
import Testing
import WebStore

@Suite("The client of one tenant needs no knowledge of tenants")
struct TenantStoreTests {
  private struct StoredTicket: Entity, Hashable {
    let id: Int
    var slug: String
    var title: String
    var tenant: String

    static let schema = Schema(
      "stored_ticket", StoredTicket.init, Column("id", \.id), Column("slug", \.slug, .unique),
      Column("title", \.title), Column("tenant", \.tenant))
  }

  private struct Ticket: Entity, Hashable {
    let id: Int
    var slug: String
    var title: String

    static let schema = Schema(
      "ticket", Ticket.init, Column("id", \.id), Column("slug", \.slug, .unique), Column("title", \.title))
  }

  @Test("in any way of writing")
  func writes() async throws {
    let store = MemoryStore()
    let stored = try store.repository(of: StoredTicket.self)
    let service = try RepositoryService(transactionsIn: store) {
      Route("ticket", stored).reading(\.id, \.slug, \.title).writing(\.slug, \.title, by: .all).allowing(.all)
        .filling(\.tenant) { request in try request.identity(as: String.self) }
        .authorizing { request, ticket in ticket.tenant == (try request.identity(as: String.self)) }
    }
    let ann = try WebStore(over: service.transport(as: "a")).repository(of: Ticket.self)
    let ben = try WebStore(over: service.transport(as: "b")).repository(of: Ticket.self)
    try await ann.insert(Ticket(id: 1, slug: "a1", title: "t"))
    try await ben.save(Ticket(id: 2, slug: "b2", title: "t"))
    try await ann.insert(contentsOf: [Ticket(id: 3, slug: "a3", title: "t")])
    try await ben.save(contentsOf: [Ticket(id: 4, slug: "b4", title: "t"), Ticket(id: 2, slug: "b2", title: "u")])
    #expect(try await ann.upsert(Ticket(id: 9, slug: "a3", title: "u"), by: \.slug).id == 3)
    #expect(try await ben.filter { $0.id > 0 }.update { $0.title = "v" } == 2)
    let taken = Ticket(id: 1, slug: "z", title: "z")
    let inserted = await #expect(throws: RepositoryError.self) { try await ben.insert(taken) }
    let saved = await #expect(throws: RepositoryError.self) { try await ben.save(taken) }
    #expect(inserted?.code == .conflict && saved?.code == .conflict)
    await expectError(.conflict) {
      try await ben.upsert(Ticket(id: 8, slug: "a1", title: "z"), by: \.slug)
    }
    #expect(try await ben.delete(1) == 0)
    #expect(try await ann.findAll().map(\.title) == ["t", "u"])
    #expect(try await stored.findAll().map(\.tenant) == ["a", "b", "a", "b"])
  }
}
