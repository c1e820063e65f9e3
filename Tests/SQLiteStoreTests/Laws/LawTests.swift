import Query
import Testing

/// Tries each law with random rows, queries and sorts. `REPOKIT_SEED=n swift test --filter LawTests` replays a run.
@Suite("Laws hold in memory and in SQLite")
struct LawTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in tables of every sort and in random ones", arguments: Law.all)
  func hold(law: Law) throws {
    var run = LawRun(seed: Self.seed)
    var tables = TableDefinition.fixed
    for _ in 0..<10 { tables.append(.random(using: &run.random)) }
    for table in tables {
      for (_, report) in try run.breaches(of: law, in: table) { Issue.record(Comment(rawValue: report)) }
    }
  }

  @Test("A store that makes a mistake is found out by a law", arguments: LawFlaw.all)
  func broken(flaw: LawFlaw) throws {
    let seed = Environment.number("REPOKIT_SEED") ?? 2026
    let law = try #require(Law.all.first { $0.description == flaw.law })
    var run = LawRun(seed: seed)
    var found: [LawSubject.Store: String] = [:]
    // For as long as the store is not found out that has the flaw, up to an end.
    for _ in 0..<20 where !flaw.stores.isSubset(of: found.keys) {
      for table in TableDefinition.fixed {
        found.merge(try run.breaches(of: law, in: table, flaw.engines)) { first, _ in first }
      }
    }
    #expect(Set(found.keys) == flaw.stores, "seed \(seed)")
    for (store, report) in found {
      #expect(report.hasPrefix("seed \(seed)\nlaw: \(law)\nstore: \(store.rawValue)\n"), "\(report)")
      #expect(report.contains("\nquery: "), "\(report)")
    }
  }

  @Test("Every law is broken by some store")
  func everyLaw() {
    for law in Law.all { #expect(LawFlaw.all.contains { $0.law == law.description }, "\(law)") }
  }
}
