import Repository
import Testing

@Suite("Several levels of related elements")
struct NestedLoadTests {
  @Test("one query for each level", arguments: StoreKind.allCases)
  func levels(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let systems = try await sky.store.read { _ in
      try await sky.stars.findAll(where: { $0.id <= 2 }).including(
        .children(
          in: sky.planets, by: \.starID, sortedBy: .descending(\.radius) + .ascending(\.id),
          including: .children(in: sky.moons, by: \.planetID, sortedBy: .ascending(\.name))))
    }
    var lines: [String] = []
    for (star, planets) in systems {
      lines.append("\(star.name): \(planets.count)")
      for (planet, moons) in planets.prefix(3) { lines.append("  \(planet.name): \(moons.map { $0.name })") }
    }
    #expect(
      lines == [
        "Sun: 8", #"  Jupiter: ["Callisto", "Europa", "Ganymede", "Io"]"#, #"  Saturn: ["Enceladus", "Titan"]"#,
        "  Uranus: []", "Proxima Centauri: 1", "  Proxima b: []",
      ])
  }

  @Test("upwards, through references that may be nil", arguments: StoreKind.allCases)
  func upwards(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.moons.insert(Moon(id: nil, name: "a rogue's", planetID: 10, diameter: 1, discovered: nil))
    let moons = try await sky.moons.findAll(where: { $0.id.in([1, 11]) }).including(
      .parent(in: sky.planets, by: \.planetID, including: .parent(in: sky.stars, by: \.starID)))
    let planets = moons.map { $0.1 }
    #expect(planets.map { $0?.0.name } == ["Earth", "PSO J318.5-22"])
    #expect(planets.map { $0?.1?.name } == ["Sun", nil])
  }

  @Test("where nothing is found, nothing more is asked", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let none = try await sky.stars.findAll(where: { $0.name == "Vega" })
    #expect(try await none.including(.children(in: sky.planets, by: \.starID)).isEmpty)
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
