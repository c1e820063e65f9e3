import Repository
import Testing

@Suite("Many to many")
struct SiblingTests {
  /// The planets of a mission, by the links between them.
  private func planets(of mission: Mission, in sky: Sky) async throws -> [String] {
    let visits = try await sky.visits.findAll(where: { $0.missionID == mission.id }, sortedBy: .ascending(\.year))
    let planets = try await sky.planets.parents(of: visits, by: \.planetID)
    return visits.compactMap { planets[$0.planetID]?.name }
  }

  @Test("the links are elements: to attach is to insert, to detach is to delete", arguments: StoreKind.allCases)
  func attaching(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let juno = try #require(try await sky.missions.first(where: { $0.name == "Juno" }))
    #expect(try await planets(of: juno, in: sky) == ["Earth", "Jupiter"])
    let earth = Visit.ID(missionID: juno.id, planetID: 3)
    #expect(try await sky.visits.delete(earth))
    #expect(try await planets(of: juno, in: sky) == ["Jupiter"])
    try await sky.visits.insert(Visit(missionID: juno.id, planetID: 3, year: 2013))
    #expect(try await planets(of: juno, in: sky) == ["Earth", "Jupiter"])
    try await sky.visits.delete([earth, Visit.ID(missionID: juno.id, planetID: 5)])
    #expect(try await planets(of: juno, in: sky).isEmpty)
  }

  @Test("from both sides, for a whole result, in two queries", arguments: StoreKind.allCases)
  func bothSides(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let planets = try await sky.planets.findAll(where: { $0.name.in(["Earth", "Jupiter"]) })
    let visits = try await sky.visits.children(of: planets, by: \.planetID, sortedBy: .ascending(\.year))
    let missions = try await sky.missions.parents(of: visits.all, by: \.missionID)
    let visitors = planets.map { visits[$0.id].compactMap { missions[$0.missionID]?.name } }
    #expect(visitors == [["Messenger", "Juno"], ["Voyager 2", "Cassini", "Juno"]])
  }

  @Test("attached only if it is not yet", arguments: StoreKind.allCases)
  func ifMissing(kind: StoreKind) async throws {
    let visits = try await Sky(kind).visits
    await expectRefusal(.conflict) { try await visits.insert(Visit(missionID: 4, planetID: 5, year: 2017)) }
    // `save` puts the new link in the place of the old one.
    try await visits.save(Visit(missionID: 4, planetID: 5, year: 2017))
    #expect(try await visits.get(Visit.ID(missionID: 4, planetID: 5)).year == 2017)
    #expect(try await visits.exists(where: { $0.missionID == 4 && $0.planetID == 5 }))
  }
}

@Suite("Links with attributes")
struct PivotTests {
  @Test("are read, filtered, sorted and changed like all elements", arguments: StoreKind.allCases)
  func attributes(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let recent = try await sky.visits.findAll(where: { $0.year > 2010 }, sortedBy: .descending(\.year))
    #expect(recent.map(\.year) == [2016, 2013, 2011])
    #expect(try await sky.visits.update(where: { $0.missionID == 3 && $0.planetID == 1 }, set: { $0.year = 2008 }) == 1)
    #expect(try await sky.visits.count(where: { $0.year > 2010 }) == 2)
  }
}

@Suite("Counts across many to many")
struct LinkCountTests {
  @Test("are groups of the links", arguments: StoreKind.allCases)
  func groups(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let counts = try await sky.visits.aggregate(
      .count, .min(\.year), groupedBy: \.planetID, sortedBy: .descending(.count), limit: 2)
    #expect(counts.map(\.key) == [5, 2])
    #expect(counts.map(\.aggregates.0) == [3, 2])
    #expect(counts.map(\.aggregates.1) == [1979, 1998])
  }

  @Test("by a property of what the links lead to", arguments: StoreKind.allCases)
  func names(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let counts = try await sky.visits.aggregate(
      .count, groupedBy: { $0.planet.name }, sortedBy: .descending(.count), limit: 1)
    #expect(counts.map(\.key) == ["Jupiter"] && counts.map(\.aggregates) == [3])
  }
}
