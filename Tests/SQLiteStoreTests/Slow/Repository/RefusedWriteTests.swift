import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Writes that break rules are refused for the first row that does", .tags(.slow))
struct RefusedWriteTests {
  @Test("by the first of its rules, which the error names", arguments: ProjectionTests.stores.indices)
  func refusedWrites(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfRefusedWrites()
    #expect(faults == [])
  }
}
