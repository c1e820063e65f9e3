import Repository
import Testing

@Suite("Aggregates of all elements and of some")
struct AggregateTests {
  @Test("count, minimum, maximum, sum and average", arguments: StoreKind.allCases)
  func aggregates(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    #expect(try await planets.count() == 10)
    #expect(try await planets.filter { $0.name == "Earth" }.count() == 1)
    #expect(try await planets.filter { $0.name == "Pluto" }.count() == 0)
    #expect(try await planets.selection().aggregate(.max(\.name)) == "Venus")
    #expect(try await planets.selection().aggregate(.min(\.discovered)) == 1781)
    #expect(try await planets.filter { $0.kind == .iceGiant }.aggregate(.max(\.radius)) == 25_362)
    #expect(try await planets.filter { $0.kind == .gasGiant }.aggregate(.average(\.radius)) == 64_071.5)
    // Exact, and rounded once, whatever the order of the rows.
    #expect(try await planets.filter { $0.id <= 4 }.aggregate(.sum(\.radius)) == 18_252)
  }

  @Test("of nothing: counts and sums are 0, the rest is nil", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) async throws {
    let planets = try await Sky(in: kind.open(), isEmpty: true).planets
    #expect(try await planets.count() == 0)
    #expect(try await planets.selection().aggregate(.sum(\.radius)) == 0)
    #expect(try await planets.selection().aggregate(.max(\.name)) == nil)
    #expect(try await planets.selection().aggregate(.min(\.discovered)) == nil)
    #expect(try await planets.selection().aggregate(.average(\.radius)) == nil)
  }
}

@Suite("Aggregates in groups")
struct GroupTests {
  @Test("by one property, several aggregates at once", arguments: StoreKind.allCases)
  func groups(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let groups = try await moons.selection().grouped(by: \.planetID).aggregate(.count, .max(\.diameter))
    #expect(groups.map(\.key) == [3, 4, 5, 6, 8])
    #expect(groups.map(\.values.0) == [1, 2, 4, 2, 1])
    #expect(groups.map(\.values.1) == [3_474.8, 22.2, 5_268.2, 5_149.5, 2_706.8])
  }

  @Test("of some elements, sorted by an aggregate, the first of them", arguments: StoreKind.allCases)
  func order(kind: StoreKind) async throws {
    let moons = try await Sky(kind).moons
    let groups = try await moons.filter { $0.diameter > 100 }.grouped(by: \.planetID).sorted(by: .descending(.count))
      .prefix(2).aggregate(.count)
    #expect(groups.map(\.key) == [5, 6])
  }
}

@Suite("Different values of a property")
struct DistinctTests {
  @Test("are the groups by it", arguments: StoreKind.allCases)
  func distinct(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let years = try await planets.selection().grouped(by: \.discovered).aggregate(.count).map(\.key)
    #expect(years == [nil, 1781, 1846, 2013, 2016])
    let pairs = try await planets.filter { $0.radius == nil }.grouped(by: \.kind, \.starID).aggregate(.count)
    #expect(pairs.map(\.key.0) == [.gasGiant, .rocky])
    #expect(pairs.map(\.key.1) == [nil, 2])
  }
}
