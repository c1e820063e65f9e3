/// Prints what was measured, a line a figure.
struct Report {
  private var budgets = 0
  private var met = 0
  private var table = Table()

  mutating func add(_ rounds: Rounds, of workload: Workload, contenders: [Contender]) {
    let times = contenders.compactMap { contender in
      rounds.seconds[contender.name].flatMap(Spread.init).map { "\(contender.name) \(Aggregates.time($0.median))" }
    }
    table.add(workload, rounds)
    print("time \(workload.name) \(times.joined(separator: ", ")) a \(workload.unit)")
    for comparison in workload.comparisons {
      guard let ratio = rounds.ratios(comparison) else { continue }
      var line = "ratio \(workload.name) \(comparison.name) \(Aggregates.ratio(ratio.median))"
      line += " [\(Aggregates.ratio(ratio.least)) \(Aggregates.ratio(ratio.greatest))]"
      let floor = rounds.ratios(Comparison("raw", to: comparison.rival))?.median
      if let verdict = comparison.verdict(on: ratio.median, floor: floor) { line += " \(count(verdict))" }
      print(line)
    }
  }

  /// Prints a figure that has no rival.
  mutating func add(_ name: String, _ figure: Double, most: Double? = nil, format: (Double) -> String) {
    var line = "figure \(name) \(format(figure))"
    if let most {
      let isMet = figure <= most
      let excess = Int(((figure / most - 1) * 100).rounded(.up))
      line +=
        " \(count(Verdict(isMet: isMet, text: isMet ? "ok (\(format(most)))" : "misses \(format(most)) by \(excess) %")))"
    }
    print(line)
  }

  /// Prints a curve.
  mutating func add(_ curve: String, _ verdict: Verdict?) {
    print(verdict.map { "\(curve) \(count($0))" } ?? curve)
  }

  /// Prints the sum of it all.
  func finish(withTable: Bool) {
    if budgets > 0 { print("\(met) of \(budgets) budgets are met") }
    if withTable { table.print() }
  }

  private mutating func count(_ verdict: Verdict) -> String {
    budgets += 1
    if verdict.isMet { met += 1 }
    return verdict.text
  }
}
