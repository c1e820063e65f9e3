import Repository
import Testing

@Suite("Several levels of related elements")
struct NestedLoadTests {
  /// What a screen shows: plain values, put together by the program.
  private struct System: Equatable {
    var star: String
    var planets: [String: [String]]
  }

  @Test("one query for each level", arguments: StoreKind.allCases)
  func levels(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let systems = try await sky.store.read { _ in
      let stars = try await sky.stars.findAll(where: { $0.id <= 2 })
      let planets = try await sky.planets.children(of: stars, by: \.starID, where: { $0.kind != .rocky })
      let moons = try await sky.moons.children(of: planets.all, by: \.planetID, sortedBy: .ascending(\.name))
      return stars.map { star in
        System(
          star: star.name,
          planets: Dictionary(uniqueKeysWithValues: planets[star.id].map { ($0.name, moons[$0.id].map(\.name)) }))
      }
    }
    #expect(
      systems == [
        System(
          star: "Sun",
          planets: [
            "Jupiter": ["Callisto", "Europa", "Ganymede", "Io"], "Saturn": ["Enceladus", "Titan"], "Uranus": [],
            "Neptune": ["Triton"],
          ]),
        System(star: "Proxima Centauri", planets: [:]),
      ])
  }

  @Test("upwards, through references that may be nil", arguments: StoreKind.allCases)
  func upwards(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.moons.insert(Moon(id: nil, name: "a rogue's", planetID: 10, diameter: 1, discovered: nil))
    let moons = try await sky.moons.findAll(where: { $0.id.in([1, 11]) })
    let planets = try await sky.planets.parents(of: moons, by: \.planetID)
    let stars = try await sky.stars.parents(of: planets.all, by: \.starID)
    #expect(moons.map { stars[planets[$0.planetID]?.starID]?.name } == ["Sun", nil])
  }

  @Test("where nothing is found, nothing more is asked", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let none = try await sky.stars.findAll(where: { $0.name == "Vega" })
    let planets = try await sky.planets.children(of: none, by: \.starID)
    #expect(none.isEmpty && planets.all.isEmpty)
  }
}

@Suite("Related elements as JSON")
struct RelatedJSONTests {
  private struct PlanetPage: Encodable {
    var planet: Planet
    var moons: [Moon]
  }

  @Test("a type of one's own says what belongs together", arguments: StoreKind.allCases)
  func page(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let earth = try await sky.planet("Earth")
    let page = PlanetPage(planet: earth, moons: try await sky.moons.findAll(where: { $0.planetID == earth.id }))
    #expect(
      try json(page)
        == #"{"moons":[{"diameter":3474.8,"id":1,"name":"Moon","planetID":3}],"#
        + #""planet":{"id":3,"kind":"rocky","name":"Earth","radius":6371,"starID":1}}"#)
  }
}
