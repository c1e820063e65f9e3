import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Asks memory and SQLite the same random questions. `REPOKIT_SEED=n make test ONLY=Differential` replays a run, and
/// `make random` asks ten times as many, and `make soak MINUTES=n` goes on for longer.
@Suite("Random requests find the same rows in the same order in memory and in SQLite", .tags(.slow))
struct DifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in tables of every sort", arguments: TableDefinition.fixed)
  func fixedTables(_ definition: TableDefinition) throws {
    var run = DifferentialRun(seed: Self.seed)
    try run.ask(Effort.rounds(2_000), of: definition)
    run.finish()
  }

  @Test("in random tables")
  func randomTables() throws {
    var run = DifferentialRun(seed: Self.seed)
    for _ in 0..<Effort.rounds(50) { try run.ask(200, of: .random(using: &run.random)) }
    run.finish()
  }

  @Test("for as long as it is told", .enabled(if: Environment.number("REPOKIT_SOAK_MINUTES") != nil))
  func soak() throws {
    let minutes = Double(Environment.number("REPOKIT_SOAK_MINUTES") ?? 0)
    let end = ContinuousClock.now + .seconds(60 * minutes)
    var seed = Self.seed
    var total = 0
    while ContinuousClock.now < end {
      var run = DifferentialRun(seed: seed)
      for definition in TableDefinition.fixed { try run.ask(500, of: definition) }
      for _ in 0..<20 { try run.ask(200, of: .random(using: &run.random)) }
      if run.hasFailed { return }
      total += run.asked
      seed += 1
    }
    print("\(total) requests alike, seeds \(Self.seed) to \(seed - 1)")
  }
}

/// Requests from one seed, of as many tables as are wanted.
struct DifferentialRun {
  let seed: UInt64
  var random: SplitMix64
  private(set) var asked = 0
  private(set) var answered = 0
  private(set) var hasFailed = false

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  mutating func ask(_ count: Int, of definition: TableDefinition) throws {
    let (scenario, answered) = try Self.firstDisagreement(count, definition, Engines(), &random)
    asked += count
    self.answered += answered
    if let scenario {
      hasFailed = true
      Issue.record(Comment(rawValue: Shrinker.shrink(scenario, Engines()).report(seed: seed, Engines())))
    }
  }

  /// Few requests may be errors, or nothing would be compared.
  func finish() {
    #expect(answered > asked / (Effort.isFull ? 2 : 4), "\(answered) of \(asked), seed \(seed)")
  }

  /// Asks until both disagree.
  ///
  /// - Returns: what they disagreed about, if anything, and how many requests were answered rather than refused.
  static func firstDisagreement(
    _ count: Int, _ definition: TableDefinition, _ engines: Engines, _ random: inout SplitMix64
  ) throws -> (scenario: Scenario?, answered: Int) {
    let empty = try Arena(definition, rows: [])
    var writer = RandomRequests(random: random, table: try empty.store.schema(ofTable: definition.base))
    writer.jsonRate = 0.3
    let rows = (0..<100).map { _ in writer.row() }
    let arena = try Arena(definition, rows: rows)
    var requests = RandomRequests(random: writer.random, table: arena.table)
    requests.expressionRate = 0.25
    requests.jsonRate = 0.3
    requests.rows = try arena.memory.blocking.findAll(FetchRequest()).map(\.values)
    defer { random = requests.random }
    var answered = 0
    for _ in 0..<count {
      let request = requests.request()
      if arena.disagreement(request, engines) != nil {
        return (Scenario(definition: definition, rows: rows, request: request), answered)
      }
      if (try? request.resolved(in: arena.table)) != nil { answered += 1 }
    }
    return (nil, answered)
  }
}

@Suite("The detector finds mistakes", .tags(.slow))
struct DetectorTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? 2026

  @Test("each of them, and makes its example small", arguments: Effort.sample(Mutation.all))
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
