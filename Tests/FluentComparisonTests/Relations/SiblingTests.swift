import Repository
import Testing

@Suite("Many to many")
struct SiblingTests {
  /// The planets of a mission, by the links between them.
  private func planets(of mission: Mission, in sky: Sky) async throws -> [String] {
    let visits = sky.visits.filter { $0.missionID == mission.id }.sorted { $0.year.ascending }
    return try await visits.including(Visit.planet.from(sky.planets)).all().compactMap { $0.1?.name }
  }

  @Test("the links are elements: to attach is to insert, to detach is to delete", arguments: StoreKind.allCases)
  func attaching(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let juno = try #require(try await sky.missions.first(where: { $0.name == "Juno" }))
    #expect(try await planets(of: juno, in: sky) == ["Earth", "Jupiter"])
    let earth = Visit.ID(missionID: juno.id, planetID: 3)
    #expect(try await sky.visits.delete(earth) == 1)
    #expect(try await planets(of: juno, in: sky) == ["Jupiter"])
    try await sky.visits.insert(Visit(missionID: juno.id, planetID: 3, year: 2013))
    #expect(try await planets(of: juno, in: sky) == ["Earth", "Jupiter"])
    try await sky.visits.delete([earth, Visit.ID(missionID: juno.id, planetID: 5)])
    #expect(try await planets(of: juno, in: sky).isEmpty)
  }

  @Test("from both sides, for a whole result, in three queries", arguments: StoreKind.allCases)
  func bothSides(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let visits = sky.visits.sorted { $0.year.ascending }.including(Visit.mission.from(sky.missions))
    let planets = try await sky.planets.filter { $0.name.in(["Earth", "Jupiter"]) }
      .including(ToMany(Visit.planet).from(visits)).all()
    let visitors = planets.map { $0.1.compactMap { $0.1?.name } }
    #expect(visitors == [["Messenger", "Juno"], ["Voyager 2", "Cassini", "Juno"]])
  }

  @Test("attached only if it is not yet", arguments: StoreKind.allCases)
  func ifMissing(kind: StoreKind) async throws {
    let visits = try await Sky(kind).visits
    await expectRefusal(.conflict) { try await visits.insert(Visit(missionID: 4, planetID: 5, year: 2017)) }
    // `save` puts the new link in the place of the old one.
    try await visits.save(Visit(missionID: 4, planetID: 5, year: 2017))
    #expect(try await visits.get(Visit.ID(missionID: 4, planetID: 5)).year == 2017)
    #expect(try await visits.filter { $0.missionID == 4 && $0.planetID == 5 }.exists())
  }
}

@Suite("Links with attributes")
struct PivotTests {
  @Test("are read, filtered, sorted and changed like all elements", arguments: StoreKind.allCases)
  func attributes(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let recent = try await sky.visits.findAll(where: { $0.year > 2010 }, sortedBy: { $0.year.descending })
    #expect(recent.map(\.year) == [2016, 2013, 2011])
    #expect(try await sky.visits.filter { $0.missionID == 3 && $0.planetID == 1 }.update { $0.year = 2008 } == 1)
    #expect(try await sky.visits.filter { $0.year > 2010 }.count() == 2)
  }
}

@Suite("Counts across many to many")
struct LinkCountTests {
  @Test("are groups of the links", arguments: StoreKind.allCases)
  func groups(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let counts = try await sky.visits.selection().grouped(by: \.planetID).sorted(by: .descending(.count)).prefix(2)
      .aggregate(.count, .min(\.year))
    #expect(counts.map(\.key) == [5, 2])
    #expect(counts.map(\.values.0) == [3, 2])
    #expect(counts.map(\.values.1) == [1979, 1998])
  }

  @Test("by a property of what the links lead to", arguments: StoreKind.allCases)
  func names(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let counts = try await sky.visits.selection().grouped(by: { $0.planet.name }).sorted(by: .descending(.count))
      .prefix(1).aggregate(.count)
    #expect(counts.map(\.key) == ["Jupiter"] && counts.map(\.values) == [3])
  }
}
