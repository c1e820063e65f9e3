import SQLiteStore
import Testing

@Suite("Filter by related elements")
struct RelatedFilterTests {
  @Test("two queries: what is related, and then `in`", arguments: StoreKind.allCases)
  func related(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let moons = try await sky.store.read { _ in
      let ice = try await sky.planets.findAll(where: { $0.kind == .iceGiant || $0.kind == .gasGiant })
      return try await sky.moons.findAll(where: { $0.planetID.in(ice.map(\.id)) && $0.discovered > 1650 })
    }
    #expect(moons.map(\.name) == ["Titan", "Enceladus", "Triton"])
  }

  @Test("parents by their children: the foreign keys are asked for", arguments: StoreKind.allCases)
  func parents(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let old = try await sky.moons.findAll(where: { $0.discovered < 1700 })
    #expect(try await sky.planets.parents(of: old, by: \.planetID).all.map(\.name) == ["Jupiter", "Saturn"])
  }

  @Test("in SQL, a join")
  func join() async throws {
    let store = try SQLiteStore.inMemory()
    _ = try await Sky(in: store)
    let names = try await store.sql.query(
      """
      SELECT moon.name FROM moon JOIN planet ON planet.id = moon.planet_id
      WHERE planet.kind IN \([PlanetKind.iceGiant, .gasGiant]) AND moon.discovered > \(1650) ORDER BY moon.id
      """, as: String.self)
    #expect(names == ["Titan", "Enceladus", "Triton"])
  }
}

@Suite("Compare properties of two related elements")
struct JoinedComparisonTests {
  @Test("in Swift, over the elements and their parents", arguments: StoreKind.allCases)
  func inSwift(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let visits = try await sky.visits.findAll()
    let missions = try await sky.missions.parents(of: visits, by: \.missionID)
    let slow = visits.filter { visit in
      missions[visit.missionID].map { visit.year > $0.launched + 6 } ?? false
    }
    #expect(slow.map(\.year) == [1986, 1989, 2004, 2011])
  }

  @Test("in SQL, over all rows")
  func inSQL() async throws {
    let store = try SQLiteStore.inMemory()
    _ = try await Sky(in: store)
    let slow = try await store.sql.query(
      """
      SELECT visit.* FROM visit JOIN mission ON mission.id = visit.mission_id
      WHERE visit.year > mission.launched + 6 ORDER BY visit.mission_id, visit.planet_id
      """, as: Visit.self)
    #expect(slow.map(\.year) == [1986, 1989, 2004, 2011])
  }
}

@Suite("Both sides of a join in one result")
struct JoinedResultTests {
  @Test("are a query and the parents of its result", arguments: StoreKind.allCases)
  func pairs(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let planets = try await sky.planets.findAll(where: { $0.id >= 8 })
    let stars = try await sky.stars.parents(of: planets, by: \.starID)
    let pairs = planets.compactMap { planet in stars[planet.starID].map { "\(planet.name) of \($0.name)" } }
    #expect(pairs == ["Neptune of Sun", "Proxima b of Proxima Centauri"])
  }
}
