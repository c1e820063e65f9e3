import Repository
import Testing

@Suite("Aggregates by property have the Swift types that fit")
struct AggregateTests {
  private let creatures: AnyRepository<Creature>

  init() throws {
    creatures = AnyRepository(try MemoryRepository(Creature.samples))
  }

  @Test("of all elements and of those that a closure describes")
  func single() async throws {
    let heaviest: Double? = try await creatures.max(\.weight, where: { $0.element == .fire })
    #expect(heaviest == 90.5)
    let lowest: Double? = try await creatures.min(\.height)
    #expect(lowest == 0.6)
    let first: Element? = try await creatures.min(\.element)
    #expect(first == .fire)
    let rare: Bool? = try await creatures.max(\.isRare, where: { $0.id < 4 })
    #expect(rare == false)
    let total: Int = try await creatures.sum(\.attack)
    #expect(total == 233)
    let weight: Double = try await creatures.sum(\.weight)
    #expect(weight == 114.9)
    let height: Double = try await creatures.sum(\.height, where: { _ in .equal(key: "id", value: 2) })
    #expect(height == 0)
    let mean: Double? = try await creatures.average(\.defense)
    #expect(mean == 58.75)
    #expect(try await creatures.average(\.height, where: { $0.id == 2 }) == nil)
    #expect(try await creatures.max(\.seen) == nil)
    #expect(try await creatures.exists(where: { $0.name == "Leaf" }))
    #expect(try await !creatures.exists(where: { $0.name == "leaf" }))
    #expect(try await creatures.exists())
  }

  @Test("and of groups, whose keys and aggregates come as one value each or as tuples")
  func groups() async throws {
    let byElement = try await creatures.aggregate(.count, .average(\.height), groupedBy: \.element)
    #expect(byElement.map(\.key) == [.fire, .grass, .water])
    #expect(byElement.map(\.aggregates.0) == [2, 1, 1])
    #expect(byElement.map(\.aggregates.1) == [1.15, 0.7, nil])
    let heavy = try await creatures.aggregate(
      .max(\.weight), groupedBy: \.secondElement, \.isRare, where: { $0.weight > 7 },
      sortedBy: .descending(.max(\.weight)),
      limit: 2)
    #expect(heavy.map(\.aggregates) == [90.5, 9])
    #expect(heavy.map(\.key.0) == [nil, .grass])
    #expect(heavy.map(\.key.1) == [true, false])
    let names = try await creatures.aggregate(.count(\.nickname), .sum(\.attack), .min(\.name), groupedBy: \.isRare)
    #expect(names.map(\.aggregates.0) == [1, 0])
    #expect(names.map(\.aggregates.1) == [149, 84])
    #expect(names.map(\.aggregates.2) == ["Ember", "Blaze"])
  }

  @Test("of different values, of some elements of a group, and of some groups")
  func conditions() async throws {
    let common = try await creatures.aggregate(
      .countDistinct(\.isRare), .count.where { $0.weight > 7 }, groupedBy: \.element,
      having: { $0[.count] > 1 || $0[\.element] == .water })
    #expect(common.map(\.key) == [.fire, .water])
    #expect(common.map(\.aggregates.1) == [2, 1])
    let heavy = try await creatures.aggregate(
      .count, groupedBy: \.element, having: { $0[.max(\.weight)] > 90.0 && $0[.min(\.nickname)] == nil })
    #expect(heavy.map(\.key) == [.fire])
    let error = await #expect(throws: RepositoryError.self) {
      try await creatures.aggregate(.count, groupedBy: \.element, having: { $0[\.weight] > 1 })
    }
    #expect(error?.summary == "rows are not grouped by weight")
  }

  @Test("A property without a column is an error")
  func unknown() async throws {
    let error = await #expect(throws: RepositoryError.self) { try await creatures.sum(\.density) }
    #expect(error?.code == .invalidQuery)
    #expect(error?.summary.hasSuffix("in creature") == true)
  }

  @Test("Sums that overflow are errors")
  func overflow() async throws {
    try await creatures.save(Creature(id: 5, name: "Titan", element: .water, attack: .max))
    let error = await #expect(throws: RepositoryError.self) { try await creatures.sum(\.attack) }
    #expect(error?.code == .overflow)
    #expect(error?.summary == "sum(attack) overflows")
    #expect(try await creatures.max(\.attack) == .max)
  }

  @Test("A repository that implements no aggregates has them all the same, from what it fetches")
  func byDefault() async throws {
    let plain = PlainRepository(base: try MemoryRepository(Creature.samples))
    let request = AggregateRequest(
      [.count, .sum(key: "weight"), .max(key: "nickname")], of: .lessThan(key: "id", value: 4), groupedBy: ["element"],
      sortedBy: .descending(.sum(key: "weight")), limit: 2)
    #expect(try await plain.aggregate(request) == creatures.aggregate(request))
    #expect(try await AnyRepository(plain).sum(\.attack) == 233)
    let error = await #expect(throws: RepositoryError.self) { try await plain.sum(\.density) }
    #expect(error?.code == .invalidQuery)
  }

  @Test("Without a schema there is no default")
  func withoutSchema() async throws {
    let table = try TableSchema("t", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let plain = PlainRepository(base: try MemoryRepository(schema: Schema(table)))
    let error = await #expect(throws: RepositoryError.self) { try await plain.aggregate(AggregateRequest([.count])) }
    #expect(error?.code == .unsupported)
  }
}

/// A repository with what has to be implemented, and nothing more.
private struct PlainRepository<Element: Storable>: Repository {
  let base: MemoryRepository<Element>

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try base.find(id) }
  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] { try base.findAll(request) }
  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.count(query) }
  func save(_ elements: [Element]) throws(RepositoryError) { try base.save(elements) }
  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int { try base.delete(ids) }
}
