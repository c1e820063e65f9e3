package import Query

/// Statistics of one column's values, computed exactly from all rows.
package struct ColumnProfile: Hashable, Sendable {
  /// A value, and the number of rows that have it.
  package struct Frequency: Hashable, Sendable {
    /// The value.
    package let value: Value
    /// The number of rows that have it.
    package let count: Int
  }

  /// The column.
  package let column: ColumnSchema
  /// The number of rows that were read.
  package let rowCount: Int
  /// The number of rows in which the column is null.
  package let nullCount: Int
  /// The number of distinct values, without null; an integer and a real that are equal count as one.
  package let distinctCount: Int
  /// The number of values of each type, without types that do not occur.
  package let typeCounts: [ValueType: Int]
  /// The smallest value in the total order; null where there is none.
  package let min: Value
  /// The largest value in the total order; null where there is none.
  package let max: Value
  /// The average of the numbers; null where there is none, and where both infinities are among them.
  package let mean: Value
  /// The lengths of the texts; `nil` where there are none.
  package let lengths: TextLengths?
  /// The most common values, the most common first, ties by value; without values that occur in only one row, unless all do.
  package let common: [Frequency]
  /// The distribution of the finite numbers; `nil` where no two differ.
  package let histogram: Histogram?
  /// The number of texts that can't be read, because they are not UTF-8. They are excluded from everything but the counts.
  package let unreadableCount: Int
}

/// A histogram: the number of values in each of several ranges of equal width.
package struct Histogram: Hashable, Sendable {
  /// The smallest number, with which the first range begins.
  package let lower: Double
  /// The largest number, which the last range contains.
  package let upper: Double
  /// The width of a range: a whole number where all numbers are, so that each range has the same number of them.
  package let width: Double
  /// The number of values in each range, in order.
  package private(set) var counts: [Int]

  /// Creates an empty histogram; `nil` where there is no range to divide.
  ///
  /// - Parameters:
  ///   - count: the maximum number of ranges.
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
      // Divided first, since the difference of two doubles may exceed the largest double.
      width = upper / Double(count) - lower / Double(count)
      counts = Array(repeating: 0, count: count)
    }
  }

  /// Counts a number, which lies between the bounds.
  mutating func add(_ number: Double, times: Int) {
    // The smallest doubles have no twelfth part.
    let distance = number - lower
    let position = width <= 0 ? 0 : distance.isFinite ? distance / width : number / width - lower / width
    counts[max(0, min(counts.count - 1, Int(max(0, min(position, Double(counts.count))))))] += times
  }
}

/// The lengths of texts in Unicode scalars.
package struct TextLengths: Hashable, Sendable {
  /// The length of the shortest.
  package let min: Int
  /// The length of the longest.
  package let max: Int
  /// The average length.
  package let mean: Double
}

/// The most common of many values.
struct MostCommonValues {
  private let limit: Int
  /// The most common first, ties by value.
  private var found: [ColumnProfile.Frequency] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a value that it has not seen.
  mutating func add(_ value: Value, count: Int) {
    if found.count == limit, let last = found.last, !Self.precedes(value, count, last) { return }
    let position = found.firstIndex { Self.precedes(value, count, $0) } ?? found.count
    found.insert(ColumnProfile.Frequency(value: value, count: count), at: position)
    if found.count > limit { found.removeLast() }
  }

  private static func precedes(_ value: Value, _ count: Int, _ other: ColumnProfile.Frequency) -> Bool {
    count == other.count ? value < other.value : count > other.count
  }

  /// Values that occur in only one row are not common, unless there are no more values than would be shown.
  var values: [ColumnProfile.Frequency] {
    found.count < limit ? found : found.filter { $0.count > 1 }
  }
}
