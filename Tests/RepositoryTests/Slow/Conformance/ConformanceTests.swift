import Query
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("Repositories in memory follow the contract")
struct ConformanceTests {
  @Test("Repositories in memory")
  func memoryRepository() async throws {
    // The store's test checks all rules.
    try await RepositoryConformance.verify(Effort.sample(Specimen.rules)) { try MemoryRepository<Specimen>() }
    try await RepositoryConformance.verify { try MemoryRepository<Station>() }
    try await RepositoryConformance.verify { try MemoryRepository<Loan>() }
    try await RepositoryConformance.verify { try MemoryRepository<Drawer>() }
  }

  @Test("Stores in memory")
  func memoryStore() async throws {
    try await RepositoryConformance.verify(store: { MemoryStore(timeout: .seconds(600)) })
  }

  @Test("Repositories that are written by hand, with the five methods that have to be")
  func fiveMethods() async throws {
    try await RepositoryConformance.verify(Effort.isFull ? Specimen.rules : Specimen.shortRules) {
      FiveMethodRepository(base: try MemoryRepository<Specimen>())
    }
    try await RepositoryConformance.verify(samples: WebPokemon.samples, recombinedTo: Effort.varieties) {
      FiveMethodRepository(base: try MemoryRepository<WebPokemon>())
    }
  }

  @Test("Type-erased repositories")
  func anyRepository() async throws {
    try await RepositoryConformance.verify(Effort.sample(Specimen.rules)) {
      AnyRepository(try MemoryRepository<Specimen>())
    }
    try await RepositoryConformance.verify { AnyRepository(AnyRepository(try MemoryRepository<Drawer>())) }
  }
}

/// A repository that leaves to the defaults what it may.
private struct FiveMethodRepository<Element: Entity>: Repository {
  let base: MemoryRepository<Element>

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try base.blocking.find(id) }
  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] { try base.blocking.findAll(request) }
  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.blocking.count(query) }
  func save(_ elements: [Element]) throws(RepositoryError) { try base.blocking.save(elements) }
  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int { try base.blocking.delete(ids) }
}
