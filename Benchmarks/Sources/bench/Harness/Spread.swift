import Foundation

/// Numbers, by the one in their middle and the ends.
struct Spread {
  let median: Double
  let least: Double
  let greatest: Double

  /// `nil` for no numbers.
  init?(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    least = first
    greatest = last
  }
}

/// Numbers as people read them.
enum Aggregates {
  static func ratio(_ number: Double) -> String { String(format: number < 0.1 ? "%.3f" : "%.2f", number) }

  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
    case ..<1e-3: String(format: "%.1f µs", seconds * 1e6)
    case ..<1: String(format: "%.1f ms", seconds * 1e3)
    default: String(format: "%.2f s", seconds)
    }
  }
}
