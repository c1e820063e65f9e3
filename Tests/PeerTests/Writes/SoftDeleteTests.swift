import Foundation
import Repository
import Testing

/// An observation that can be put into the bin.
private struct Observation: Entity, Equatable {
  let id: Int?
  var text: String
  var planetID: Int
  var discardedAt: Date? = nil

  static let schema = Schema(
    "observation", Observation.init, Column("id", \.id, .generated), Column("text", \.text),
    Column("planet_id", \.planetID, .references(Planet.self)), Column("discarded_at", \.discardedAt, .indexed))
}

/// The observations that are not in the bin; to delete one puts it there.
private struct KeptObservations: Repository {
  let all: AnyRepository<Observation>

  private func kept(_ query: AnyQuery) -> AnyQuery { query && AnyQuery(Observation.self) { $0.discardedAt == nil } }

  func find(_ id: Int?) async throws(RepositoryError) -> Observation? {
    let found = try await all.find(id)
    return found?.discardedAt == nil ? found : nil
  }

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Observation] {
    var request = request
    request.query = kept(request.query)
    return try await all.findAll(request)
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await all.count(kept(query)) }

  func save(_ elements: [Observation]) async throws(RepositoryError) { try await all.save(elements) }

  @discardableResult
  func insert(_ elements: [Observation]) async throws(RepositoryError) -> [Observation] {
    try await all.insert(elements)
  }

  @discardableResult
  func delete(_ ids: [Int?]) async throws(RepositoryError) -> Int {
    try await delete(where: .in(key: "id", values: ids))
  }

  @discardableResult
  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await all.update(where: kept(query), set: [Assignment("discarded_at", Date.now)])
  }

  func restore(_ id: Int?) async throws(RepositoryError) {
    try await all.update(where: { $0.id == id }, set: { $0.discardedAt = nil })
  }
}

@Suite("Elements that are only marked as deleted")
struct SoftDeleteTests {
  private func observations(_ kind: StoreKind) async throws -> KeptObservations {
    let observations = KeptObservations(all: try await Sky(kind).store.repository())
    try await observations.insert([
      Observation(id: nil, text: "A", planetID: 3), Observation(id: nil, text: "B", planetID: 4),
    ])
    return observations
  }

  @Test("a decorator hides them, brings them back, and the store still has them", arguments: StoreKind.allCases)
  func element(kind: StoreKind) async throws {
    let kept = try await observations(kind)
    #expect(try await kept.delete(1))
    #expect(try await kept.find(1) == nil)
    #expect(try await kept.count() == 1)
    #expect(try await kept.all.count() == 2)
    #expect(try await kept.delete(1) == false)
    try await kept.restore(1)
    #expect(try await kept.count() == 2)
    #expect(try await kept.all.delete(1))
    #expect(try await kept.all.count() == 1)
  }

  @Test("its condition joins any other, without getting lost in an `or`", arguments: StoreKind.allCases)
  func query(kind: StoreKind) async throws {
    let kept = try await observations(kind)
    try await kept.delete(1)
    #expect(try await kept.findAll(where: { $0.text == "A" || $0.text == "B" }).map(\.text) == ["B"])
    #expect(try await kept.findAll(where: { $0.text == "C" }).isEmpty)
    #expect(try await kept.page(sortedBy: .descending(\.text), size: 5).elements.map(\.text) == ["B"])
  }

  @Test("all at once, into the bin or for good", arguments: StoreKind.allCases)
  func bulk(kind: StoreKind) async throws {
    let kept = try await observations(kind)
    #expect(try await kept.delete(where: .true) == 2)
    #expect(try await kept.count() == 0)
    #expect(try await kept.all.count() == 2)
    #expect(try await kept.all.delete(where: { $0.discardedAt != nil }) == 2)
    #expect(try await kept.all.count() == 0)
  }
}

@Suite("Related elements that are marked as deleted")
struct SoftDeletedRelationTests {
  @Test("relations go through whichever repository is asked", arguments: StoreKind.allCases)
  func relations(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let kept = KeptObservations(all: try sky.store.repository())
    let inserted = try await kept.insert([
      Observation(id: nil, text: "clouds", planetID: 5), Observation(id: nil, text: "rings", planetID: 5),
    ])
    try await kept.delete(inserted[0].id)
    let jupiter = [try await sky.planet("Jupiter")]
    #expect(try await kept.children(of: jupiter, by: \.planetID)[5].map(\.text) == ["rings"])
    #expect(try await kept.all.children(of: jupiter, by: \.planetID)[5].map(\.text) == ["clouds", "rings"])
    // As a parent, a hidden element is missing, and the program says what that means.
    #expect(try await kept.parents(of: inserted, by: { $0.id }).all.map(\.text) == ["rings"])
    #expect(try await kept.all.parents(of: inserted, by: { $0.id }).all.count == 2)
  }
}
