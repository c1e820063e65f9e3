import Repository
import RepositoryTesting
import SQLiteStore
import TestSupport
import Testing
import WebStore

@Suite("A repository over HTTP keeps the contract, but for what HTTP has no form for")
struct WebConformanceTests {
  static let lacking: Set<RepositoryFeature> = [.transactions, .latestResults]

  @Test("over memory")
  func memory() async throws {
    let report = try await RepositoryConformance.verify(
      without: Self.lacking, checking: Effort.sample, store: { ServedStore(MemoryStore()) })
    #expect(report.skippedRules.allSatisfy { Self.lacking.isSuperset(of: $0.features) })
  }

  @Test("over SQLite")
  func sqlite() async throws {
    let report = try await RepositoryConformance.verify(
      without: Self.lacking, store: { ServedStore(try SQLiteStore.inMemory(timeout: .seconds(120))) })
    #expect(report.skippedRules.allSatisfy { Self.lacking.isSuperset(of: $0.features) })
  }
}
