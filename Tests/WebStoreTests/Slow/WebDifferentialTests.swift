import Query
import Repository
import RepositoryService
import TestSupport
import Testing
import WebStore

@Suite("Random requests find the same rows over HTTP and in memory", .tags(.slow))
struct WebDifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("with the same order and the same errors")
  func requests() async throws {
    let rounds = Effort.rounds(5_000, oneIn: 20)
    let answered = try await Self.ask(rounds, seed: Self.seed)
    #expect(answered.map { $0 > rounds / 4 } != false, "seed \(Self.seed)")
  }

  @Test("for as long as it is told", .enabled(if: Environment.number("REPOKIT_SOAK_MINUTES") != nil))
  func soak() async throws {
    let minutes = Double(Environment.number("REPOKIT_SOAK_MINUTES") ?? 0)
    let end = ContinuousClock.now + .seconds(60 * minutes)
    var (seed, asked) = (Self.seed, 0)
    while ContinuousClock.now < end {
      guard try await Self.ask(500, seed: seed) != nil else { return }
      seed += 1
      asked += 500
    }
    print("\(asked) requests alike over HTTP, seeds \(Self.seed) to \(seed - 1)")
  }

  /// Asks of rows that the seed makes.
  ///
  /// - Returns: how many requests were answered; `nil` where both disagree.
  private static func ask(_ rounds: Int, seed: UInt64) async throws -> Int? {
    let table = try TableSchema(
      "thing",
      columns: [
        .init("id", .integer), .init("n", .integer, isNullable: true), .init("r", .real, isNullable: true),
        .init("t", .text, isNullable: true).holdingJSON(), .init("b", .blob, isNullable: true),
        .init("any", .any, isNullable: true),
      ], primaryKey: ["id"])
    var random = RandomRequests(random: SplitMix64(seed: seed), table: table)
    random.jsonRate = 0.3
    let store = MemoryStore()
    let memory = try store.repository(Schema(table))
    for _ in 0..<80 {
      // Random rows have the same key now and then.
      try? await memory.save(Record(values: random.row(), in: table))
    }
    random.rows = try await memory.findAll(FetchRequest()).map(\.values)
    random.expressionRate = 0.25
    let service = GrowingService(store: store)
    try service.add(Route("thing", memory, schema: Schema(table)).open, named: "thing")
    let web = try WebStore(over: service).repository(Schema(table))
    var answered = 0
    for _ in 0..<rounds {
      let request = random.request()
      let (expected, found) = (await answer(memory, request), await answer(web, request))
      if expected.error == nil { answered += 1 }
      // Where a path may lead to other tables, the request is not resolved here, so that another of its mistakes may be found first.
      let isSameError =
        request.needsOtherTables
        ? expected.error?.prefix { $0 != ":" } == found.error?.prefix { $0 != ":" } : expected.error == found.error
      guard isSameError, areSame(expected.rows, found.rows) else {
        Issue.record("seed \(seed): \(request)\nin memory: \(expected)\nover HTTP: \(found)")
        return nil
      }
    }
    return answered
  }

  private static func answer(
    _ repository: AnyRepository<Record>, _ request: FetchRequest
  ) async -> (rows: [[Value]], error: String?) {
    do {
      return (try await repository.findAll(request).map(\.values), nil)
    } catch {
      return ([], "\(error.code): \(error)")
    }
  }

  private static func areSame(_ lhs: [[Value]], _ rhs: [[Value]]) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0.elementsEqual($1) { $0.isIdentical(to: $1) } }
  }
}
