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
    let moons = try await sky.moons.filter { $0.diameter > 5_000 }.including(Moon.planet.from(sky.planets)).all()
    #expect(moons.map { $0.1?.name } == ["Jupiter", "Saturn"])
  }

  @Test("a moon without its planet can't be saved", arguments: StoreKind.allCases)
  func missing(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let error = await expectRefusal(.foreignKeyViolation) {
      try await moons.insert(Moon(id: nil, name: "Charon", planetID: 134_340, diameter: 1_212, discovered: 1978))
    }
    #expect(error?.summary == "planet_id (number) of moon refers to a row of planet that does not exist")
  }
}

@Suite("The element to which another may refer")
struct OptionalParentTests {
  @Test("nil has no parent, and can be asked for", arguments: StoreKind.allCases)
  func rogue(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let outside = try await sky.planets.filter { $0.starID != 1 }.including(Planet.star.from(sky.stars)).all()
    #expect(outside.map { $0.1?.name } == ["Proxima Centauri", nil])
    // Where all are nil, nothing is asked.
    let rogues = try await sky.planets.filter { $0.starID == nil }.including(Planet.star.from(sky.stars)).all()
    #expect(rogues.allSatisfy { $0.1 == nil })
  }

  @Test("when it is deleted, nothing is left to refer to", arguments: StoreKind.allCases)
  func deleted(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    #expect(try await sky.stars.delete(2) == 1)
    #expect(try await sky.planet("Proxima b").starID == nil)
  }

  private struct Astronaut: Entity, Equatable {
    let id: Int
    var name: String
    var buddyID: Int?

    static let buddy = ToOne(\Astronaut.buddyID, to: Astronaut.self, onDelete: .setNull)
    static let schema = Schema(
      "astronaut", Astronaut.init, Column("id", \.id), Column("name", \.name),
      Column("buddy_id", \.buddyID)
    ).references(buddy)
  }

  @Test("it may be of the same type, with children in turn", arguments: StoreKind.allCases)
  func selfReference(kind: StoreKind) async throws {
    let crew = try kind.open().repository(of: Astronaut.self)
    try await crew.insert([
      Astronaut(id: 1, name: "Neil", buddyID: nil), Astronaut(id: 2, name: "Buzz", buddyID: 1),
      Astronaut(id: 3, name: "Michael", buddyID: 1),
    ])
    let all = try await crew.selection().including(
      Astronaut.buddy.from(crew), ToMany(Astronaut.buddy).from(crew)
    ).all()
    #expect(all.map { $0.1?.name } == [nil, "Neil", "Neil"])
    #expect(all.map { $0.2.map(\.name) } == [["Buzz", "Michael"], [], []])
  }
}

@Suite("At most one child")
struct OnlyChildTests {
  /// One for a planet at most: the reference is unique.
  private struct RingSystem: Entity, Equatable {
    let planetID: Int
    var width: Double

    var id: Int { planetID }

    static let planet = ToOne(\RingSystem.planetID, to: Planet.self, onDelete: .cascade)
    static let schema = Schema(
      "ring_system", RingSystem.init,
      Column("planet_id", \.planetID, .primaryKey),
      Column("width", \.width)
    ).references(planet)
  }

  @Test("is an element with the key of its parent", arguments: StoreKind.allCases)
  func onlyChild(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let rings = try sky.store.repository(of: RingSystem.self)
    try await rings.insert(RingSystem(planetID: 6, width: 282_000))
    await expectRefusal(.conflict) { try await rings.insert(RingSystem(planetID: 6, width: 1)) }
    let giants = try await sky.planets.filter { $0.kind == .gasGiant }
      .including(ToMany(RingSystem.planet).from(rings)).all()
    #expect(giants.map { $0.1.first?.width } == [nil, 282_000, nil])
    #expect(try await rings.find(5) == nil)
    #expect(try await sky.planets.delete(6) == 1)
    #expect(try await rings.count() == 0)
  }
}
