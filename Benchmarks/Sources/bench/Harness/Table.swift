/// The figures as a table in Markdown, for docs/performance.md.
struct Table {
  private static let rivals = ["raw", "grdb", "grdb-usual"]

  private var lines: [String] = []

  mutating func add(_ workload: Workload, _ rounds: Rounds) {
    let time = rounds.seconds["subject"].flatMap(Spread.init)
    var cells = [workload.name, time.map { "\(Aggregates.time($0.median)) a \(workload.unit)" } ?? ""]
    let comparisons = workload.comparisons.compactMap { cell($0, rounds) }
    for rival in Self.rivals {
      cells.append(comparisons.first { $0.comparison.name == "subject/\(rival)" }?.text ?? "")
    }
    let others = comparisons.filter {
      $0.comparison.contender != "subject" || !Self.rivals.contains($0.comparison.rival)
    }
    cells.append(others.map { "\($0.comparison.name) \($0.text)" }.joined(separator: "; "))
    lines.append("| \(cells.joined(separator: " | ")) |")
  }

  private func cell(_ comparison: Comparison, _ rounds: Rounds) -> (comparison: Comparison, text: String)? {
    guard let ratio = rounds.ratios(comparison)?.median else { return nil }
    let verdict = comparison.verdict(on: ratio, floor: nil).map { $0.isMet ? " ok" : " **misses**" } ?? ""
    let most = comparison.most.map { " (\($0))" } ?? ""
    return (comparison, Aggregates.ratio(ratio) + verdict + most)
  }

  func print() {
    Swift.print("| workload | subject | subject/raw | subject/grdb | subject/grdb-usual | others |")
    Swift.print("|---|---|---|---|---|---|")
    for line in lines { Swift.print(line) }
  }
}
