import Foundation
import Repository
import Synchronization
import Testing

/// An observation that is kept when it is deleted.
private struct Observation: Entity, Equatable {
  let id: Int?
  var text: String
  var planetID: Int
  var updatedAt: Date?
  var deletedAt: Date?

  init(id: Int? = nil, text: String, planetID: Int, updatedAt: Date? = nil, deletedAt: Date? = nil) {
    (self.id, self.text, self.planetID) = (id, text, planetID)
    (self.updatedAt, self.deletedAt) = (updatedAt, deletedAt)
  }

  /// The time of deletions.
  static let dusk = Date(timeIntervalSince1970: 86_400)
  private static let noon = Date(timeIntervalSince1970: 43_200)
  private static let updates = Atomic(0)

  static let planet = ToOne(\Observation.planetID, to: Planet.self, onDelete: .cascade)
  static let schema = Schema(
    "observation", Observation.init(id:text:planetID:updatedAt:deletedAt:), Column("id", \.id, .generated),
    Column("text", \.text), Column("planet_id", \.planetID),
    Column("updated_at", \.updatedAt, .updatedAt(by: { noon + Double(updates.add(1, ordering: .relaxed).newValue) })),
    Column("deleted_at", \.deletedAt, .deletedAt(by: { dusk }), .indexed)
  ).references(planet).check("noted") { $0.text != "" }
}

/// A remark about an observation.
private struct Remark: Entity, Equatable {
  let id: Int
  var about: Int
  static let observation = ToOne(\Remark.about, to: Observation.self)
  static let schema = Schema(
    "remark", Remark.init, Column("id", \.id), Column("about", \.about)
  ).references(observation)
}

extension Planet {
  fileprivate static let observations = ToMany(Observation.planet)
}

@Suite("Elements that are only marked as deleted")
struct SoftDeleteTests {
  private func observations(_ kind: StoreKind) async throws -> (
    AnyRepository<Observation>, all: AnyRepository<Observation>
  ) {
    let store = try await Sky(kind).store
    let observations = try store.repository(of: Observation.self)
    try await observations.insert([Observation(text: "A", planetID: 3), Observation(text: "B", planetID: 4)])
    return (observations, try store.repository(Observation.schema.includingDeleted))
  }

  @Test(
    "a column of the schema hides them, brings them back, and the store still has them", arguments: StoreKind.allCases)
  func element(kind: StoreKind) async throws {
    let (observations, all) = try await observations(kind)
    #expect(try await observations.delete(1) == 1)
    #expect(try await observations.find(1) == nil)
    #expect(try await observations.count() == 1)
    #expect(try await all.count() == 2)
    #expect(try await all.get(1).deletedAt == Observation.dusk)
    #expect(try await observations.delete(1) == 0)
    try await all.filter { $0.id == 1 }.update { $0.deletedAt = nil }
    #expect(try await observations.count() == 2)
    #expect(try await all.delete(1) == 1)
    #expect(try await all.count() == 1)
  }

  @Test("the condition joins any other, without getting lost in an `or`", arguments: StoreKind.allCases)
  func query(kind: StoreKind) async throws {
    let (observations, _) = try await observations(kind)
    try await observations.delete(1)
    #expect(try await observations.findAll(where: { $0.text == "A" || $0.text == "B" }).map(\.text) == ["B"])
    #expect(try await observations.findAll(where: { !($0.text == "C") }).map(\.text) == ["B"])
    #expect(try await observations.sorted { $0.text.descending }.page(size: 5).elements.map(\.text) == ["B"])
    #expect(try await observations.filter { $0.text == "A" }.exists() == false)
    #expect(try await observations.selection().aggregate(.max(\.text)) == "B")
    #expect(try await observations.selection().grouped(by: \.text).aggregate(.count).map(\.key) == ["B"])
    let projection = ProjectionRequest([.key("text")], isDistinct: true)
    #expect(try await observations.findRows(projection) == [["B"]])
    for try await live in observations.filter({ $0.id < 9 }).changes() {
      #expect(live.map(\.text) == ["B"])
      break
    }
  }

  @Test("all at once, into the bin or for good", arguments: StoreKind.allCases)
  func bulk(kind: StoreKind) async throws {
    let (observations, all) = try await observations(kind)
    #expect(try await observations.delete(where: .true) == 2)
    #expect(try await observations.count() == 0)
    #expect(try await all.count() == 2)
    #expect(try await all.filter { $0.deletedAt != nil }.delete() == 2)
    #expect(try await all.count() == 0)
  }

  @Test("a deletion is a change, and returns what was", arguments: StoreKind.allCases)
  func returning(kind: StoreKind) async throws {
    let (observations, all) = try await observations(kind)
    let before = try await observations.findAll()
    #expect(try await observations.filter { $0.text < "Z" }.deleteReturning() == before)
    let after = try await all.findAll()
    #expect(after.allSatisfy { $0.deletedAt == Observation.dusk })
    for (old, new) in zip(before, after) { #expect(try #require(old.updatedAt) < #require(new.updatedAt)) }
    // Nothing changes what is deleted.
    #expect(try await observations.update(where: .true, set: [Assignment("text", "C")]) == 0)
    #expect(try await observations.updateReturning(where: .true, set: [Assignment("text", "C")]) == [])
    #expect(try await observations.save(before[0], changedFrom: before[0]) == false)
    #expect(try await all.findAll() == after)
  }

  @Test("to save one is to write what it says: it comes back, or goes", arguments: StoreKind.allCases)
  func saving(kind: StoreKind) async throws {
    let (observations, all) = try await observations(kind)
    try await observations.delete(1)
    await expectRefusal(.conflict) { try await observations.insert(Observation(id: 1, text: "X", planetID: 3)) }
    try await observations.save(Observation(id: 1, text: "X", planetID: 3))
    #expect(try await observations.findAll().map(\.text) == ["X", "B"])
    try await observations.save(Observation(id: 2, text: "Y", planetID: 3, deletedAt: .distantPast))
    #expect(try await observations.findAll().map(\.text) == ["X"])
    #expect(try await all.get(2).deletedAt == .distantPast)
    // The key of what is deleted is not given again.
    #expect(try await observations.insert(Observation(text: "Z", planetID: 3)).id == 3)
    await expectRefusal(.constraint) { try await observations.update(where: .true, set: [Assignment("text", "")]) }
  }

  @Test("within a transaction that fails, they are not deleted", arguments: StoreKind.allCases)
  func transaction(kind: StoreKind) async throws {
    struct Veto: Error {}
    let sky = try await Sky(kind)
    let observations = try sky.store.repository(of: Observation.self)
    try await observations.insert(Observation(text: "A", planetID: 3))
    await #expect(throws: Veto.self) {
      try await sky.store.transaction { transaction in
        let inner = try transaction.repository(of: Observation.self)
        #expect(try await inner.delete([1, 2]) == 1)
        #expect(try await observations.find(1) == nil)
        throw Veto()
      }
    }
    #expect(try await observations.count() == 1)
  }

  @Test("a schema has one such column at most, of an optional date", arguments: StoreKind.allCases)
  func schemas(kind: StoreKind) async throws {
    struct Twice: Entity {
      let id: Int
      var first: Date?
      var second: Date?
      static let schema = Schema(
        "twice", Twice.init, Column("id", \.id), Column("first", \.first, .deletedAt),
        Column("second", \.second, .deletedAt))
    }
    struct Never: Entity {
      let id: Int
      var deletedAt: Date
      static let schema = Schema("never", Never.init, Column("id", \.id), Column("deleted_at", \.deletedAt, .deletedAt))
    }
    let store = try kind.open()
    await expectRefusal(.invalidSchema) { try store.repository(of: Twice.self) }
    await expectRefusal(.invalidSchema) { try store.repository(of: Never.self) }
  }
}

@Suite("Related elements that are marked as deleted")
struct SoftDeletedRelationTests {
  @Test("relations go through whichever repository is asked", arguments: StoreKind.allCases)
  func relations(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let kept = try sky.store.repository(of: Observation.self)
    let all = try sky.store.repository(Observation.schema.includingDeleted)
    let inserted = try await kept.insert([
      Observation(text: "clouds", planetID: 5), Observation(text: "rings", planetID: 5),
    ])
    try await kept.delete(inserted[0].id)
    let jupiter = [try await sky.planet("Jupiter")]
    let tree = try await jupiter.including(Planet.observations.from(kept), Planet.observations.from(all))
    #expect(tree.map { $0.1.map(\.text) } == [["rings"]])
    #expect(tree.map { $0.2.map(\.text) } == [["clouds", "rings"]])
    // As a parent, a hidden element is missing, and the program says what that means.
    let remarks = inserted.enumerated().map { Remark(id: $0, about: $1.id ?? 0) }
    let found = try await remarks.including(Remark.observation.from(kept), Remark.observation.from(all))
    #expect(found.map { $0.1?.text } == [nil, "rings"])
    #expect(found.map { $0.2?.text } == ["clouds", "rings"])
  }

  @Test("fields of closures pass them over, unless they are asked for", arguments: StoreKind.allCases)
  func closures(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let observations = try sky.store.repository(of: Observation.self)
    let remarks = try sky.store.repository(of: Remark.self)
    try await observations.insert([Observation(text: "clouds", planetID: 5), Observation(text: "rings", planetID: 6)])
    try await remarks.insert([Remark(id: 1, about: 1), Remark(id: 2, about: 2)])
    // What refers to it forbids to remove it, and not to mark it.
    #expect(try await observations.delete(1) == 1)
    #expect(try await remarks.findAll(where: { $0.observation.text == "clouds" }).isEmpty)
    #expect(try await remarks.findAll(where: { $0.observation.id == nil }).map(\.id) == [1])
    #expect(try await remarks.findAll(where: { $0.observation.includingDeleted.text == "clouds" }).map(\.id) == [1])
    #expect(try await remarks.findAll(sortedBy: { $0.observation.text.ascending }).map(\.id) == [1, 2])
    #expect(try await remarks.filter { $0.observation.deletedAt != nil }.count() == 0)
    #expect(try await remarks.filter { $0.observation.includingDeleted.deletedAt < Date.now }.count() == 1)
    #expect(try await sky.planets.findAll(where: { $0.observations.count == 1 }).map(\.id) == [6])
    #expect(try await sky.planets.findAll(where: { $0.observations.includingDeleted.count == 1 }).map(\.id) == [5, 6])
    #expect(try await sky.planets.findAll(where: { !$0.observations.isEmpty }).map(\.id) == [6])
    #expect(
      try await sky.planets.findAll(where: { $0.observations.contains { $0.text == "clouds" } }).isEmpty)
    // The rule of the table takes what is deleted along.
    try await remarks.delete(where: .true)
    #expect(try await sky.moons.filter { $0.planetID == 5 }.delete() > 0)
    try await sky.planets.delete(5)
    #expect(try await sky.store.repository(Observation.schema.includingDeleted).count() == 1)
  }

  @Test("a query says in its text what it leaves out")
  func texts() throws {
    let related = AnyQuery(Remark.self) { $0.observation.text == "rings" }
    #expect(related.description == "if(about.deleted_at is null, about.text, null) = 'rings'")
    #expect(try AnyQuery(parsing: related.description) == related)
    let referring = AnyQuery(Planet.self) { $0.observations.contains { $0.text == "rings" } }
    #expect(referring.description == "any observation by planet_id (text = 'rings' and deleted_at is null)")
  }
}
