import Repository
import RepositoryService
import Testing

@Suite("Outside of a service, the name of a route stands for that of its table")
struct RouteNameTests {
  private struct Person: Entity {
    let id: Int
    var name: String

    static let schema = Schema("stored_person", Person.init, Column("id", \.id), Column("name", \.name))
  }

  /// An element that refers to another, and to one of its own kind; one of its columns has the name of a table.
  private struct Ticket: Entity {
    let id: Int
    var title: String
    var author: Int?
    var parent: Int?
    var internalNote: String?

    static let writer = ToOne(\Ticket.author, to: Person.self)
    static let whole = ToOne(\Ticket.parent, to: Ticket.self)
    static let schema = Schema(
      "stored_ticket", Ticket.init, Column("id", \.id), Column("title", \.title, .unique), Column("author", \.author),
      Column("parent", \.parent), Column("internal_note", \.internalNote)
    ).references(writer).references(whole)
  }

  private static func service(_ more: (AnyRepository<Ticket>) -> [AnyRoute] = { _ in [] }) async throws
    -> RepositoryService
  {
    let store = MemoryStore()
    let people = try store.repository(of: Person.self)
    let tickets = try store.repository(of: Ticket.self)
    try await people.save([Person(id: 1, name: "Ann"), Person(id: 2, name: "Ben")])
    try await tickets.save([
      Ticket(id: 1, title: "a", author: 1, parent: nil, internalNote: nil),
      Ticket(id: 2, title: "b", author: 2, parent: 1, internalNote: nil),
      Ticket(id: 3, title: "c", author: nil, parent: 2, internalNote: nil),
    ])
    let others = more(tickets)
    return try RepositoryService(transactionsIn: store) {
      Route("tickets", tickets).reading(\.id, \.title, \.author, \.parent)
        .writing(\.title, \.author, \.parent, by: .all).allowing(.all).pages(of: 2, atMost: 5)
      Route("people", people).readingAll().writingAll().allowing(.all)
      others
    }
  }

  @Test(
    "in relations, from other routes and in nested ones",
    arguments: [
      ("/tickets?columns=id&where=author.name%20=%20'Ann'", "[1]"),
      ("/tickets?columns=id&where=parent.author.name%20=%20'Ann'", "[2]"),
      ("/people?columns=id&where=any%20tickets%20by%20author%20(title%20=%20'b')", "[2]"),
      (
        "/people?columns=id&where=any%20tickets%20by%20author%20(any%20tickets%20by%20parent%20(title%20=%20'c'))",
        "[2]"
      ),
      ("/people?columns=id&sort=-max(title%20of%20tickets%20by%20author)", "[2, 1]"),
      ("/tickets?columns=id&where=any%20tickets%20by%20parent", "[1, 2]"),
    ])
  func relations(_ target: String, _ ids: String) async throws {
    let answer = try await Self.service().answer("GET", target)
    let expected = ids.dropFirst().dropLast().split(separator: ", ").map { "{\"id\":\($0)}" }.joined(separator: ",")
    #expect(answer.description == "200 [\(expected)]")
  }

  @Test("in every form of a request")
  func forms() async throws {
    let service = try await Self.service()
    let count = #"{"version":1,"columns":["id",{"name":"n","key":{"expression":"count(tickets by author)"}}]}"#
    #expect(try await service.answer("POST", "/people:project", count).text == "[1,1]\n[2,1]\n")
    let groups =
      #"{"version":1,"aggregates":[{"aggregate":"count"}],"groups":[{"expression":"count(tickets by author)"}]}"#
    #expect(try await service.answer("POST", "/people:aggregate", groups).text == "[1,2]\n")
    let update =
      #"{"where":{"version":1,"query":{"expression":"any tickets by author (title = 'a')"}},"#
      + #""set":[{"version":1,"key":"name","value":"A"}]}"#
    #expect(try await service.answer("POST", "/people:update", update).description == "200 1")
    let response = await service.respond(to: WebRequest("GET", "/people:changes?where=any%20tickets%20by%20author"))
    var chunks = response.body.makeAsyncIterator()
    while let chunk = try await chunks.next() {
      if String(decoding: chunk, as: UTF8.self).contains("Ben") { break }
    }
  }

  @Test("also of several routes with one table")
  func severalRoutes() async throws {
    let service = try await Self.service { tickets in
      [AnyRoute(Route("titles", tickets).reading(\.id, \.title, \.author, \.parent).allowing(.all))]
    }
    for route in ["tickets", "titles"] {
      let target = "/people?columns=id&where=any%20\(route)%20by%20author%20(any%20\(route)%20by%20parent)"
      #expect(try await service.answer("GET", target).text == #"[{"id":1},{"id":2}]"#)
      let own = "/\(route)?columns=id&where=any%20\(route)%20by%20parent%20(parent.title%20=%20'a')"
      #expect(try await service.answer("GET", own).text == #"[{"id":1}]"#)
    }
  }

  @Test(
    "in messages, of which none names a table or a hidden column",
    arguments: [
      ("GET", "/tickets?where=internal_note%20=%20'x'", "", "no column internal_note in tickets"),
      ("GET", "/people?where=any%20stored_ticket%20by%20author", "", "there is no table stored_ticket beside people"),
      ("POST", "/tickets", #"{"id":9,"title":"a"}"#, "another row of tickets has the same title (text)"),
      (
        "POST", "/tickets", #"{"id":9,"title":"z","author":7}"#,
        "author (number) of tickets refers to a row of people that does not exist"
      ),
      ("DELETE", "/people/1", "", "can't delete a row of people, because author of tickets refers to the row"),
      (
        "POST", "/tickets:update",
        #"{"where":{"version":1,"query":true},"set":[{"version":1,"key":"title","value":null}]}"#, "tickets"
      ),
    ])
  func messages(_ method: String, _ target: String, _ body: String, _ message: String) async throws {
    let answer = try await Self.service().answer(method, target, body)
    #expect(answer.status >= 400 && answer.text.contains(message), "\(answer)")
    let isAskedFor = target.contains("stored_")
    #expect(isAskedFor || !answer.text.contains("stored_"), "\(answer)")
  }

  @Test("in the description")
  func description() async throws {
    let text = try await Self.service().openAPI()
    #expect(text.contains("tickets") && !text.contains("stored_") && !text.contains("internal_note"))
  }

  @Test("in cursors, with which the pages of a client are those of the links")
  func cursors() async throws {
    let service = try await Self.service()
    let table = try TableSchema(
      "tickets", columns: [ColumnSchema("id", .integer), ColumnSchema("title", .text)], primaryKey: ["id"])
    for sort in ["title", "-title", "id", "author,-title"] {
      let link = try #require(try await service.answer("GET", "/tickets?columns=id&sort=\(sort)").headers["Link"])
      let next = String(link.dropFirst().prefix { $0 != ">" })
      #expect(try await service.answer("GET", next).status == 200, "\(sort)")
    }
    // A client that does not know that titles are unique: the order of its cursor goes on with the key.
    let cursor = try Cursor(at: [1, "a"], in: table, sortedBy: .ascending(key: "title"))
    let page = try await service.answer("GET", "/tickets?columns=id&sort=title&after=\(cursor.text)")
    #expect(page.text == #"[{"id":2},{"id":3}]"#)
    let whole = try await service.answer(
      "POST", "/tickets:project", #"{"version":1,"columns":["id"],"sort":[{"key":"title"}],"after":"\#(cursor.text)"}"#)
    #expect(whole.text == "[2]\n[3]\n")
    let other = try Cursor(at: [1, "a"], in: table, sortedBy: .descending(key: "title"))
    #expect(try await service.answer("GET", "/tickets?sort=title&after=\(other.text)").status == 400)
    #expect(try await service.answer("GET", "/people?sort=name&after=\(cursor.text)").status == 400)
  }

  @Test("where names of tables and routes are swapped, and one is a word of a message")
  func swappedNames() async throws {
    struct Row: Entity {
      let id: Int
      var name: String
      static let schema = Schema("of", Row.init, Column("id", \.id), Column("name", \.name, .unique))
    }
    struct Other: Entity {
      let id: Int
      var of: Int
      static let row = ToOne(\Other.of, to: Row.self)
      static let schema = Schema("row", Other.init, Column("id", \.id), Column("of", \.of)).references(row)
    }
    let store = MemoryStore()
    let (rows, others) = (try store.repository(of: Row.self), try store.repository(of: Other.self))
    try await rows.save(Row(id: 1, name: "a"))
    try await others.save(Other(id: 1, of: 1))
    let service = try RepositoryService {
      Route("row", rows).readingAll().writingAll().allowing(.all)
      Route("of", others).readingAll().writingAll().allowing(.all)
    }
    #expect(try await service.answer("GET", "/row:count?where=any%20%22of%22%20by%20%22of%22").text == "1")
    let taken = try await service.answer("POST", "/row", #"{"id":2,"name":"a"}"#)
    #expect(taken.text.contains("another row of row has the same name"), "\(taken)")
    let lost = try await service.answer("POST", "/of", #"{"id":2,"of":9}"#)
    #expect(lost.text.contains("of (number) of of refers to a row of row that does not exist"), "\(lost)")
  }
}
