import Query

/// Where the values of a table's rows are, one address behind the other.
///
/// Looking through a table goes from here straight to the values. By way of the rows' objects, it took half as long again.
struct RowAddresses: @unchecked Sendable {
  // Sendable although it is made of pointers: the table holds the rows, which never change.
  private var starts: ContiguousArray<UnsafePointer<Value>?> = []
  private var columnCount = 0

  mutating func append(_ row: MemoryRow) {
    columnCount = row.unsafeValues.count
    starts.append(row.unsafeValues.baseAddress)
  }

  mutating func replace(at position: Int, with row: MemoryRow) { starts[position] = row.unsafeValues.baseAddress }

  mutating func removeLast() { starts.removeLast() }

  /// Gives the values of all rows to a closure, while somebody holds the rows.
  func withUnsafeRows<Result>(_ body: (UnsafeRows) -> Result) -> Result {
    starts.withUnsafeBufferPointer { body(UnsafeRows(starts: $0, columnCount: columnCount)) }
  }
}
