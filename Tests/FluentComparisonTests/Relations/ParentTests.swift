import Repository
import Testing

@Suite("The element to which another refers")
struct ParentTests {
  @Test("of one element", arguments: StoreKind.allCases)
  func one(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let titan = try #require(try await sky.moons.first(where: { $0.name == "Titan" }))
    #expect(try await sky.planets.get(titan.planetID).name == "Saturn")
  }

  @Test("of a whole result, by one further query", arguments: StoreKind.allCases)
  func many(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let moons = try await sky.moons.findAll(where: { $0.diameter > 5_000 })
    let planets = try await sky.planets.parents(of: moons, by: \.planetID)
    #expect(moons.map { planets[$0.planetID]?.name } == ["Jupiter", "Saturn"])
    #expect(planets.all.map(\.name) == ["Jupiter", "Saturn"])
  }

  @Test("a moon without its planet can't be saved", arguments: StoreKind.allCases)
  func missing(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let error = await expectRefusal(.foreignKeyViolation) {
      try await moons.insert(Moon(id: nil, name: "Charon", planetID: 134_340, diameter: 1_212, discovered: 1978))
    }
    #expect(error?.summary == "planet_id (a number) of moon refers to no row of planet")
  }
}

@Suite("The element to which another may refer")
struct OptionalParentTests {
  @Test("nil has no parent, and can be asked for", arguments: StoreKind.allCases)
  func rogue(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let outside = try await sky.planets.findAll(where: { $0.starID != 1 })
    let stars = try await sky.stars.parents(of: outside, by: \.starID)
    #expect(outside.map { stars[$0.starID]?.name } == ["Proxima Centauri", nil])
    // Where all are nil, nothing is asked.
    let rogues = try await sky.planets.findAll(where: { $0.starID == nil })
    #expect(try await sky.stars.parents(of: rogues, by: \.starID).all.isEmpty)
  }

  @Test("when it is deleted, nothing is left to refer to", arguments: StoreKind.allCases)
  func deleted(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    #expect(try await sky.stars.delete(2))
    #expect(try await sky.planet("Proxima b").starID == nil)
  }

  private struct Astronaut: Entity, Equatable {
    let id: Int
    var name: String
    var buddyID: Int?

    static let schema = Schema(
      "astronaut", Astronaut.init, Column("id", \.id), Column("name", \.name),
      Column("buddy_id", \.buddyID, .references(Astronaut.self, onDelete: .setNull)))
  }

  @Test("it may be of the same type, with children in turn", arguments: StoreKind.allCases)
  func selfReference(kind: StoreKind) async throws {
    let crew: AnyRepository<Astronaut> = try kind.open().repository()
    try await crew.insert([
      Astronaut(id: 1, name: "Neil", buddyID: nil), Astronaut(id: 2, name: "Buzz", buddyID: 1),
      Astronaut(id: 3, name: "Michael", buddyID: 1),
    ])
    let all = try await crew.findAll()
    let buddies = try await crew.parents(of: all, by: \.buddyID)
    #expect(all.map { buddies[$0.buddyID]?.name } == [nil, "Neil", "Neil"])
    let followers = try await crew.children(of: all, by: \.buddyID)
    #expect(all.map { followers[$0.id].map(\.name) } == [["Buzz", "Michael"], [], []])
  }
}

@Suite("At most one child")
struct OnlyChildTests {
  /// One for a planet at most: the reference is unique.
  private struct RingSystem: Entity, Equatable {
    let planetID: Int
    var width: Double

    var id: Int { planetID }

    static let schema = Schema(
      "ring_system", RingSystem.init,
      Column("planet_id", \.planetID, .primaryKey, .references(Planet.self, onDelete: .cascade)),
      Column("width", \.width))
  }

  @Test("is an element with the key of its parent", arguments: StoreKind.allCases)
  func onlyChild(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let rings: AnyRepository<RingSystem> = try sky.store.repository()
    try await rings.insert(RingSystem(planetID: 6, width: 282_000))
    await expectRefusal(.conflict) { try await rings.insert(RingSystem(planetID: 6, width: 1)) }
    let giants = try await sky.planets.findAll(where: { $0.kind == .gasGiant })
    // From the parent's side, the child is found as a parent would be.
    let found = try await rings.parents(of: giants, by: \.id)
    #expect(giants.map { found[$0.id]?.width } == [nil, 282_000, nil])
    #expect(try await rings.find(5) == nil)
    #expect(try await sky.planets.delete(6))
    #expect(try await rings.count() == 0)
  }
}
