/// How many numbers lie in each of several ranges of one width.
package struct Histogram: Hashable, Sendable {
  /// Where the first range begins.
  package let lower: Double
  /// Where the last range ends, which holds its end, too.
  package let upper: Double
  /// How many numbers each range holds, in their order.
  package private(set) var counts: [Int]

  /// Makes a histogram of nothing; `nil` where there is no range to divide.
  ///
  /// - Parameter count: how many ranges there are at most. Where all numbers are whole, there are no more than those.
  init?(from lower: Double, to upper: Double, count: Int, isWhole: Bool) {
    guard lower < upper else { return nil }
    self.lower = lower
    self.upper = upper
    let span = upper / 2 - lower / 2
    counts = Array(repeating: 0, count: isWhole && span < Double(count) / 2 ? Int(upper - lower) + 1 : count)
  }

  /// Counts a number, which lies between the bounds.
  mutating func add(_ number: Double, times: Int) {
    // Halves, since the difference of two doubles may be greater than every double.
    let share = (number / 2 - lower / 2) / (upper / 2 - lower / 2)
    counts[max(0, min(counts.count - 1, Int(share * Double(counts.count))))] += times
  }
}
