import ErrorHandling
import Model
import SQLiteStore

/// What five operators add to a read that succeeds.
enum OperatorMeasurement {
  static let all = [Measurement("operators") { bed, report in try await run(bed, &report) }]

  private static let most = 200e-9
  private static let repetitions = 20_000

  private static func run(_ bed: Bed, _ report: inout Report) async throws {
    guard let first = bed.rows.first else { return }
    let bare = Immediate(pokemon: first)
    let five = bare.logging { print($0) }.mappingErrors { $0 }.retrying().catching { _ in nil }
      .reporting(to: ErrorHandler())
    let (erased, erasedFive) = (AnyRepository(bare), AnyRepository(five))
    var (direct, behind): ([Double], [Double]) = ([], [])
    for _ in 0..<max(15, bed.options.rounds) {
      direct.append(try await time(five) - time(bare))
      behind.append(try await time(erasedFive) - time(erased))
    }
    guard let direct = Spread(direct), let behind = Spread(behind) else { return }
    report.add("operators five of them, more for a read", direct.median, most: most, format: Aggregates.time)
    report.add(
      "operators five of them behind AnyRepository, more for a read", behind.median, most: most, format: Aggregates.time
    )
  }

  /// Seconds for one read.
  @inline(never)
  private static func time(_ repository: some Repository<Pokemon>) async throws -> Double {
    let start = Stopwatch.processor.seconds()
    var found = 0
    for _ in 0..<repetitions { found += try await repository.find(1) == nil ? 0 : 1 }
    let seconds = Stopwatch.processor.seconds() - start
    if found != repetitions {
      throw WrongAnswer(workload: "operators", contenders: ["the operators", "what they stand over"])
    }
    return seconds / Double(repetitions)
  }
}

/// A repository that has its answer ready.
private struct Immediate: Repository {
  let pokemon: Pokemon

  func find(_ id: Int) -> Pokemon? { pokemon }
  func findAll(_ request: FetchRequest) -> [Pokemon] { [] }
  func count(_ query: AnyQuery) -> Int { 0 }
  func save(_ elements: [Pokemon]) {}
  func delete(_ ids: [Int]) -> Int { 0 }
}
