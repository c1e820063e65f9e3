import Foundation
import Repository
import TestSupport
import Testing

@Suite("Repositories take predicates where they take queries")
struct PredicateRepositoryTests {
  private static func repository() throws -> AnyRepository<Animal> {
    var generator = RandomAnimals(random: SplitMix64(seed: 7))
    var animals = generator.animals(6)
    for index in animals.indices { animals[index].legs = index + 1 }
    return AnyRepository(try MemoryRepository(animals))
  }

  @Test("Finding, counting and sorting")
  func predicates() async throws {
    let animals = try Self.repository()
    let most = 3
    #expect(try await animals.findAll(where: #Predicate { $0.legs > most }).map(\.legs) == [4, 5, 6])
    #expect(
      try await animals.findAll(
        where: #Predicate { $0.legs > 1 }, sortedBy: .descending(\.legs), limit: 2, offset: 1
      ).map(\.legs) == [5, 4])
    #expect(try await animals.first(where: #Predicate { $0.legs > 1 }, sortedBy: .descending(\.legs))?.legs == 6)
    #expect(try await animals.first(where: #Predicate { $0.legs > 6 }) == nil)
    #expect(try await animals.count(where: #Predicate { $0.legs < 3 }) == 2)
    let predicate = #Predicate<Animal> { $0.legs == 1 }
    #expect(try await animals.findAll(where: predicate).count == 1)
  }

  @Test("A closure is still the typed query, and a query is still a query")
  func closures() async throws {
    let animals = try Self.repository()
    #expect(try await animals.findAll(where: { $0.legs > 3 }).map(\.legs) == [4, 5, 6])
    #expect(try await animals.findAll(where: { $0.legs > 3 && $0.legs < 6 }, sortedBy: .descending(\.legs)).count == 2)
    #expect(try await animals.first(where: { $0.legs > 3 })?.legs == 4)
    #expect(try await animals.count(where: { $0.legs > 3 }) == 3)
    #expect(try await animals.findAll(where: .greaterThan(key: "legs", value: 3)).count == 3)
    #expect(try await animals.findAll(where: .true).count == 6)
    #expect(try await animals.findAll().count == 6)
  }

  @Test("A query that was made from a predicate joins with others")
  func joined() throws {
    let query = try AnyQuery(#Predicate<Animal> { $0.legs > 3 }) && .isNull(key: "eggs")
    #expect(query.description == "legs > 3 and eggs is null")
  }
}
