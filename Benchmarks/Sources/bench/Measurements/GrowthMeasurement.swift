/// How long the same takes in tables of more and more rows.
enum GrowthMeasurement {
  static let all = [Measurement("growth") { bed, report in try await run(bed, &report) }]

  private static let rounds = 7

  private static func run(_ bed: Bed, _ report: inout Report) async throws {
    let tables = try bed.options.sizes.map { try GrowingTable(of: $0, bed) }
    // The sizes take turns, so that what slows the machine down for a while slows all of them; what is left of that can
    // only add to a time, so the least one counts.
    var least: [String: [Int: Double]] = [:]
    for round in 0..<rounds {
      for table in tables {
        for step in table.steps {
          let time = try seconds(step, in: round)
          least[step.name, default: [:]][table.size] = min(time, least[step.name]?[table.size] ?? .infinity)
        }
      }
    }
    for step in tables.first?.steps ?? [] {
      let points = tables.map { (size: $0.size, seconds: least[step.name]?[$0.size] ?? 0) }
      let times = points.map { "\($0.size) \(Aggregates.time($0.seconds))" }.joined(separator: ", ")
      let curve = Curve(points)
      let verdict = step.most.map { most in
        Verdict(isMet: curve <= most, text: curve <= most ? "ok (\(most.rawValue))" : "worse than \(most.rawValue)")
      }
      report.add("growth \(step.name) \(times): \(curve.rawValue)", verdict)
    }
  }

  /// Seconds for one operation.
  private static func seconds(_ step: GrowingTable.Step, in round: Int) throws -> Double {
    let start = Stopwatch.processor.seconds()
    let found = try step.body(round)
    let seconds = (Stopwatch.processor.seconds() - start) / Double(step.operations)
    if found == 0 { throw WrongAnswer(workload: "growth", contenders: ["the rows", "what was found"]) }
    return seconds
  }
}
