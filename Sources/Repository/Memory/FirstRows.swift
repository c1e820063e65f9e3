import Query

/// The rows of a table that stand first in an order, of which no more than needed are kept at a time.
///
/// They form a binary heap whose root is the last of them: most rows stand behind it, which one comparison of two numbers
/// tells.
struct FirstRows {
  private typealias Entry = (rank: UInt64, position: Int)

  private let rows: UnsafeRows
  private let order: RowOrder
  private let limit: Int
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - rows: the rows of a table.
  ///   - order: the order.
  ///   - limit: how many are wanted.
  init(of rows: UnsafeRows, in order: RowOrder, limit: Int) {
    self.rows = rows
    self.order = order
    self.limit = limit
  }

  /// Looks at one more row.
  ///
  /// - Parameters:
  ///   - values: its values.
  ///   - position: where it stands in the table.
  @inline(__always)
  mutating func add(_ values: UnsafeBufferPointer<Value>, at position: Int) {
    let entry = (order.rank(values), position)
    if entries.count < limit {
      entries.append(entry)
      if entries.count == limit { for index in (0..<limit / 2).reversed() { sink(index) } }
    } else if limit > 0, precedes(entry, entries[0]) {
      entries[0] = entry
      sink(0)
    }
  }

  /// The positions of the rows that stand first, in order.
  func sorted() -> [Int] { entries.sorted(by: precedes).map(\.position) }

  @inline(__always)
  private func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
    lhs.rank == rhs.rank
      ? order.precedes(rows[lhs.position], rows[rhs.position]) : lhs.rank < rhs.rank
  }

  /// Moves an entry down until none below it stands behind it.
  private mutating func sink(_ index: Int) {
    var index = index
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if precedes(entries[last], entries[child]) { last = child }
      }
      if last == index { return }
      entries.swapAt(index, last)
      index = last
    }
  }
}
