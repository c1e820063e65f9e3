import Query
import Testing
import TestSupport

@Suite("The detector finds mistakes")
struct DetectorTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? 2026

  @Test("each of them, and makes its example small", arguments: Mutation.all)
  func detect(_ mutation: Mutation) throws {
    var random = SplitMix64(seed: Self.seed)
    for definition in TableDefinition.fixed + TableDefinition.fixed {
      let found = try DifferentialRun.firstDisagreement(2_000, definition, mutation.engines, &random)
      guard let scenario = found.scenario else { continue }
      let small = Shrinker.shrink(scenario, mutation.engines)
      #expect(small.rows.count <= 12, "seed \(Self.seed)")
      let report = small.report(seed: Self.seed, mutation.engines)
      #expect(report.contains("in memory: ") && report.contains("Swift: FetchRequest("), "\(report)")
      return
    }
    Issue.record("\(mutation) was not found, seed \(Self.seed)")
  }
}
