import Repository
import Testing

@Suite("Several levels of related elements")
struct NestedLoadTests {
  @Test("one query for each level", arguments: StoreKind.allCases)
  func levels(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let systems = try await sky.store.read { _ in
      let planets = sky.planets.sorted { $0.radius.descending + $0.id.ascending }
        .including(Planet.moons.from(sky.moons.sorted { $0.name.ascending }))
      return try await sky.stars.filter { $0.id <= 2 }.including(ToMany(Planet.star).from(planets)).all()
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
    let moons = try await sky.moons.filter { $0.id.in([1, 11]) }.including(
      Moon.planet.from(sky.planets.selection().including(Planet.star.from(sky.stars)))
    ).all()
    let planets = moons.map { $0.1 }
    #expect(planets.map { $0?.0.name } == ["Earth", "PSO J318.5-22"])
    #expect(planets.map { $0?.1?.name } == ["Sun", nil])
  }

  @Test("where nothing is found, nothing more is asked", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let none = try await sky.stars.findAll(where: { $0.name == "Vega" })
    #expect(try await none.including(ToMany(Planet.star).from(sky.planets)).isEmpty)
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
    let pages = sky.planets.filter { $0.name == "Earth" }.including(Planet.moons.from(sky.moons)).map(PlanetPage.init)
    let page = try #require(try await pages.first())
    #expect(
      try json(page)
        == #"{"moons":[{"diameter":3474.8,"id":1,"name":"Moon","planetID":3}],"#
        + #""planet":{"id":3,"kind":"rocky","name":"Earth","radius":6371,"starID":1}}"#)
  }
}
