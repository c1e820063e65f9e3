import SQLiteStore
import Testing

@Suite("Sort by properties")
struct SortTests {
  @Test("descending is the reverse of ascending", arguments: StoreKind.allCases)
  func directions(kind: StoreKind) async throws {
    let stars = try await Sky(kind).stars
    let ascending = try await stars.findAll(sortedBy: { $0.name.ascending })
    let descending = try await stars.findAll(sortedBy: { $0.name.descending })
    #expect(ascending.map(\.name) == ["Betelgeuse", "Proxima Centauri", "Sirius", "Sun"])
    #expect(ascending == descending.reversed())
  }

  @Test("several keys, and at last the primary key, so that there is one order", arguments: StoreKind.allCases)
  func severalKeys(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let sorted = try await moons.findAll(
      where: { $0.discovered <= 1877 }, sortedBy: { $0.discovered.descending + $0.name.ascending })
    #expect(
      sorted.map(\.name)
        == ["Deimos", "Phobos", "Triton", "Enceladus", "Titan", "Callisto", "Europa", "Ganymede", "Io"])
    #expect(try await moons.findAll(sortedBy: { $0.planetID.ascending }).map { $0.id ?? 0 } == Array(1...10))
  }

  @Test("nil comes first or last, as one says", arguments: StoreKind.allCases)
  func nulls(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    #expect(try await missions.findAll(sortedBy: { $0.ended.ascending }).map(\.id) == [1, 4, 5, 3, 2])
    #expect(try await missions.findAll(sortedBy: { $0.ended.ascending(nulls: .last) }).map(\.id) == [5, 3, 2, 1, 4])
  }
}

@Suite("Sort by an expression")
struct ExpressionSortTests {
  @Test("as a text, or as a value", arguments: StoreKind.allCases)
  func sorted(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let sort = try AnySort(parsing: "if(name = 'Earth', 0, 1), name")
    let homeFirst = try await planets.findAll(
      FetchRequest(AnyQuery.equal(key: "kind", value: PlanetKind.rocky), sortedBy: sort))
    #expect(homeFirst.map(\.name) == ["Earth", "Mars", "Mercury", "Proxima b", "Venus"])
  }

  @Test("in SQL, as a whole statement")
  func inSQL() async throws {
    let store = try SQLiteStore.inMemory()
    _ = try await Sky(in: store)
    let statement: SQLStatement = """
      SELECT * FROM \(table: Planet.self) WHERE kind = \(PlanetKind.rocky) ORDER BY name <> \("Earth"), name
      """
    let homeFirst = try await store.sql.query(statement, as: Planet.self)
    #expect(homeFirst.map(\.name) == ["Earth", "Mars", "Mercury", "Proxima b", "Venus"])
  }
}
