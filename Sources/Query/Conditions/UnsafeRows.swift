/// Where the values of many rows are, by where the rows stand in their table.
package struct UnsafeRows {
  private let starts: UnsafeBufferPointer<UnsafePointer<Value>?>
  private let columnCount: Int

  /// - Parameters:
  ///   - starts: where the values of each row begin.
  ///   - columnCount: how many values each row has.
  package init(starts: UnsafeBufferPointer<UnsafePointer<Value>?>, columnCount: Int) {
    self.starts = starts
    self.columnCount = columnCount
  }

  package var count: Int { starts.count }

  /// The values of one row.
  package subscript(position: Int) -> UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: starts[position], count: columnCount)
  }
}
