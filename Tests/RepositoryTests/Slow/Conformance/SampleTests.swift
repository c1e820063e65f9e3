import Query
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("The conformance suite checks repositories of any model", .tags(.slow))
struct SampleTests {
  /// What four samples can't show: they are no hundred, and none has a mass of zero.
  private static let hidden =
    [
      "counts no further than to a hundred", "turns the sign of a zero round",
      "takes what is worked out for the first key of it", "sorts by keys alone",
      "gives equal rows of a projection again", "cuts a result before it looks for the first of each group",
    ]
    // No rule asks samples about conflicts and about what writes return.
    + Fault<Specimen>.conflicts.map(\.testDescription)

  @Test("Repositories in memory keep all rules", arguments: SplitMix64.seeds.suffix(Effort.isFull ? 4 : 1))
  func memory(seed: UInt64) async throws {
    let report = try await RepositoryConformance.verify(samples: WebPokemon.samples, seed: seed) {
      try MemoryRepository<WebPokemon>()
    }
    // Pokémon have no blobs and no large numbers.
    #expect(
      report.skippedRules.map(\.name) == [
        "blobs are in the order of their bytes", "integers beyond 2^53 are not rounded",
        "blobs are sorted by their bytes", "a sum of integers overflows only if the total does",
      ])
    #expect(report.skippedRules.allSatisfy { $0.features.isEmpty })
    #expect(
      report.notes == ["the samples were recombined with the seed \(seed); pass `seed: \(seed)` to repeat this run"])
  }

  @Test("Models with all types of columns, and keys of several columns")
  func suiteModels() async throws {
    let report = try await RepositoryConformance.verify(
      samples: Specimen.samples, recombinedTo: Effort.isFull ? [3, .max] : [.max]
    ) { try MemoryRepository<Specimen>() }
    #expect(report.skippedRules.isEmpty)
    try await RepositoryConformance.verify(samples: Drawer.samples, recombinedTo: Effort.varieties) {
      try MemoryRepository<Drawer>()
    }
  }

  @Test(
    "What was found wrong with the suite's models is found with samples, under one of the same rules",
    arguments: Effort.sample(Fault<Specimen>.all.filter { !hidden.contains($0.testDescription) }))
  func faults(fault: Fault<Specimen>) async throws {
    // Samples know nothing of Swift's types, so what does not come back breaks one rule, whatever its type.
    let isLossy = fault.rules.contains { $0.contains("come back") || $0.contains("comes back") }
    let rules = fault.rules + (isLossy ? ["an element comes back as it was saved"] : [])
    await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(samples: Specimen.samples, recombinedTo: [], only: Set(rules)) {
        try fault.makeRepository()
      }
    }
  }

  @Test(
    "Each fault of a repository of Pokémon is reported under the rules that it breaks",
    arguments: Effort.sample(Fault<WebPokemon>.all))
  func pokemonFaults(fault: Fault<WebPokemon>) async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(samples: WebPokemon.samples, seed: 5) { try fault.makeRepository() }
    }
    #expect(error?.failedRules.map(\.name) == fault.rules)
  }

  @Test("A report tells the question, both answers and the seed")
  func report() async throws {
    let fault = try #require(Fault<WebPokemon>.all.first)
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(
        samples: WebPokemon.samples, recombinedTo: [], only: Set(fault.rules), seed: 7
      ) { try fault.makeRepository() }
    }
    let report = try #require(error?.description)
    #expect(report.hasPrefix("a repository of WebPokemon breaks 3 of "))
    #expect(
      report.contains(
        """
        `!=` is true for rows whose value is null
          where second != 'flying'
            expected: 1, 7, 25, 29, 150
            found:    1, 150

        """))
    #expect(report.contains("recombined with the seed 7; pass `seed: 7` to repeat this run"))
  }

  @Test("The same seed asks the same")
  func seed() async throws {
    func ask() async throws -> ConformanceError? {
      await #expect(throws: ConformanceError.self) {
        try await RepositoryConformance.verify(
          samples: WebPokemon.samples, recombinedTo: [3, .max], only: ["random requests find the same as in memory"],
          seed: 11
        ) {
          try FaultyRepository<WebPokemon> { $0.onFound = { $0.dropLast() } }
        }
      }
    }
    #expect(try await ask() == ask())
  }

  /// Samples that can't show everything, and what has to be said of them.
  struct PoorSamples: CustomTestStringConvertible {
    let testDescription: String
    let samples: [WebPokemon]
    let gap: String

    static let all: [PoorSamples] = {
      let known = WebPokemon.samples
      func changed(_ change: (inout WebPokemon) -> Void) -> [WebPokemon] {
        known.map { pokemon in
          var pokemon = pokemon
          change(&pokemon)
          return pokemon
        }
      }
      return [
        PoorSamples(testDescription: "none", samples: [], gap: "there are 0 samples, but the suite needs three"),
        PoorSamples(
          testDescription: "two", samples: Array(known.prefix(2)), gap: "there are 2 samples, but the suite needs three"
        ),
        PoorSamples(
          testDescription: "one twice", samples: known + known.prefix(1), gap: "two samples have the same key"),
        PoorSamples(
          testDescription: "one name", samples: changed { $0.name = "Ditto" },
          gap: "two samples have the same name, which is unique"),
        PoorSamples(
          testDescription: "no null", samples: changed { $0.weight = $0.weight ?? 1 },
          gap: "no sample has a null in weight: add a sample with a null, to check nulls in queries and sorts"),
        PoorSamples(
          testDescription: "nothing but null", samples: changed { $0.weight = nil },
          gap: "no sample has a value in weight: add two samples with different values"),
        PoorSamples(
          testDescription: "one type", samples: changed { $0.type = "normal" },
          gap: "all samples have the same type: add a sample with another value, to check comparisons and sorts"),
      ]
    }()
  }

  @Test("Samples that can't show everything are refused, with what to add", arguments: PoorSamples.all)
  func poorSamples(poor: PoorSamples) async throws {
    let error = await #expect(throws: SampleError.self) {
      try await RepositoryConformance.verify(samples: poor.samples) { try MemoryRepository<WebPokemon>() }
    }
    #expect(error?.gaps.contains(poor.gap) == true, "\(error?.gaps ?? [])")
  }

  @Test("Gaps that are allowed are noted")
  func allowedGaps() async throws {
    let samples = WebPokemon.samples.filter { $0.weight != nil }
    let report = try await RepositoryConformance.verify(
      samples: samples, recombinedTo: [3, .max], only: ["a limit of 0 gives nothing"], allowingGaps: true
    ) {
      try MemoryRepository<WebPokemon>()
    }
    #expect(report.notes.first?.hasPrefix("no sample has a null in weight") == true)
  }

  /// A model that refuses most rows: its two numbers have to differ by one.
  struct Neighbours: Entity {
    let id: Int
    let low: Int
    let high: Int

    init(id: Int, low: Int, high: Int) throws {
      if high != low + 1 { throw ValueError("they are no neighbours") }
      self.id = id
      self.low = low
      self.high = high
    }

    static let schema = Schema(
      "neighbours", Neighbours.init, Column("id", \.id), Column("low", \.low), Column("high", \.high))
  }

  @Test("Rows that the model refuses are left out")
  func refusedRows() async throws {
    let samples = try [(1, 5), (2, 5), (3, 8), (4, 9)].map { try Neighbours(id: $0.0, low: $0.1, high: $0.1 + 1) }
    try await RepositoryConformance.verify(samples: samples, recombinedTo: Effort.varieties) {
      try MemoryRepository<Neighbours>()
    }
  }
}
