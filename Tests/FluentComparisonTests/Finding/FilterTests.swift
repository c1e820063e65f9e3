import Repository
import Testing

@Suite("Filter by a property and a value")
struct ValueFilterTests {
  @Test("equal, different, less and greater", arguments: StoreKind.allCases)
  func comparisons(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.findAll(where: { $0.name == "Earth" }).map(\.id) == [3])
    #expect(try await planets.findAll(where: { $0.kind != .rocky }).map(\.id) == [5, 6, 7, 8, 10])
    #expect(try await planets.findAll(where: { $0.radius < 3_000 }).map(\.name) == ["Mercury"])
    #expect(try await planets.findAll(where: { 25_000 < $0.radius }).map(\.id) == [5, 6, 7])
  }

  @Test("the first that fits, or none", arguments: StoreKind.allCases)
  func first(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.first(where: { $0.kind == .iceGiant })?.name == "Uranus")
    #expect(try await planets.first(where: { $0.name == "Pluto" }) == nil)
    #expect(try await planets.filter { $0.discovered == 1846 }.exists())
  }

  @Test("ranges of values", arguments: StoreKind.allCases)
  func ranges(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    #expect(try await moons.filter { $0.diameter.in(3_000..<5_000) }.count() == 4)
    #expect(try await moons.filter { (1_600...1_700).contains($0.discovered) }.count() == 5)
    #expect(try await moons.filter { !(1_600...1_700).contains($0.discovered) }.count() == 5)
  }
}

@Suite("Filter by two properties of one row")
struct PropertyFilterTests {
  @Test("they are compared row by row, and nil is neither less nor greater", arguments: StoreKind.allCases)
  func comparisons(kind: StoreKind) async throws {
    let missions = try await Sky(kind).missions
    #expect(try await missions.findAll(where: { $0.launched == $0.ended }).map(\.name) == ["Mariner 1"])
    #expect(try await missions.findAll(where: { $0.ended > $0.launched }).map(\.name) == ["Cassini", "Messenger"])
    #expect(try await missions.filter { $0.ended < $0.launched }.count() == 0)
    #expect(try await missions.filter { $0.launched != $0.ended }.count() == 4)
  }
}

@Suite("Filter by conditions in groups")
struct GroupedFilterTests {
  @Test("and, or, not, nested as Swift nests them", arguments: StoreKind.allCases)
  func nested(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let named = try await planets.findAll(
      where: { $0.name == "Earth" || $0.name == "Mars" }, sortedBy: { $0.name.ascending })
    #expect(named.map(\.name) == ["Earth", "Mars"])
    let nested = try await planets.findAll(where: {
      $0.starID == 1 && ($0.kind == .iceGiant || ($0.kind == .rocky && !($0.radius > 3_000)))
    })
    #expect(nested.map(\.name) == ["Mercury", "Uranus", "Neptune"])
  }

  @Test(
    "groups that are put together at run time: and of nothing is true, or of nothing is false",
    arguments: StoreKind.allCases)
  func lists(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let names = ["Earth", "Mars"]
    let any = AnyQuery.any(of: names.map { .equal(key: "name", value: $0) })
    #expect(try await planets.count(any) == 2)
    #expect(try await planets.count(.all(of: [])) == 10)
    #expect(try await planets.count(.any(of: [])) == 0)
  }
}

@Suite("Filter by lists of values, also empty ones")
struct ListFilterTests {
  @Test("in a list, and not in it", arguments: StoreKind.allCases)
  func membership(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.findAll(where: { $0.id.in([3, 5, 99]) }).map(\.name) == ["Earth", "Jupiter"])
    #expect(try await planets.filter { !$0.kind.in([.rocky, .gasGiant]) }.count() == 2)
    #expect(try await planets.filter { $0.discovered.in([nil, 1846]) }.count() == 7)
  }

  @Test("an empty list holds nothing, and everything is outside of it", arguments: StoreKind.allCases)
  func empty(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.filter { $0.id.in([3]) && !$0.id.in([]) }.count() == 1)
    #expect(try await planets.filter { $0.id.in([]) && !$0.id.in([3]) }.count() == 0)
  }
}

@Suite("Filter by parts of texts")
struct TextFilterTests {
  private struct Note: Entity {
    let id: Int
    var text: String?

    static let schema = Schema("note", Note.init, Column("id", \.id), Column("text", \.text))
  }

  @Test("of a text that may be nil, with its case or without", arguments: StoreKind.allCases)
  func parts(kind: StoreKind) async throws {
    let notes = try kind.open().repository(of: Note.self)
    try await notes.insert(["comet", "Halley's Comet", nil, "met", "50% cloud"].enumerated().map(Note.init))
    #expect(try await notes.findAll(where: { $0.text.contains("ome") }).map(\.id) == [0, 1])
    #expect(try await notes.findAll(where: { $0.text.hasPrefix("com") }).map(\.id) == [0])
    #expect(try await notes.findAll(where: { $0.text.hasSuffix("comet", ignoringCase: true) }).map(\.id) == [0, 1])
    // A per cent sign is one here, and any run of characters in a pattern.
    #expect(try await notes.findAll(where: { $0.text.contains("%") }).map(\.id) == [4])
    #expect(try await notes.findAll(where: { $0.text.like("%met") }).map(\.id) == [0, 1, 3])
  }
}

@Suite("Filter by properties that may be nil")
struct OptionalFilterTests {
  @Test("nil equals nil, and differs from every value", arguments: StoreKind.allCases)
  func combinations(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.filter { $0.radius == nil && $0.discovered != nil }.count() == 2)
    #expect(try await planets.filter { $0.radius != nil && $0.discovered == nil }.count() == 6)
    #expect(try await planets.filter { $0.radius == nil && $0.starID == nil }.count() == 1)
    #expect(try await planets.filter { $0.radius != nil && $0.discovered != nil }.count() == 2)
    // Unlike in SQL, what is not 1846 includes what is not known.
    #expect(try await planets.filter { $0.discovered != 1846 }.count() == 9)
  }
}
