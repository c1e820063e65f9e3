import Query
import Repository
import Testing

@Suite("Each operator on properties makes the query that it should")
struct OperatorTests {
  @Test("Properties and values", arguments: OperatorCase.values)
  func values(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Properties and properties", arguments: OperatorCase.fields)
  func fields(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Lists and ranges", arguments: OperatorCase.lists)
  func lists(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Texts", arguments: OperatorCase.texts)
  func texts(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Conditions", arguments: OperatorCase.logic)
  func logic(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("What compiles is resolved: no operator compares kinds that the contract keeps apart")
  func resolution() async throws {
    let sightings = AnyRepository(try MemoryRepository<Sighting>())
    let all = [OperatorCase.values, OperatorCase.fields, OperatorCase.lists, OperatorCase.texts, OperatorCase.logic]
    for row in all.joined() {
      #expect(try await sightings.count(row.query) == 0, "\(row.query)")
    }
  }

  @Test("A Bool property is a condition wherever a closure is taken")
  func boolean() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    #expect(try await creatures.findAll(where: { $0.isRare }).map(\.id) == [4])
    #expect(try await creatures.findAll(where: { !$0.isRare }, sortedBy: .descending(\.id)).map(\.id) == [3, 2, 1])
    #expect(try await creatures.first(where: { $0.isRare && $0.attack > $0.weight }) == nil)
    #expect(try await creatures.count(where: { $0.isRare || $0.height == nil }) == 2)
  }

  @Test("Sorts are joined by > as by +")
  func sorts() {
    let sort: Sort<Sighting> = .descending(\.weight) > .ascending(\.nickname, nulls: .last)
    #expect(
      sort.erased(by: Sighting.schema) == .descending(key: "weight") + .ascending(key: "nickname", nulls: .last))
  }
}
