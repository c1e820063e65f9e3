import Foundation
import Repository
import Synchronization
import Testing

/// What was told of writes.
private final class Log: Sendable {
  private let list = Mutex<[String]>([])

  var lines: [String] { list.withLock(\.self) }

  func note(_ line: String) { list.withLock { $0.append(line) } }
}

/// Stars whose names are trimmed and may not be empty, and which tell what is done to them.
private struct CheckedStars: Repository {
  let base: AnyRepository<Star>
  let log: Log

  private func checked(_ star: Star) throws(RepositoryError) -> Star {
    var star = star
    star.name = star.name.trimmingCharacters(in: .whitespaces)
    if star.name.isEmpty { throw RepositoryError(.constraint, "a star has no name") }
    return star
  }

  func find(_ id: Int) async throws(RepositoryError) -> Star? { try await base.find(id) }
  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Star] { try await base.findAll(request) }
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await base.count(query) }

  func save(_ elements: [Star]) async throws(RepositoryError) {
    var checked: [Star] = []
    for star in elements { checked.append(try self.checked(star)) }
    try await base.save(checked)
    log.note("saved \(checked.map(\.name).joined(separator: ", "))")
  }

  @discardableResult
  func delete(_ ids: [Int]) async throws(RepositoryError) -> Int {
    let count = try await base.delete(ids)
    log.note("deleted \(count)")
    return count
  }
}

@Suite("What is done before and after each write")
struct DecoratorTests {
  private let log = Log()

  private func stars(_ kind: StoreKind) async throws -> CheckedStars {
    CheckedStars(base: try await Sky(kind).stars, log: log)
  }

  @Test("a repository around the other changes elements, and tells of them", arguments: StoreKind.allCases)
  func around(kind: StoreKind) async throws {
    let stars = try await stars(kind)
    try await stars.insert(Star(id: 5, name: " Vega ", spectralClass: .a, magnitude: 0.03))
    try await stars.save(Star(id: 5, name: "  Wega", spectralClass: .a, magnitude: 0.03))
    #expect(try await stars.get(5).name == "Wega")
    try await stars.delete(5)
    #expect(log.lines == ["saved Vega", "saved Wega", "deleted 1"])
  }

  @Test("it may refuse one of a batch, and then none is written", arguments: StoreKind.allCases)
  func refusing(kind: StoreKind) async throws {
    let stars = try await stars(kind)
    await expectRefusal(.constraint) {
      try await stars.insert([
        Star(id: 5, name: "Vega", spectralClass: .a, magnitude: 0.03),
        Star(id: 6, name: " ", spectralClass: .a, magnitude: 0),
      ])
    }
    #expect(try await stars.count() == 4)
    #expect(log.lines.isEmpty)
  }

  @Test("what follows a write in the same transaction undoes it by throwing", arguments: StoreKind.allCases)
  func undoing(kind: StoreKind) async throws {
    struct Veto: Error {}
    let sky = try await Sky(kind)
    await #expect(throws: Veto.self) {
      try await sky.store.transaction { _ in
        try await sky.stars.insert(Star(id: 5, name: "Vega", spectralClass: .a, magnitude: 0.03))
        throw Veto()
      }
    }
    #expect(try await sky.stars.count() == 4)
  }
}

@Suite("When an element was made and changed")
struct TimestampTests {
  /// It knows when it was made and changed, because the caller that makes or changes it says so.
  private struct Article: Entity, Equatable {
    let id: Int
    var title: String { didSet { updatedAt = .now } }
    let createdAt: Date
    private(set) var updatedAt: Date

    init(id: Int, title: String, createdAt: Date = .now, updatedAt: Date? = nil) {
      self.id = id
      self.title = title
      self.createdAt = createdAt
      self.updatedAt = updatedAt ?? createdAt
    }

    static let schema = Schema(
      "article", columns: Column("id", \.id), Column("title", \.title), Column("created_at", \.createdAt),
      Column("updated_at", \.updatedAt)
    ) { row in
      Article(
        id: try row.read("id"), title: try row.read("title"), createdAt: try row.read("created_at"),
        updatedAt: try row.read("updated_at"))
    }
  }

  @Test("is kept to the nanosecond, compared and sorted", arguments: StoreKind.allCases)
  func times(kind: StoreKind) async throws {
    let articles = try kind.open().repository(of: Article.self)
    let start = Date.now
    var comet = Article(id: 1, title: "Comet")
    #expect(comet.createdAt == comet.updatedAt)
    try await articles.insert(comet)
    comet.title = "Comets"
    try await articles.save(comet)
    let found = try await articles.get(1)
    #expect(found == comet)
    #expect(found.createdAt >= start && found.updatedAt > found.createdAt)
    #expect(try await articles.filter { $0.updatedAt > $0.createdAt && $0.createdAt >= start }.count() == 1)
  }

  @Test("is a text that other programs can read", arguments: StoreKind.allCases)
  func text(kind: StoreKind) async throws {
    let store = try kind.open()
    let articles = try store.repository(of: Article.self)
    let landing = Date(timeIntervalSince1970: -14_182_940)
    try await articles.insert(Article(id: 1, title: "The Eagle has landed", createdAt: landing))
    let records = try store.repository(Schema<Record>(try Article.schema.table()))
    #expect(try await records.find(1)?["created_at"] == "1969-07-20T20:17:40.000000000Z")
  }
}
