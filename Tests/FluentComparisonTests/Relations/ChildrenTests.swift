import Repository
import Testing

@Suite("The elements that refer to another")
struct ChildrenTests {
  @Test("of one element: a query", arguments: StoreKind.allCases)
  func one(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let mars = try await sky.planet("Mars")
    #expect(try await sky.moons.findAll(where: { $0.planetID == mars.id }).map(\.name) == ["Phobos", "Deimos"])
    #expect(try await sky.moons.filter { $0.planetID == mars.id }.count() == 2)
  }

  @Test("of a whole result by one further query, filtered and sorted", arguments: StoreKind.allCases)
  func many(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let large = sky.moons.filter { $0.diameter > 1_000 }.sorted { $0.diameter.descending }
    let giants = try await sky.planets.filter { $0.kind == .gasGiant }.including(Planet.moons.from(large)).all()
    #expect(
      giants.map { $0.1.map(\.name) } == [["Ganymede", "Callisto", "Io", "Europa"], ["Titan"], []])
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
    #expect(try await sky.planets.delete(5) == 1)
    #expect(try await sky.moons.count() == 6)
    #expect(try await sky.visits.filter { $0.planetID == 5 }.count() == 0)
  }
}

@Suite("Two kinds of children of the same parents")
struct TwoKindsOfChildrenTests {
  @Test("are two queries, however many parents there are", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let planets = try await sky.planets.findAll(where: { $0.starID == 1 })
    let found = try await planets.including(Planet.moons.from(sky.moons), ToMany(Visit.planet).from(sky.visits))
    #expect(found.map { $0.1.count } == [0, 0, 1, 2, 4, 2, 0, 1])
    #expect(found.map { $0.2.count } == [1, 2, 2, 0, 3, 2, 1, 1])
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

    static let from = ToOne(\Flight.origin, to: Port.self)
    static let to = ToOne(\Flight.target, to: Port.self)
    static let schema = Schema(
      "flight", Flight.init, Column("id", \.id), Column("origin", \.origin),
      Column("target", \.target)
    ).references(from, to)
  }

  @Test("each has its parents and children by its own property", arguments: StoreKind.allCases)
  func both(kind: StoreKind) async throws {
    let store = try kind.open()
    let ports = try store.repository(of: Port.self)
    let flights = try store.repository(of: Flight.self)
    try await ports.insert([
      Port(id: "KSC", city: "Merritt Island"), Port(id: "ISS", city: "none"), Port(id: "BAI", city: "Baikonur"),
    ])
    try await flights.insert([
      Flight(id: 1, origin: "KSC", target: "ISS"), Flight(id: 2, origin: "BAI", target: "ISS"),
      Flight(id: 3, origin: "ISS", target: "BAI"),
    ])
    let all = try await flights.selection().including(Flight.from.from(ports), Flight.to.from(ports)).all()
    #expect(all.map { $0.1?.city } == ["Merritt Island", "Baikonur", "none"])
    #expect(all.map { $0.2?.city } == ["none", "none", "Baikonur"])
    let stations = try await ports.filter { $0.city == "none" }
      .including(ToMany(Flight.from).from(flights), ToMany(Flight.to).from(flights)).all()
    #expect(stations.map { $0.1.map(\.id) } == [[3]])
    #expect(stations.map { $0.2.map(\.id) } == [[1, 2]])
    #expect(try await flights.findAll(where: { $0.to.city == "Baikonur" }).map(\.id) == [3])
    await expectRefusal(.restrictViolation) { try await ports.delete("ISS") }
  }
}
