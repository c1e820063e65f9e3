import Query
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("The rules of a table are checked with samples", .tags(.slow))
struct SampleTableRuleTests {
  struct Trip: Entity, Hashable {
    let id: Int
    var day: Int
    var hall: Int?
    var guide: Int?

    static let plain = Schema(
      "trip", Trip.init, Column("id", \.id), Column("day", \.day), Column("hall", \.hall), Column("guide", \.guide))
    static let unique = plain.unique(\.day, \.hall)
    static let checked = plain.check("day of a week") { $0.day.in(1...7) }
    static let schema = unique.check("day of a week") { $0.day.in(1...7) }

    static let samples = [
      Trip(id: 1, day: 7, hall: 2, guide: nil), Trip(id: 2, day: 3, hall: nil, guide: 5),
      Trip(id: 3, day: 3, hall: 4, guide: 6), Trip(id: 4, day: 5, hall: 4, guide: 5),
    ]
  }

  private static let together = "values that are unique together may each be repeated"
  private static let check = "a row that breaks a check is refused, and the error names the rule"

  @Test("A repository that keeps them", arguments: SplitMix64.seeds)
  func kept(seed: UInt64) async throws {
    let report = try await RepositoryConformance.verify(samples: Trip.samples, seed: seed) {
      try MemoryRepository<Trip>()
    }
    #expect(!report.skippedRules.contains { [Self.together, Self.check].contains($0.name) })
  }

  private static let forgetful: [(Schema<Trip>, [String])] = [
    (Trip.checked, [together]), (Trip.unique, [check]), (Trip.plain, [together, check]),
  ]

  @Test("A repository that forgets one", arguments: forgetful)
  func forgotten(schema: Schema<Trip>, rules: [String]) async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(samples: Trip.samples, recombinedTo: Effort.varieties) {
        try MemoryRepository<Trip>(schema: schema)
      }
    }
    let names: [String]? = error?.failedRules.map(\.name)
    #expect(names == rules)
  }

  @Test("A repository that declares that it knows none is not asked")
  func declared() async throws {
    let report = try await RepositoryConformance.verify(
      samples: Trip.samples, recombinedTo: [], only: [Self.check, Self.together], without: [.checks, .uniqueness]
    ) {
      try MemoryRepository<Trip>(schema: Trip.plain)
    }
    #expect(report.skippedRules.contains { $0.name == Self.check && $0.features == [.checks] })
    #expect(report.skippedRules.contains { $0.name == Self.together && $0.features == [.uniqueness] })
  }

  @Test("Samples that break them are refused")
  func brokenSamples() async throws {
    let samples = Trip.samples + [Trip(id: 5, day: 9, hall: nil, guide: nil), Trip(id: 6, day: 7, hall: 2, guide: 1)]
    let error = await #expect(throws: SampleError.self) {
      try await RepositoryConformance.verify(samples: samples) { try MemoryRepository<Trip>() }
    }
    #expect(
      error?.gaps == [
        "two samples have the same day and hall, which are unique together",
        "a sample breaks the rule day of a week",
      ])
  }
}
