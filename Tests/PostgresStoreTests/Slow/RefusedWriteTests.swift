import Repository
import TestSupport
import Testing

@Suite("Writes that break rules are refused by a server for the first row that does", .tags(.slow), .requiresServer)
struct RefusedWriteTests {
  @Test("by the first of its rules, which the error names")
  func refusedWrites() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfRefusedWrites()
      #expect(faults == [])
    }
  }
}
