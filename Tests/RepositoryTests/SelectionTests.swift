import Foundation
import Repository
import Testing

extension Selection<Creature> {
  /// A function of a program that takes a selection and returns a smaller one.
  fileprivate var rare: Selection { filter { $0.isRare } }
}

@Suite("A selection is a value that is composed, and asked")
struct SelectionTests {
  private let creatures: AnyRepository<Creature>

  init() throws {
    creatures = AnyRepository(try MemoryRepository(Creature.samples))
  }

  @Test("Its range follows Swift's sequences for every request")
  func ranges() async throws {
    let ids = try await creatures.findAll().map(\.id).sorted(by: >)
    let sorted = creatures.sorted { $0.id.descending }
    let cases: [(Selection<Creature>, [Int])] = [
      (sorted, ids), (sorted.prefix(2), Array(ids.prefix(2))), (sorted.prefix(3).prefix(2), Array(ids.prefix(2))),
      (sorted.prefix(2).prefix(3), Array(ids.prefix(2))), (sorted.dropFirst(), Array(ids.dropFirst())),
      (sorted.dropFirst(1).dropFirst(2), Array(ids.dropFirst(3))),
      (sorted.prefix(3).dropFirst(1), Array(ids.prefix(3).dropFirst(1))),
      (sorted.dropFirst(1).prefix(2), Array(ids.dropFirst(1).prefix(2))), (sorted.prefix(1).dropFirst(5), []),
      (sorted.prefix(0), []), (sorted.dropFirst(100), []),
    ]
    for (selection, expected) in cases {
      #expect(try await selection.all().map(\.id) == expected, "\(selection.request)")
      #expect(try await selection.count() == expected.count, "\(selection.request)")
      #expect(try await selection.exists() == !expected.isEmpty, "\(selection.request)")
      #expect(try await selection.first()?.id == expected.first, "\(selection.request)")
      #expect(try await selection.readable().elements.map(\.id) == expected, "\(selection.request)")
      #expect(try await selection.select(\.id) == expected, "\(selection.request)")
    }
  }

  @Test("Filters add up, the last order counts, and the request is a value without the repository")
  func composition() async throws {
    let heavy = creatures.filter { $0.weight > 5 }.sorted { $0.name.ascending }.rare.sorted(by: \.weight.descending)
    let request = FetchRequest(
      .greaterThan(key: "weight", value: 5.0) && .equal(key: "rare", value: true), sortedBy: .descending(key: "weight"))
    #expect(heavy.request == request)
    #expect(Set([heavy.request, request]).count == 1)
    #expect(try await creatures.selection(request).all().map(\.id) == heavy.select(\.id))
    #expect(creatures.selection().filter(AnyQuery.true).request == FetchRequest())
    #expect(
      creatures.filter(#Predicate<Creature> { $0.weight > 5 }).request == creatures.filter { $0.weight > 5 }.request)
  }

  @Test("A range of negative length, and a predicate without a query, are refused when they are asked")
  func refusals() async throws {
    for selection in [
      creatures.selection().prefix(-1), creatures.filter(#Predicate<Creature> { $0.name.hashValue == $0.id }),
    ] {
      await #expect(throws: RepositoryError.self) { try await selection.all() }
      await #expect(throws: RepositoryError.self) { try await selection.count() }
    }
  }

  @Test("A write changes all elements of a selection, and has no range")
  func writes() async throws {
    let rare = creatures.selection().rare
    let ids = try await rare.select(\.id)
    #expect(!ids.isEmpty)
    for selection in [rare.prefix(1), rare.dropFirst(1)] {
      let update = await #expect(throws: RepositoryError.self) { try await selection.update { $0.weight = 1 } }
      let deletion = await #expect(throws: RepositoryError.self) { try await selection.delete() }
      let sum = await #expect(throws: RepositoryError.self) { try await selection.aggregate(.sum(\.weight)) }
      #expect([update, deletion, sum].allSatisfy { $0?.code == .invalidQuery && $0?.suggestion != nil })
    }
    #expect(try await rare.updateReturning { $0.weight = 1 }.map(\.id) == ids)
    #expect(try await rare.update { $0.weight = 2 } == ids.count)
    #expect(try await rare.aggregate(.max(\.weight)) == 2)
    #expect(try await rare.deleteReturning().map(\.id) == ids)
    #expect(try await rare.exists() == false)
    #expect(try await rare.aggregate(.max(\.weight)) == nil)
  }

  @Test("Groups have a condition, an order, a range, and first elements")
  func groups() async throws {
    let groups = creatures.selection().grouped(by: \.element)
    let counts = try await groups.aggregate(.count)
    #expect(try await counts.map(\.values).reduce(0, +) == creatures.count())
    let most = try await groups.sorted(by: .descending(.count)).prefix(1).aggregate(.count, .max(\.weight))
    #expect(most.map(\.values.0) == [counts.map(\.values).max() ?? 0])
    #expect(try await groups.having { $0[.count] > 100 }.aggregate(.count).isEmpty)
    let first = try await creatures.sorted { $0.weight.descending }.grouped(by: \.element).first(1)
    #expect(first.count == counts.count)
    await #expect(throws: RepositoryError.self) { try await groups.prefix(1).first(1) }
  }
}
