import SQLiteStore
import Testing

@Suite("Set properties by query")
struct SetTests {
  @Test("several, in any order, of all elements or of some", arguments: StoreKind.allCases)
  func several(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    // swift-format-ignore
    #expect(try await planets.filter { $0.kind == .rocky }.update { $0.radius = 1; $0.discovered = 2 } == 5)
    // swift-format-ignore
    #expect(try await planets.filter { $0.kind == .rocky }.update { $0.discovered = 2; $0.radius = 1 } == 5)
    #expect(try await planets.filter { $0.radius == 1 && $0.discovered == 2 }.count() == 5)
    #expect(try await planets.filter { _ in .true }.update { $0.radius = 3 } == 10)
  }

  @Test("to nil, and to the case of an enum", arguments: StoreKind.allCases)
  func nilAndEnum(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    // swift-format-ignore
    try await planets.filter { $0.id <= 3 }.update { $0.radius = nil; $0.kind = .iceGiant }
    #expect(try await planets.filter { $0.radius == nil }.count() == 5)
    #expect(try await planets.filter { $0.kind == .iceGiant }.count() == 5)
  }

  @Test("is refused where a rule would be broken, and for the key", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    await expectRefusal(.conflict) { try await planets.filter { $0.id <= 2 }.update { $0.name = "Vulcan" } }
    await expectRefusal(.foreignKeyViolation) {
      try await planets.filter { $0.id == 1 }.update { $0.starID = 99 }
    }
    await expectRefusal(.invalidQuery) { try await planets.filter { $0.id == 1 }.update { $0.id = 99 } }
    #expect(try await planets.findAll() == Planet.all)
  }
}

@Suite("Set a property to an expression of others")
struct ExpressionSetTests {
  @Test("of each row as it was before, in one call", arguments: StoreKind.allCases)
  func ofEachRow(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let changed = try await sky.moons.filter { $0.planetID == 4 }.update { $0.diameter = $0.diameter * 1_000.0 }
    #expect(changed == 2)
    #expect(try await sky.moons.findAll(where: { $0.planetID == 4 }).map(\.diameter) == [22_200, 12_400])
  }

  @Test("in SQL, in one statement")
  func inSQL() async throws {
    let store = try SQLiteStore.inMemory()
    let sky = try await Sky(in: store)
    let changed = try await store.sql.execute("UPDATE moon SET diameter = diameter * 1000 WHERE planet_id = \(4)")
    #expect(changed == 2)
    #expect(try await sky.moons.findAll(where: { $0.planetID == 4 }).map(\.diameter) == [22_200, 12_400])
  }
}

@Suite("What has changed in an element")
struct ChangedTests {
  @Test("is a comparison with what was read: elements are values", arguments: StoreKind.allCases)
  func comparing(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let before = try await planets.get(3)
    var after = before
    #expect(after == before)
    after.radius = nil
    #expect(after != before)
    // What others have changed meanwhile in other columns is kept.
    try await planets.filter { $0.id == 3 }.update { $0.name = "Terra" }
    #expect(try await planets.save(after, changedFrom: before))
    after.name = "Terra"
    #expect(try await planets.get(3) == after)
  }
}
