import Repository
import Testing

@Suite("The elements that refer to another")
struct ChildrenTests {
  @Test("of one element: a query", arguments: StoreKind.allCases)
  func one(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let mars = try await sky.planet("Mars")
    #expect(try await sky.moons.findAll(where: { $0.planetID == mars.id }).map(\.name) == ["Phobos", "Deimos"])
    #expect(try await sky.moons.count(where: { $0.planetID == mars.id }) == 2)
  }

  @Test("of a whole result by one further query, filtered and sorted", arguments: StoreKind.allCases)
  func many(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let giants = try await sky.planets.findAll(where: { $0.kind == .gasGiant })
    let moons = try await sky.moons.children(
      of: giants, by: \.planetID, where: { $0.diameter > 1_000 }, sortedBy: .descending(\.diameter))
    #expect(moons[5].map(\.name) == ["Ganymede", "Callisto", "Io", "Europa"])
    #expect(moons[6].map(\.name) == ["Titan"])
    #expect(moons[10].isEmpty)
  }

  @Test("a child is added by naming its parent", arguments: StoreKind.allCases)
  func adding(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let uranus = try await sky.planet("Uranus")
    let miranda = try await sky.moons.insert(
      Moon(id: nil, name: "Miranda", planetID: uranus.id, diameter: 471.6, discovered: 1948))
    #expect(miranda.id == 11)
    #expect(try await sky.moons.findAll(where: { $0.planetID == uranus.id }) == [miranda])
  }

  @Test("they go with their parent", arguments: StoreKind.allCases)
  func cascade(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    #expect(try await sky.planets.delete(5))
    #expect(try await sky.moons.count() == 6)
    #expect(try await sky.visits.count(where: { $0.planetID == 5 }) == 0)
  }
}

@Suite("Two kinds of children of the same parents")
struct TwoKindsOfChildrenTests {
  @Test("are two queries, however many parents there are", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let planets = try await sky.planets.findAll(where: { $0.starID == 1 })
    let moons = try await sky.moons.children(of: planets, by: \.planetID)
    let visits = try await sky.visits.children(of: planets, by: \.planetID)
    #expect(planets.map { moons[$0.id].count } == [0, 0, 1, 2, 4, 2, 0, 1])
    #expect(planets.map { visits[$0.id].count } == [1, 2, 2, 0, 3, 2, 1, 1])
  }
}

@Suite("Two references to the same type")
struct TwoReferencesTests {
  private struct Port: Entity, Equatable {
    let id: String
    var city: String

    static let schema = Schema("port", Port.init, Column("id", \.id), Column("city", \.city))
  }

  private struct Flight: Entity, Equatable {
    let id: Int
    var origin: String
    var target: String

    static let schema = Schema(
      "flight", Flight.init, Column("id", \.id), Column("origin", \.origin, .references(Port.self)),
      Column("target", \.target, .references(Port.self)))
  }

  @Test("each has its parents and children by its own property", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let store = try kind.open()
    let ports: AnyRepository<Port> = try store.repository()
    let flights: AnyRepository<Flight> = try store.repository()
    try await ports.insert([
      Port(id: "KSC", city: "Merritt Island"), Port(id: "ISS", city: "none"), Port(id: "BAI", city: "Baikonur"),
    ])
    try await flights.insert([
      Flight(id: 1, origin: "KSC", target: "ISS"), Flight(id: 2, origin: "BAI", target: "ISS"),
      Flight(id: 3, origin: "ISS", target: "BAI"),
    ])
    let all = try await flights.findAll()
    // Once for both ends.
    let ends = try await ports.parents(of: all.flatMap { [$0.origin, $0.target] }, by: { $0 })
    #expect(all.map { ends[$0.origin]?.city } == ["Merritt Island", "Baikonur", "none"])
    #expect(all.map { ends[$0.target]?.city } == ["none", "none", "Baikonur"])
    let stations = try await ports.findAll(where: { $0.city == "none" })
    #expect(try await flights.children(of: stations, by: \.origin)["ISS"].map(\.id) == [3])
    #expect(try await flights.children(of: stations, by: \.target)["ISS"].map(\.id) == [1, 2])
    await expectRefusal(.restrictViolation) { try await ports.delete("ISS") }
  }
}
