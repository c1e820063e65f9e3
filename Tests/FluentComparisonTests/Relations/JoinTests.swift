import Repository
import Testing

@Suite("Filter by related elements")
struct RelatedFilterTests {
  @Test("by what an element refers to, over one reference and over two", arguments: StoreKind.allCases)
  func related(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let moons = try await sky.moons.findAll(
      where: { $0.planet.kind.in([.iceGiant, .gasGiant]) && $0.discovered > 1650 })
    #expect(moons.map(\.name) == ["Titan", "Enceladus", "Triton"])
    #expect(try await sky.moons.filter { $0.planet.star.name == "Sun" }.count() == 10)
    #expect(try await sky.planets.findAll(where: { $0.star.name == nil }).map(\.name) == ["PSO J318.5-22"])
  }

  @Test("by what refers to it", arguments: StoreKind.allCases)
  func referring(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let old = try await sky.planets.findAll(where: { $0.moons.contains { $0.discovered < 1700 } })
    #expect(old.map(\.name) == ["Jupiter", "Saturn"])
    #expect(try await sky.planets.findAll(where: { $0.moons.count > 1 }).map(\.name) == ["Mars", "Jupiter", "Saturn"])
  }
}

@Suite("Compare properties of two related elements")
struct JoinedComparisonTests {
  @Test("as two of one element are compared", arguments: StoreKind.allCases)
  func comparing(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let slow = try await sky.visits.findAll(
      where: { $0.year > $0.mission.launched + 6 }, sortedBy: { $0.year.ascending })
    #expect(slow.map(\.year) == [1986, 1989, 2004, 2011])
  }
}

@Suite("Both sides of a join in one result")
struct JoinedResultTests {
  @Test("whole elements, by one further query", arguments: StoreKind.allCases)
  func pairs(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let pairs = try await sky.planets.filter { $0.id >= 8 }.including(Planet.star.from(sky.stars)).all()
    #expect(pairs.map { $0.0.name } == ["Neptune", "Proxima b", "PSO J318.5-22"])
    #expect(pairs.map { $0.1?.name } == ["Sun", "Proxima Centauri", nil])
  }
}
