import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("A repository over a web API follows the contract, except for declared features", .tags(.slow))
struct WebRepositoryTests {
  static let lacking: Set<RepositoryFeature> = [
    .cursors, .patterns, .ignoringCase, .keyComparisons, .batches, .largeRequests,
  ]

  @Test("of its own model")
  func ownModel() async throws {
    let report = try await RepositoryConformance.verify(
      samples: WebPokemon.samples, recombinedTo: Effort.varieties, without: Self.lacking
    ) {
      try WebRepository<WebPokemon>(WebServer())
    }
    #expect(report.ruleCount > 80)
    let leftOut = Dictionary(uniqueKeysWithValues: report.skippedRules.map { ($0.name, $0) })
    #expect(leftOut["a page after a cursor equals the page at the same offset"]?.features == [.cursors])
    #expect(leftOut["a page after a cursor equals the page at the same offset"]?.isPartial == false)
    #expect(leftOut["text operators are false for a null, their negations true"]?.isPartial == true)
    #expect(leftOut["`=` finds values equal to a value"] == nil)
    #expect(leftOut["an element with another's unique value is a conflict, and nothing changes"] == nil)
    #expect(report.description.contains("two keys are compared row by row: needs key against key"))
  }

  @Test("of the suite's model")
  func suiteModel() async throws {
    let rules = Effort.isFull ? Specimen.rules : Specimen.shortRules
    let report = try await RepositoryConformance.verify(rules, without: Self.lacking) {
      try WebRepository<Specimen>(WebServer())
    }
    #expect(report.skippedRules.contains { $0.features == [.ignoringCase, .patterns] || $0.features == [.patterns] })
  }

  @Test("The suite finds missing features that are not declared")
  func undeclared() async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(
        samples: WebPokemon.samples, recombinedTo: Effort.varieties,
        without: Self.lacking.subtracting([.keyComparisons])
      ) { try WebRepository<WebPokemon>(WebServer()) }
    }
    #expect(
      error?.failedRules.map(\.name) == [
        "a bound of `between` may be another key", "two keys are compared row by row",
        "two keys that are both null are equal, one null differs from a value",
        "a key compared with a null key is neither less nor greater, the negations are true",
        "a key equals itself, null or not",
      ])
  }

  @Test("The suite catches a server that ignores unknown items, even if cursors are declared")
  func lie() async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(
        samples: WebPokemon.samples, recombinedTo: Effort.varieties, without: [.cursors, .batches]
      ) {
        try WebRepository<WebPokemon>(WebServer(isCareless: true))
      }
    }
    #expect(error?.failedRules.map(\.name) == [ConformanceReport.declarationRule])
    #expect(error?.failedRules.first?.failures.first?.expected.hasPrefix("the error unsupported, or ") == true)
    let suite = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(Specimen.shortRules, without: [.cursors, .batches, .largeRequests]) {
        try WebRepository<Specimen>(WebServer(isCareless: true))
      }
    }
    #expect(suite?.failedRules.map(\.name) == [ConformanceReport.declarationRule])
  }

  @Test("A feature that is declared without need is noted")
  func needless() async throws {
    let report = try await RepositoryConformance.verify(
      samples: WebPokemon.samples, recombinedTo: Effort.varieties, without: [.cursors, .between]
    ) {
      try MemoryRepository<WebPokemon>()
    }
    #expect(report.skippedRules.allSatisfy { $0.features.isEmpty })
    #expect(
      report.notes.contains(
        "between is declared as unsupported, but the repository refused no question that needs this feature"))
  }
}
