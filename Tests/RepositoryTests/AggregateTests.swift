import Repository
import TestSupport
import Testing

@Suite("Aggregates by property have the Swift types that fit")
struct AggregateTests {
  private let creatures: AnyRepository<Creature>

  init() throws {
    creatures = AnyRepository(try MemoryRepository(Creature.samples))
  }

  @Test("of all elements and of those that a closure describes")
  func single() async throws {
    let heaviest: Double? = try await creatures.filter { $0.element == .fire }.aggregate(.max(\.weight))
    #expect(heaviest == 90.5)
    let lowest: Double? = try await creatures.selection().aggregate(.min(\.height))
    #expect(lowest == 0.6)
    let first: Element? = try await creatures.selection().aggregate(.min(\.element))
    #expect(first == .fire)
    let rare: Bool? = try await creatures.filter { $0.id < 4 }.aggregate(.max(\.isRare))
    #expect(rare == false)
    let total: Int = try await creatures.selection().aggregate(.sum(\.attack))
    #expect(total == 233)
    let weight: Double = try await creatures.selection().aggregate(.sum(\.weight))
    #expect(weight == 114.9)
    let height: Double = try await creatures.filter { _ in .equal(key: "id", value: 2) }.aggregate(.sum(\.height))
    #expect(height == 0)
    let mean: Double? = try await creatures.selection().aggregate(.average(\.defense))
    #expect(mean == 58.75)
    #expect(try await creatures.filter { $0.id == 2 }.aggregate(.average(\.height)) == nil)
    #expect(try await creatures.selection().aggregate(.max(\.seen)) == nil)
    #expect(try await creatures.filter { $0.name == "Leaf" }.exists())
    #expect(try await !creatures.filter { $0.name == "leaf" }.exists())
    #expect(try await creatures.selection().exists())
  }

  @Test("and of groups, whose keys and aggregates come as one value each or as tuples")
  func groups() async throws {
    let byElement = try await creatures.selection().grouped(by: \.element).aggregate(.count, .average(\.height))
    #expect(byElement.map(\.key) == [.fire, .grass, .water])
    #expect(byElement.map(\.values.0) == [2, 1, 1])
    #expect(byElement.map(\.values.1) == [1.15, 0.7, nil])
    let heavy = try await creatures.filter { $0.weight > 7 }.grouped(by: \.secondElement, \.isRare).sorted(
      by: .descending(.max(\.weight))
    ).prefix(2).aggregate(.max(\.weight))
    #expect(heavy.map(\.values) == [90.5, 9])
    #expect(heavy.map(\.key.0) == [nil, .grass])
    #expect(heavy.map(\.key.1) == [true, false])
    let names = try await creatures.selection().grouped(by: \.isRare).aggregate(
      .count(\.nickname), .sum(\.attack), .min(\.name))
    #expect(names.map(\.values.0) == [1, 0])
    #expect(names.map(\.values.1) == [149, 84])
    #expect(names.map(\.values.2) == ["Ember", "Blaze"])
  }

  @Test("of different values, of some elements of a group, and of some groups")
  func conditions() async throws {
    let common = try await creatures.selection().grouped(by: \.element).having {
      $0[.count] > 1 || $0[\.element] == .water
    }.aggregate(.countDistinct(\.isRare), .count.where { $0.weight > 7 })
    #expect(common.map(\.key) == [.fire, .water])
    #expect(common.map(\.values.1) == [2, 1])
    let tall = try await creatures.selection().grouped(by: \.element).aggregate(
      .count, .max(\.height), .count.where { $0.height > 1 })
    #expect(tall.map(\.values.2) == [1, 0, 0])
    let (all, some, _) = try await creatures.selection().aggregate(
      .count, .count.where { $0.height > 1 }, .count.where { $0.height < 1 })
    #expect((all, some) == (4, 1))
    let heavy = try await creatures.selection().grouped(by: \.element).having {
      $0[.max(\.weight)] > 90.0 && $0[.min(\.nickname)] == nil
    }.aggregate(.count)
    #expect(heavy.map(\.key) == [.fire])
    let strong = try await creatures.selection().grouped(by: \.element).having { $0[.sum(\.attack)] / $0[.count] > 50 }
      .aggregate(.count)
    #expect(strong.map(\.key) == [.fire])
    await expectError(summary: "the query does not group by weight") {
      try await creatures.selection().grouped(by: \.element).having { $0[\.weight] > 1 }.aggregate(.count)
    }
  }

  @Test("A property without a column is an error")
  func unknown() async throws {
    let error = await #expect(throws: RepositoryError.self) {
      try await creatures.selection().aggregate(.sum(\.density))
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.summary.hasSuffix("in creature") == true)
  }

  @Test("Sums that overflow are errors")
  func overflow() async throws {
    try await creatures.save(Creature(id: 5, name: "Titan", element: .water, attack: .max))
    await expectError(.overflow, summary: "sum(attack) overflows") {
      try await creatures.selection().aggregate(.sum(\.attack))
    }
    #expect(try await creatures.selection().aggregate(.max(\.attack)) == .max)
  }

  @Test("A repository without aggregates computes them from fetched elements")
  func byDefault() async throws {
    let plain = PlainRepository(base: try MemoryRepository(Creature.samples))
    let request = AggregateRequest(
      [.count, .sum(key: "weight"), .max(key: "nickname")], of: .lessThan(key: "id", value: 4), groupedBy: ["element"],
      sortedBy: .descending(.sum(key: "weight")), limit: 2)
    #expect(try await plain.aggregate(request) == creatures.aggregate(request))
    #expect(try await AnyRepository(plain).selection().aggregate(.sum(\.attack)) == 233)
    let sort = AnySort.descending(key: "attack")
    let cursor = try Creature.schema.cursor(at: Creature.samples[2], sortedBy: sort)
    for rows in [FetchRequest(sortedBy: sort, limit: 1, before: cursor), FetchRequest(sortedBy: sort, before: cursor)] {
      let projection = ProjectionRequest([.key("name")], of: rows)
      #expect(try await plain.findRows(projection) == creatures.findRows(projection))
    }
    await expectError(.invalidQuery) { try await plain.selection().aggregate(.sum(\.density)) }
  }

  @Test("Without a schema there is no default")
  func withoutSchema() async throws {
    let table = try TableSchema("t", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let plain = PlainRepository(base: try MemoryRepository(schema: Schema(table)))
    await expectError(.unsupported) { try await plain.aggregate(AggregateRequest([.count])) }
  }
}

/// A repository with what has to be implemented, and nothing more.
private struct PlainRepository<Element: Storable>: Repository {
  let base: MemoryRepository<Element>

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try base.blocking.find(id) }
  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] { try base.blocking.findAll(request) }
  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.blocking.count(query) }
  func save(_ elements: [Element]) throws(RepositoryError) { try base.blocking.save(elements) }
  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int { try base.blocking.delete(ids) }
}
