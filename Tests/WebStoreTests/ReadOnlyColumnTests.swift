import Foundation
import Repository
import RepositoryService
import TestSupport
import Testing
import WebStore

@Suite("A column that clients read and don't write has the server's value, and clients need not know of it")
struct ReadOnlyColumnTests {
  private struct Note: Entity, Hashable {
    let id: Int?
    var slug: String
    var text: String
    var views: Int
    var remark: String?
    var createdAt: Date?
    var updatedAt: Date

    static let schema = Schema(
      "note", Note.init, Column("id", \.id, .generated), Column("slug", \.slug, .unique), Column("text", \.text),
      Column("views", \.views, .default(7)), Column("remark", \.remark),
      Column("created_at", \.createdAt, .createdAt(by: { now })),
      Column("updated_at", \.updatedAt, .updatedAt(by: { now }))
    )
  }

  private static let now = Date(timeIntervalSince1970: 1_000_000_000)
  private static let forged = Date(timeIntervalSince1970: 0)

  private static func sent(_ id: Int?, _ text: String) -> Note {
    Note(
      id: id, slug: "s\(id ?? 0)", text: text, views: 99, remark: "forged", createdAt: forged, updatedAt: forged)
  }

  private static func served(
    inTransactions: Bool = true
  ) throws -> (notes: AnyRepository<Note>, service: RepositoryService, web: AnyRepository<Note>) {
    let store = MemoryStore()
    let notes = try store.repository(of: Note.self)
    let service = try RepositoryService(transactionsIn: inTransactions ? store : nil) {
      Route("note", notes).readingAll().writing(\.slug, \.text, by: .all).allowing(.all)
    }
    return (notes, service, try WebStore(over: service).repository(of: Note.self))
  }

  @Test("in an element that is inserted, in each way")
  func inserted() async throws {
    let (notes, service, web) = try Self.served()
    let first = try await web.insert(Self.sent(nil, "a"))
    #expect(first.views == 7 && first.remark == nil && first.createdAt == Self.now && first.updatedAt == Self.now)
    try await web.insert([Self.sent(2, "b"), Self.sent(3, "c")])
    try await web.insert(contentsOf: [Self.sent(4, "d")])
    try await web.save(Self.sent(5, "e"))
    try await web.insert([Self.sent(6, "f")], onConflict: .ignore)
    let body = #"{"id":7,"slug":"s7","text":"g","views":99,"created_at":"1970-01-01T00:00:00.000000000Z"}"#
    #expect(try await service.answer("POST", "/note", body) == 201)
    #expect(try await service.answer("PUT", "/note/8", #"{"slug":"s8","text":"h","views":"x"}"#) == 200)
    for note in try await notes.findAll() {
      #expect(note.views == 7 && note.remark == nil && note.createdAt == Self.now && note.updatedAt == Self.now)
    }
    #expect(try await notes.findAll().map(\.text) == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  @Test("in an element that is saved, which keeps the stored value", arguments: [true, false])
  func saved(inTransactions: Bool) async throws {
    let (notes, service, web) = try Self.served(inTransactions: inTransactions)
    var stored = (1...5).map { id in
      Note(id: id, slug: "s\(id)", text: "a", views: id, remark: "r", createdAt: Self.forged + 9, updatedAt: Self.now)
    }
    try await notes.insert(stored)
    try await web.save(Self.sent(1, "b"))
    try await web.save([Self.sent(2, "b"), Self.sent(3, "b")])
    try await web.save(contentsOf: [Self.sent(4, "b")])
    let versioned = try WebStore(over: service).webRepository(of: Note.self, at: "note")
    let (_, version) = try #require(try await versioned.findVersioned(5))
    try await versioned.save(Self.sent(5, "b"), ifVersion: version)
    for index in stored.indices { stored[index].text = "b" }
    #expect(try await notes.findAll() == stored)
  }

  @Test("in streams of any length, all or none of which is saved")
  func streams() async throws {
    let (notes, service, web) = try Self.served()
    let text = String(repeating: "x", count: 1_000)
    try await notes.insert((1...2_000).map { Self.sent($0, "a") })
    try await notes.filter { $0.id != nil }.update { $0.views = 1 }
    #expect(try await web.save(contentsOf: (1...2_500).map { Self.sent($0, text) }) == 2_500)
    #expect(try await notes.filter { $0.text == text }.count() == 2_500)
    #expect(try await notes.filter { $0.views == 1 }.count() == 2_000)
    let lines = (1...100).map { #"{"id":\#($0),"slug":"s\#($0)","text":"\#(text)!"}"# } + [#"{"id":"x"}"#]
    let headers: WebHeaders = ["Content-Type": "application/x-ndjson"]
    #expect(try await service.answer("PUT", "/note", lines.joined(separator: "\n"), headers: headers) == 422)
    #expect(try await notes.filter { $0.text == text }.count() == 2_500)
  }

  @Test("and is refused where a request sets the column itself")
  func set() async throws {
    let (notes, service, web) = try Self.served()
    try await notes.insert(Self.sent(1, "a"))
    let before = try await notes.findAll()
    await expectError(summary: "the column created_at is not writable here") {
      try await web.filter { $0.id == 1 }.update { $0.createdAt = Self.forged }
    }
    #expect(try await service.answer("PATCH", "/note/1", #"{"text":"b","views":9}"#) == 400)
    #expect(try await service.answer("POST", "/note", #"{"id":2,"slug":"s","text":"b","veiws":9}"#) == 400)
    #expect(try await notes.findAll() == before)
  }

  @Test("as the description says")
  func description() throws {
    let text = try Self.served().service.openAPI()
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let schemas = (object?["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
    for name in ["note", "note.body"] {
      let properties = try #require(schemas?[name]?["properties"] as? [String: [String: Any]])
      let readOnly = properties.filter { $0.value["readOnly"] as? Bool == true }.keys.sorted()
      #expect(readOnly == ["created_at", "remark", "updated_at", "views"], "\(name)")
    }
  }
}

extension RepositoryService {
  /// Asks, and returns the status of the answer.
  fileprivate func answer(
    _ method: String, _ target: String, _ body: String, headers: WebHeaders = [:]
  ) async throws -> Int {
    await respond(to: WebRequest(method, target, headers: headers, body: WebBody(Array(body.utf8)))).status
  }
}
