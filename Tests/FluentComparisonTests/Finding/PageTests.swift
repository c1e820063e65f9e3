import Repository
import Testing

@Suite("A part of a result by its positions")
struct RangeTests {
  @Test("limit and offset cut the sorted result", arguments: StoreKind.allCases)
  func positions(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    func names(limit: Int? = nil, offset: Int = 0) async throws -> [String] {
      let names = planets.sorted { $0.name.ascending }.dropFirst(offset)
      return try await (limit.map { names.prefix($0) } ?? names).select(\.name)
    }
    #expect(try await names(limit: 3, offset: 2) == ["Mars", "Mercury", "Neptune"])
    #expect(try await names(limit: 2) == ["Earth", "Jupiter"])
    #expect(try await names(offset: 8) == ["Uranus", "Venus"])
    #expect(try await names(offset: 80).isEmpty)
    #expect(try await names(limit: 0).isEmpty)
  }
}

@Suite("Pages by number, with a total")
struct NumberedPageTests {
  /// What a client asks for that counts pages from 1.
  private func page(_ number: Int, size: Int, in sky: Sky) async throws -> (planets: [Planet], total: Int) {
    // One state for both, whatever is written meanwhile.
    try await sky.store.read { _ in
      (
        try await sky.planets.sorted { $0.name.ascending }.dropFirst((number - 1) * size).prefix(size).all(),
        try await sky.planets.count()
      )
    }
  }

  @Test("are a limit, an offset and a count", arguments: StoreKind.allCases)
  func numbers(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let first = try await page(1, size: 2, in: sky)
    #expect(first.planets.map(\.name) == ["Earth", "Jupiter"])
    #expect(first.total == 10)
    #expect(try await page(2, size: 2, in: sky).planets.map(\.name) == ["Mars", "Mercury"])
    #expect(try await page(4, size: 3, in: sky).planets.map(\.name) == ["Venus"])
  }

  @Test("with numbers that make no sense are refused", arguments: StoreKind.allCases)
  func nonsense(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    await expectRefusal(.invalidQuery) { try await page(-1, size: 2, in: sky) }
    await expectRefusal(.invalidQuery) { try await page(1, size: -2, in: sky) }
    await expectRefusal(.invalidQuery) { try await sky.planets.selection().page(size: 0) }
  }
}

@Suite("Pages by cursor")
struct CursorPageTests {
  @Test("neither overlap nor leave anything out when rows come and go", arguments: StoreKind.allCases)
  func changing(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let first = try await sky.moons.sorted { $0.diameter.descending }.page(size: 4)
    #expect(first.elements.map(\.name) == ["Ganymede", "Titan", "Callisto", "Io"])
    #expect(first.previous == nil)
    // By their numbers, the next page would begin with Io again.
    try await sky.moons.filter { $0.name == "Ganymede" }.delete()
    try await sky.moons.insert(Moon(id: nil, name: "Rhea", planetID: 6, diameter: 1_527.6, discovered: 1672))
    let second = try await sky.moons.sorted { $0.diameter.descending }.page(size: 4, after: first.next)
    #expect(second.elements.map(\.name) == ["Moon", "Europa", "Triton", "Rhea"])
    let third = try await sky.moons.sorted { $0.diameter.descending }.page(size: 4, after: second.next)
    #expect(third.elements.map(\.name) == ["Enceladus", "Phobos", "Deimos"])
    #expect(third.next == nil)
    let back = try await sky.moons.sorted { $0.diameter.descending }.page(size: 4, before: third.previous)
    #expect(back.elements == second.elements)
  }
}

@Suite("A large result in chunks")
struct ChunkTests {
  @Test("each of at most so many elements, and all of them once", arguments: StoreKind.allCases, [64, 511])
  func chunks(kind: StoreKind, size: Int) async throws {
    let moons = try await Sky(kind).moons
    try await moons.insert(
      contentsOf: (11...512).lazy.map { Moon(id: $0, name: "a small one", planetID: 6, diameter: 3, discovered: nil) })
    var sizes: [Int] = []
    var seen: Set<Int?> = []
    var page = try await moons.selection().page(size: size)
    while true {
      sizes.append(page.elements.count)
      seen.formUnion(page.elements.map(\.id))
      guard let next = page.next else { break }
      page = try await moons.selection().page(size: size, after: next)
    }
    #expect(sizes == (size == 64 ? Array(repeating: 64, count: 8) : [511, 1]))
    #expect(seen.count == 512)
  }
}
