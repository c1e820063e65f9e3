import Model
@_spi(RequestCompilation) import SQL
import SQLiteStore

/// How long a query of ten terms takes to become SQL.
enum CompileMeasurement {
  static let all = [Measurement("compile") { bed, report in try await run(bed, &report) }]

  private static let most = 3e-6
  private static let repetitions = 2_000

  private static func run(_ bed: Bed, _ report: inout Report) async throws {
    let table = try Pokemon.schema.table()
    let compiler = RequestCompiler(for: SQLiteDialect(), table: table)
    let requests = (0..<repetitions).map { FetchRequest(query($0), limit: 20) }
    var (building, compiling): ([Double], [Double]) = ([], [])
    var bound = 0
    for _ in 0..<max(11, bed.options.rounds) {
      building.append(
        time {
          for number in 0..<repetitions { bound += query(number) == .true ? 1 : 0 }
        })
      compiling.append(
        try time {
          for request in requests { bound += try compiler.select(request).statement.bindings.count }
        })
    }
    // Ten values and the limit at least.
    if bound < 11 * repetitions * compiling.count {
      throw WrongAnswer(workload: "compile", contenders: ["the statement", "its query"])
    }
    guard let building = Spread(building), let compiling = Spread(compiling) else { return }
    report.add("compile build the query of ten terms", building.median, format: Aggregates.time)
    report.add("compile turn it into SQL", compiling.median, most: most, format: Aggregates.time)
  }

  private static func query(_ number: Int) -> AnyQuery {
    AnyQuery(Pokemon.self) { pokemon in
      let body = pokemon.weight > Double(number) && pokemon.height < 2 && pokemon.generation == number
      let type = pokemon.type != .fire && pokemon.secondType == .water && pokemon.habitat == "sea"
      let text = pokemon.name.hasPrefix("a") && pokemon.text.contains("b")
      return body && type && text && pokemon.isLegendary && pokemon.id >= number
    }
  }

  /// Seconds for one repetition.
  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = Stopwatch.processor.seconds()
    try body()
    return (Stopwatch.processor.seconds() - start) / Double(repetitions)
  }
}
