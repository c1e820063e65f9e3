import ErrorHandling
import Foundation
import Repository
import RepositoryTesting
import SQLiteStore
import Testing
import TestSupport

@Suite("SQLite keeps the contract", .tags(.slow))
struct ConformanceTests {
  /// Other tests may keep all threads busy for long.
  private static let timeout = Duration.seconds(120)

  @Test("Stores in memory")
  func inMemory() async throws {
    // The test of files checks all rules.
    try await RepositoryConformance.verify(
      checking: Effort.sample, store: { try SQLiteStore.inMemory(timeout: Self.timeout) })
  }

  @Test("Stores in a file")
  func inFile() async throws {
    let folder = try TemporaryFolder()
    try await RepositoryConformance.verify(store: {
      try SQLiteStore(path: folder.path("\(UUID()).sqlite"), timeout: Self.timeout)
    })
  }

  // Batches alone, because each commit waits for the disk.
  @Test("Stores in a file that keep no write-ahead log save all or nothing")
  func withoutLog() async throws {
    let folder = try TemporaryFolder()
    let rules = Specimen.rules.filter { $0.name.contains("batch") }
    #expect(rules.count > 5)
    try await RepositoryConformance.verify(rules) {
      try SQLiteStore(path: folder.path("\(UUID()).sqlite"), journal: .unchanged, timeout: Self.timeout)
        .repository(of: Specimen.self)
    }
  }

  @Test("Repositories that are not erased")
  func repository() async throws {
    try await RepositoryConformance.verify(Effort.sample(Specimen.rules)) {
      try SQLiteStore.inMemory(timeout: Self.timeout).repository(of: Specimen.self)
    }
    try await RepositoryConformance.verify { try SQLiteStore.inMemory().repository(of: Station.self) }
    try await RepositoryConformance.verify { try SQLiteStore.inMemory().repository(of: Loan.self) }
    try await RepositoryConformance.verify { try SQLiteStore.inMemory().repository(of: Drawer.self) }
  }

  @Test("Type-erased repositories")
  func anyRepository() async throws {
    try await RepositoryConformance.verify(Effort.sample(Specimen.shortRules)) {
      AnyRepository(try SQLiteStore.inMemory(timeout: Self.timeout).repository(of: Specimen.self))
    }
  }

  @Test("Repositories behind operators")
  func operators() async throws {
    try await RepositoryConformance.verify(Effort.sample(Specimen.shortRules)) {
      let base = AnyRepository(try SQLiteStore.inMemory(timeout: Self.timeout).repository(of: Specimen.self))
      return AnyRepository(
        base.logging { _ in }.retrying(1, on: .any, backoff: .none).catching { _ in nil }.mappingErrors { $0 }
          .replacingErrors(with: base).reporting())
    }
  }

  @Test("Repositories of any model")
  func samples() async throws {
    let samples = [
      Pokemon(id: 6, name: "Charizard", type: .fire, weight: 90.5),
      Pokemon(id: 7, name: "Squirtle", type: .water, weight: nil),
      Pokemon(id: 1, name: "Bulbasaur", type: .grass, weight: 6.9),
      Pokemon(id: 133, name: "Flabébé", type: .grass, weight: -0.0),
    ]
    try await RepositoryConformance.verify(samples: samples) { try SQLiteStore.inMemory().repository(of: Pokemon.self) }
  }

  /// Something that every store refuses.
  struct Refusal: CustomTestStringConvertible {
    let testDescription: String
    let attempt: @Sendable (any Store) async throws -> Void

    init(_ description: String, attempt: @escaping @Sendable (any Store) async throws -> Void) {
      testDescription = description
      self.attempt = attempt
    }

    static let all: [Refusal] = [
      Refusal("a unique value that another row has") { store in
        let badges = try store.repository(of: Badge.self)
        try await badges.save([Badge(id: 1, code: "a", name: "x"), Badge(id: 2, code: "a", name: "y")])
      },
      Refusal("two unique values that another row has") { store in
        let badges = try store.repository(of: Badge.self)
        try await badges.save([Badge(id: 1, code: "a", name: "x"), Badge(id: 2, code: "a", name: "x")])
      },
      Refusal("two unique values that two other rows have") { store in
        let badges = try store.repository(of: Badge.self)
        try await badges.save([Badge(id: 1, code: "a", name: "x"), Badge(id: 2, code: "b", name: "y")])
        try await badges.save(Badge(id: 3, code: "b", name: "x"))
      },
      Refusal("a replacement whose unique value another row has") { store in
        let badges = try store.repository(of: Badge.self)
        try await badges.save([Badge(id: 1, code: "a", name: "x"), Badge(id: 2, code: "b", name: "y")])
        try await badges.save(Badge(id: 1, code: "a", name: "y"))
      },
      Refusal("a value that can't be stored") { store in
        let loans = try store.repository(of: Loan.self)
        try await loans.save(Loan(id: UUID(), until: Date(timeIntervalSince1970: 1e12)))
      },
      Refusal("an unknown key") { store in
        let badges = try store.repository(of: Badge.self)
        _ = try await badges.count(.equal(key: "cod", value: "a"))
      },
      Refusal("a text compared with a number") { store in
        let badges = try store.repository(of: Badge.self)
        _ = try await badges.filter(.lessThan(key: "code", value: 5)).all()
      },
      Refusal("a query that is too deep") { store in
        let badges = try store.repository(of: Badge.self)
        let query = (0..<100).reduce(AnyQuery.isNull(key: "code")) { query, level in
          level.isMultiple(of: 2) ? query && .isNull(key: "name") : query || .isNull(key: "name")
        }
        _ = try await badges.count(query)
      },
      Refusal("a negative offset") { store in
        let badges = try store.repository(of: Badge.self)
        _ = try await badges.findAll(FetchRequest(offset: -1))
      },
      Refusal("a key that no element has") { store in
        let badges = try store.repository(of: Badge.self)
        _ = try await badges.get(7)
      },
      Refusal("a table that differs from the schema") { store in
        _ = try store.repository(of: Badge.self)
        let columns = [
          ColumnSchema("id", .text), ColumnSchema("code", .text, isNullable: true), ColumnSchema("size", .real),
        ]
        _ = try store.repository(Schema(try TableSchema("badge", columns: columns, primaryKey: ["id"])))
      },
      Refusal("a row that does not fit its model type") { store in
        let table = try Badge.schema.table()
        let columns = table.columns.map { ColumnSchema($0.name, $0.name == "id" ? .integer : .text) }
        let wide = try TableSchema("badge", columns: columns, primaryKey: ["id"])
        try await store.repository(Schema(wide)).save(Record(["id": 1000, "code": "", "name": ""], for: wide))
        let badges = try store.repository(of: Badge.self)
        _ = try await badges.find(100)
        _ = try await badges.findAll()
      },
    ]
  }

  struct Badge: Entity {
    let id: Int8
    var code: String
    var name: String
    static let schema = Schema(
      "badge", Badge.init, Column("id", \.id), Column("code", \.code, .unique), Column("name", \.name, .unique))
  }

  @Test("SQLite refuses the same requests as memory, with the same words", arguments: Refusal.all)
  func refusals(refusal: Refusal) async throws {
    let inMemory = await #expect(throws: RepositoryError.self) { try await refusal.attempt(MemoryStore()) }
    let inSQLite = await #expect(throws: RepositoryError.self) { try await refusal.attempt(SQLiteStore.inMemory()) }
    #expect(inMemory?.code == inSQLite?.code)
    #expect(inMemory?.summary == inSQLite?.summary)
    #expect(inMemory?.reason == inSQLite?.reason)
    // What would repair a table is told in the store's own language.
    if inMemory?.code != .schemaMismatch { #expect(inMemory?.suggestion == inSQLite?.suggestion) }
  }

  @Test("Reopened files contain the saved elements")
  func reopened() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("stations.sqlite")
    let stations = try SQLiteStore(path: path).repository(of: Station.self)
    try await stations.save([Station(name: "a\0b", country: nil), Station(name: "é", country: "France")])
    let reopened = try SQLiteStore(path: path, mode: .readOnly).repository(of: Station.self)
    #expect(try await reopened.findAll().map(\.country) == [nil, "France"])
    #expect(try await reopened.find("e\u{301}") == nil)
  }
}
