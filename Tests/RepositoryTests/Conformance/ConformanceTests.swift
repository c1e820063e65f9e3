import Repository
import RepositoryTesting
import Testing

@Suite("What keeps elements in memory keeps the contract")
struct ConformanceTests {
  @Test("Repositories in memory")
  func memoryRepository() async throws {
    try await RepositoryConformance.verify { try MemoryRepository<Specimen>() }
    try await RepositoryConformance.verify { try MemoryRepository<Place>() }
    try await RepositoryConformance.verify { try MemoryRepository<Loan>() }
    try await RepositoryConformance.verify { try MemoryRepository<Drawer>() }
  }

  @Test("Stores in memory")
  func memoryStore() async throws {
    try await RepositoryConformance.verify(store: { MemoryStore() })
  }

  @Test("Repositories that are written by hand, with the five methods that have to be")
  func fiveMethods() async throws {
    try await RepositoryConformance.verify { try FaultyRepository<Specimen> { _ in } }
  }

  @Test("Repositories that hide what is behind them")
  func anyRepository() async throws {
    try await RepositoryConformance.verify { AnyRepository(try MemoryRepository<Specimen>()) }
    try await RepositoryConformance.verify { AnyRepository(AnyRepository(try MemoryRepository<Drawer>())) }
  }
}
