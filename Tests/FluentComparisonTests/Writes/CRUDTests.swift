import SQLiteStore
import Testing

@Suite("Create, read, update and delete")
struct CRUDTests {
  @Test("an element is inserted, and comes back with its key", arguments: StoreKind.allCases)
  func creating(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    var draft = Moon(id: nil, name: "Tethys", planetID: 6, diameter: 1_062, discovered: nil)
    draft.discovered = 1684
    let tethys = try await moons.insert(draft)
    #expect(tethys.id == 11)
    #expect(try await moons.first(where: { $0.name == "Tethys" }) == tethys)
  }

  @Test("an element is found by its key, or missed", arguments: StoreKind.allCases)
  func reading(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.find(3)?.name == "Earth")
    #expect(try await planets.find(99) == nil)
    await expectRefusal(.notFound) { try await planets.get(99) }
  }

  @Test("a changed element takes the place of the old one", arguments: StoreKind.allCases)
  func updating(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    var earth = try await planets.get(3)
    earth.name = "Terra"
    try await planets.save(earth)
    // Saved again without a change.
    try await planets.save(earth)
    #expect(try await planets.findAll(where: { $0.name == "Terra" }) == [earth])
    #expect(try await planets.count() == 10)
  }

  @Test("an element is deleted by its key, and only once", arguments: StoreKind.allCases)
  func deleting(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    #expect(try await missions.delete(5) == 1)
    #expect(try await missions.delete(5) == 0)
    #expect(try await missions.count() == 4)
  }
}

@Suite("Insert or replace")
struct UpsertTests {
  @Test("`save` does either, `insert` refuses what is there", arguments: StoreKind.allCases)
  func saving(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    let juno = Mission(id: 4, name: "Juno", launched: 2011, ended: 2027)
    await expectRefusal(.conflict) { try await missions.insert(juno) }
    try await missions.save([juno, Mission(id: 6, name: "Dawn", launched: 2007, ended: 2018)])
    #expect(try await missions.get(4) == juno)
    #expect(try await missions.count() == 6)
  }

  @Test("what refers to a replaced element stays", arguments: StoreKind.allCases)
  func references(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.missions.save(Mission(id: 4, name: "Juno", launched: 2011, ended: 2027))
    #expect(try await sky.visits.filter { $0.missionID == 4 }.count() == 2)
  }

  @Test("the key decides; a clash in another unique column is an error", arguments: StoreKind.allCases)
  func otherColumns(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    await expectRefusal(.conflict) { try await missions.save(Mission(id: 9, name: "Juno", launched: 1, ended: nil)) }
    #expect(try await missions.count() == 5)
  }

  @Test("by another unique column: look, and save, in a transaction", arguments: StoreKind.allCases)
  func byName(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.store.transaction { _ in
      let known = try await sky.missions.first(where: { $0.name == "Juno" })
      try await sky.missions.save(Mission(id: known?.id ?? 9, name: "Juno", launched: 2011, ended: 2027))
    }
    #expect(try await sky.missions.get(4).ended == 2027)
  }

  @Test("in SQL, by any unique column")
  func inSQL() async throws {
    let store = try SQLiteStore.inMemory()
    let sky = try await Sky(in: store)
    try await store.sql.execute(
      """
      INSERT INTO mission (id, name, launched) VALUES (\(9), \("Juno"), \(2011))
      ON CONFLICT (name) DO UPDATE SET ended = \(2027)
      """)
    #expect(try await sky.missions.get(4).ended == 2027)
    #expect(try await sky.missions.count() == 5)
  }
}
