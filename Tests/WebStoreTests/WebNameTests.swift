import Repository
import RepositoryService
import TestSupport
import Testing
import WebStore

@Suite("A web store names routes, whatever the tables of the client and of the server are called")
struct WebNameTests {
  private struct StoredPerson: Entity {
    let id: Int
    var name: String

    static let schema = Schema("stored_person", StoredPerson.init, Column("id", \.id), Column("name", \.name))
  }

  private struct StoredTicket: Entity {
    let id: Int
    var title: String
    var author: Int?
    var internalNote: String?

    static let writer = ToOne(\StoredTicket.author, to: StoredPerson.self)
    static let schema = Schema(
      "stored_ticket", StoredTicket.init, Column("id", \.id), Column("title", \.title, .unique),
      Column("author", \.author), Column("internal_note", \.internalNote)
    ).references(writer)
  }

  private struct Person: Entity, Hashable {
    let id: Int
    var name: String

    static let tickets = ToMany(Ticket.writer)
    static let schema = Schema("person", Person.init, Column("id", \.id), Column("name", \.name))
  }

  private struct Ticket: Entity, Hashable {
    let id: Int
    var title: String
    var author: Int?

    static let writer = ToOne(\Ticket.author, to: Person.self)
    static let schema = Schema(
      "ticket", Ticket.init, Column("id", \.id), Column("title", \.title), Column("author", \.author)
    ).references(writer)
  }

  private static let samples = [
    Ticket(id: 1, title: "b", author: 1), Ticket(id: 2, title: "a", author: 2), Ticket(id: 3, title: "c", author: 1),
  ]

  private static func service() async throws -> RepositoryService {
    let store = MemoryStore()
    let people = try store.repository(of: StoredPerson.self)
    let tickets = try store.repository(of: StoredTicket.self)
    try await people.save([StoredPerson(id: 1, name: "Ann"), StoredPerson(id: 2, name: "Ben")])
    try await tickets.save(
      samples.map { StoredTicket(id: $0.id, title: $0.title, author: $0.author, internalNote: "secret") })
    return try RepositoryService(transactionsIn: store) {
      Route("tickets", tickets).reading(\.id, \.title, \.author).writing(\.title, \.author, by: .all).allowing(.all)
      Route("people", people).readingAll().allowing(.all)
    }
  }

  private static func store() async throws -> WebStore {
    var options = WebStoreOptions()
    options.routes = ["ticket": "tickets", "person": "people"]
    return WebStore(over: try await service(), options: options)
  }

  @Test("in pages, forwards and backwards")
  func pages() async throws {
    let store = try await Self.store()
    let opened = [
      try store.repository(of: Ticket.self), AnyRepository(try store.webRepository(of: Ticket.self, at: "tickets")),
    ]
    for tickets in opened {
      let sorted = tickets.sorted { $0.title.descending }
      let first = try await sorted.page(size: 2)
      #expect(first.elements.map(\.id) == [3, 1])
      let next = try #require(first.next)
      let second = try await sorted.page(size: 2, after: next)
      #expect(second.elements.map(\.id) == [2])
      let previous = try #require(second.previous)
      let back = try await sorted.page(size: 2, before: previous)
      #expect(back.elements == first.elements)
      let error = await #expect(throws: RepositoryError.self) {
        try await tickets.sorted { $0.title.ascending }.page(size: 2, after: next)
      }
      #expect((error?.underlying as? QueryError)?.code == .invalidCursor)
    }
  }

  @Test("in relations, both ways, in every request")
  func relations() async throws {
    let store = try await Self.store()
    let (tickets, people) = (try store.repository(of: Ticket.self), try store.repository(of: Person.self))
    #expect(try await tickets.filter { $0.writer.name == "Ann" }.all().map(\.id) == [1, 3])
    let authors = people.filter { $0.tickets.contains { $0.title == "a" } }
    #expect(try await authors.all().map(\.name) == ["Ben"])
    #expect(try await authors.count() == 1)
    #expect(try await people.sorted { $0.tickets.count.descending }.all().map(\.name) == ["Ann", "Ben"])
    let trees = try await people.sorted { $0.id.ascending }.including(Person.tickets.from(tickets)).all()
    #expect(trees.count == 2)
    #expect(try await tickets.filter { $0.writer.name == "Ann" }.update { $0.author = 2 } == 2)
    #expect(try await tickets.filter { $0.writer.name == "Ben" }.delete() == 3)
    for try await found in authors.changes() {
      #expect(found.isEmpty)
      break
    }
  }

  @Test("in errors")
  func errors() async throws {
    let tickets = try await Self.store().repository(of: Ticket.self)
    await expectError(summary: "another row of tickets has the same title (text)") {
      try await tickets.insert(Ticket(id: 9, title: "a", author: nil))
    }
    await expectError(summary: "no column internal_note in tickets") {
      try await tickets.count(.equal(key: "internal_note", value: "x"))
    }
  }
}
