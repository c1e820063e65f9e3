package import Query

/// What the values of one column are like, worked out exactly of all rows.
package struct ColumnProfile: Hashable, Sendable {
  /// A value, and how many rows have it.
  package struct Frequency: Hashable, Sendable {
    /// The value.
    package let value: Value
    /// How many rows have it.
    package let count: Int
  }

  /// The column.
  package let column: ColumnSchema
  /// How many rows were looked at.
  package let rowCount: Int
  /// In how many of them the column is null.
  package let nullCount: Int
  /// How many values differ, null left out; an integer and a real that are equal count as one.
  package let distinctCount: Int
  /// How many values there are of each type, those left out of which there is none.
  package let typeCounts: [ValueType: Int]
  /// The least value in the total order; null where there is none.
  package let min: Value
  /// The greatest value in the total order; null where there is none.
  package let max: Value
  /// The average of the numbers; null where there is none, and where both infinities are among them.
  package let mean: Value
  /// How long the texts are; `nil` where there is none.
  package let lengths: TextLengths?
  /// The most common values, the most common first and by value where as many rows have them; none of which one row alone
  /// has, unless all have.
  package let common: [Frequency]
  /// How the finite numbers are spread; `nil` where there are no two that differ.
  package let histogram: Histogram?
  /// How many texts can't be read, because they are not UTF-8. They are left out of everything but the counts.
  package let unreadableCount: Int
}

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

/// How many Unicode scalars texts have.
package struct TextLengths: Hashable, Sendable {
  /// Of the shortest.
  package let min: Int
  /// Of the longest.
  package let max: Int
  /// Of all on average.
  package let mean: Double
}

/// The most common of many values.
struct MostCommonValues {
  private let limit: Int
  /// The most common first, and by value where as many rows have them.
  private var found: [ColumnProfile.Frequency] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes in a value that it has not seen.
  mutating func add(_ value: Value, count: Int) {
    if found.count == limit, let last = found.last, !Self.precedes(value, count, last) { return }
    let position = found.firstIndex { Self.precedes(value, count, $0) } ?? found.count
    found.insert(ColumnProfile.Frequency(value: value, count: count), at: position)
    if found.count > limit { found.removeLast() }
  }

  private static func precedes(_ value: Value, _ count: Int, _ other: ColumnProfile.Frequency) -> Bool {
    count == other.count ? value < other.value : count > other.count
  }

  /// Values that one row alone has are no common ones, unless there are no more values than would be shown.
  var values: [ColumnProfile.Frequency] {
    found.count < limit ? found : found.filter { $0.count > 1 }
  }
}
