import Foundation

/// Prints what was measured, in the form of the other benchmarks.
final class Lines {
  private var budgets = 0
  private var met = 0

  /// A figure with what it may be.
  func add(_ name: String, _ figure: Double, most: Double? = nil, least: Double? = nil, _ format: (Double) -> String) {
    var line = "figure \(name) \(format(figure))"
    if let bound = most ?? least {
      budgets += 1
      let isMet = most.map { figure <= $0 } ?? (figure >= bound)
      if isMet { met += 1 }
      let excess = Int((abs(figure / bound - 1) * 100).rounded(.up))
      line += isMet ? " ok (\(format(bound)))" : " misses \(format(bound)) by \(excess) %"
    }
    say(line)
  }

  /// The ratio of two programs' times: that of each round's, so that what slows the machine down slows both.
  func add(_ name: String, _ times: [Double], to rivals: [Double], most: Double) {
    let ratios = zip(times, rivals).map { $0 / $1 }.sorted()
    guard let least = ratios.first, let greatest = ratios.last else { return }
    let median = Self.median(ratios)
    budgets += 1
    if median <= most { met += 1 }
    let excess = Int(((median / most - 1) * 100).rounded(.up))
    let verdict = median <= most ? "ok (\(ratio(most)))" : "misses \(ratio(most)) by \(excess) %"
    say("ratio \(name) subject/sqlite3 \(ratio(median)) [\(ratio(least)) \(ratio(greatest))] \(verdict)")
  }

  func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  func finish() {
    if budgets > 0 { say("\(met) of \(budgets) budgets of programs are met") }
  }

  static func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private func ratio(_ number: Double) -> String { String(format: "%.2f", number) }
}
