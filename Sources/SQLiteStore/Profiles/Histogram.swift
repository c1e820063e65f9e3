/// How many numbers lie in each of several ranges of one width.
package struct Histogram: Hashable, Sendable {
  /// The least number, with which the first range begins.
  package let lower: Double
  /// The greatest number, which the last range holds.
  package let upper: Double
  /// How wide a range is: a whole number where all numbers are, so that each range holds as many of those.
  package let width: Double
  /// How many numbers each range holds, in their order.
  package private(set) var counts: [Int]

  /// Makes a histogram of nothing; `nil` where there is no range to divide.
  ///
  /// - Parameters:
  ///   - count: how many ranges there are at most.
  ///   - isWhole: whether all numbers are whole.
  init?(from lower: Double, to upper: Double, count: Int, isWhole: Bool) {
    guard lower < upper else { return nil }
    self.lower = lower
    self.upper = upper
    if isWhole {
      let numbers = upper - lower + 1
      width = (numbers / Double(count)).rounded(.up)
      counts = Array(repeating: 0, count: min(count, Int((numbers / width).rounded(.up))))
    } else {
      // Divided first, since the difference of two doubles may be greater than every double.
      width = upper / Double(count) - lower / Double(count)
      counts = Array(repeating: 0, count: count)
    }
  }

  /// Counts a number, which lies between the bounds.
  mutating func add(_ number: Double, times: Int) {
    // The least doubles have no twelfth part.
    let distance = number - lower
    let position = width <= 0 ? 0 : distance.isFinite ? distance / width : number / width - lower / width
    counts[max(0, min(counts.count - 1, Int(max(0, min(position, Double(counts.count))))))] += times
  }
}
