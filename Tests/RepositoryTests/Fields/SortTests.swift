import Query
import Repository
import Testing

@Suite("An order by properties is the order by their keys")
struct SortTests {
  @Test(
    "Each form",
    arguments: [
      (.ascending(\.weight), .ascending(key: "weight")),
      (.descending(\.weight), .descending(key: "weight")),
      (.ascending(\.secondElement, nulls: .last), .ascending(key: "second_element", nulls: .last)),
      (.descending(\.height, nulls: .first), .descending(key: "height", nulls: .first)),
      (.descending(\.weight) + .ascending(\.name), .descending(key: "weight") + .ascending(key: "name")),
      (
        .ascending(\.isRare) + .ascending(\.element) + .descending(\.id),
        .ascending(key: "rare") + .ascending(key: "element") + .descending(key: "id")
      ),
      (.primaryKey, .primaryKey),
      (.primaryKey + .ascending(\.name), .ascending(key: "name")),
    ] as [(Sort<Creature>, AnySort)])
  func forms(sort: Sort<Creature>, expected: AnySort) {
    #expect(sort.erased(by: Creature.schema) == expected)
  }

  @Test("Repositories sort by properties")
  func repository() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    #expect(try await creatures.findAll(sortedBy: .descending(\.weight)).map(\.id) == [4, 2, 1, 3])
    #expect(try await creatures.findAll(sortedBy: .ascending(\.height)).map(\.id) == [2, 1, 3, 4])
    #expect(try await creatures.findAll(sortedBy: .ascending(\.height, nulls: .last), limit: 2).map(\.id) == [1, 3])
    #expect(
      try await creatures.findAll(sortedBy: .ascending(\.element) + .descending(\.weight), offset: 1).map(\.id)
        == [1, 3, 2])
  }
}
