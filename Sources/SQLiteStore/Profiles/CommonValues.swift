import Query

/// The most common of many values.
struct CommonValues {
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
