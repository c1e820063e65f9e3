import Repository
import SQLStore
import Testing

@Suite("A name for a table that is being rebuilt")
struct FreeNameTests {
  @Test(
    "is one that nothing has, and not too long",
    arguments: [
      ([], "old_a"), (["old_a"], "old_a_"), (["old_a", "old_a_"], "old_a__"), (["old_a", "old_a_", "old_a__"], "old"),
      (["old_a", "old_a_", "old_a__", "old", "old_"], "old__"),
      (["old_a", "old_a_", "old_a__", "old", "old_", "old__", "old___", "old____"], nil),
    ] as [([String], String?)])
  func names(_ taken: [String], _ name: String?) throws {
    func freeName() throws(RepositoryError) -> String {
      try RebuildPlan.freeName("old_a", or: "old", upTo: 7) { name throws(RepositoryError) in taken.contains(name) }
    }
    if let name { return #expect(try freeName() == name) }
    let error = #expect(throws: RepositoryError.self) { try freeName() }
    #expect(error?.suggestion != nil && error?.reason?.contains("old____ exists") == true)
  }

  @Test("is the short one where the other is too long")
  func long() throws {
    let long = String(repeating: "é", count: 32)
    let name = try RebuildPlan.freeName(long, or: "old", upTo: 63) { _ throws(RepositoryError) in false }
    #expect(name == "old")
  }
}
