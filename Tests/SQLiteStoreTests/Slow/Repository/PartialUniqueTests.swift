import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Columns are unique among the rows of every store that match a condition", .tags(.slow))
struct PartialUniqueTests {
  @Test("in every kind of write", arguments: ProjectionTests.stores.indices)
  func writes(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfPartialUniqueness()
    #expect(faults == [])
  }

  @Test("and over HTTP")
  func served() async throws {
    let inMemory = try await ServedStore(MemoryStore()).faultsOfPartialUniqueness()
    #expect(inMemory == [])
    let inSQLite = try await ServedStore(SQLiteStore.inMemory()).faultsOfPartialUniqueness()
    #expect(inSQLite == [])
  }
}
