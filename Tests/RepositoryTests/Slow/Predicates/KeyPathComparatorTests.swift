#if canImport(Darwin) || KeyPathComparators
  import Foundation
  import Repository
  import TestSupport
  import Testing

  @Suite("A key path comparator becomes the sort that orders alike")
  struct KeyPathComparatorTests {
    @Test("Properties, optional or not, in both directions")
    func orders() throws {
      let comparators: [KeyPathComparator<Animal>] = [
        KeyPathComparator(\.height, order: .reverse), KeyPathComparator(\.name), KeyPathComparator(\.eggs),
        KeyPathComparator(\.nick, comparator: String.StandardComparator.lexical), KeyPathComparator(\.size),
      ]
      let sort: AnySort = .descending(key: "height") + .ascending(key: "name") + .ascending(key: "eggs")
      #expect(try AnySort(comparators) == sort + .ascending(key: "nick") + .ascending(key: "size"))
      #expect(try AnySort([KeyPathComparator<Animal>]()) == .primaryKey)
      #expect(
        try AnySort([KeyPathComparator(\Animal.born, order: .reverse)])
          == .descending(key: "born"))
    }

    @Test("Animals are sorted as Foundation sorts them", arguments: SplitMix64.seeds)
    func agrees(seed: UInt64) throws {
      var generator = RandomAnimals(random: SplitMix64(seed: seed))
      let animals = generator.animals(60)
      let repository = try MemoryRepository(animals)
      for order in [SortOrder.forward, .reverse] {
        let comparators: [[KeyPathComparator<Animal>]] = [
          [KeyPathComparator(\.height, order: order)],
          [KeyPathComparator(\.eggs, order: order), KeyPathComparator(\.legs)],
          [KeyPathComparator(\.nick, order: order)], [KeyPathComparator(\.size, order: order)],
          [KeyPathComparator(\.initial, order: order)], [KeyPathComparator(\.code, order: order)],
        ]
        for comparators in comparators {
          // Both sorts are stable, or add the key.
          let expected = animals.sorted(using: comparators + [KeyPathComparator(\.id)]).map(\.id)
          let found = try repository.blocking.findAll(FetchRequest(sortedBy: AnySort(comparators))).map(\.id)
          #expect(found == expected, "seed \(seed)")
        }
      }
    }

    @Test("Comparators of other orders are refused")
    func refusals() {
      let refused: [KeyPathComparator<Animal>] = [
        KeyPathComparator(\.name, comparator: String.Comparator(options: .caseInsensitive)),
        KeyPathComparator(\.nick, comparator: String.Comparator(options: .numeric)),
        KeyPathComparator(\.stage), KeyPathComparator(\.rank),
      ]
      for comparator in refused {
        #expect(throws: QueryError.self) { try AnySort([comparator]) }
      }
    }
  }
#endif
