/// A function that keeps the selected rows that match a query, or a part of it.
package typealias RowFilter = @Sendable (_ rows: UnsafeRows, _ selection: inout RowSelection) -> Void

/// The selected rows of a block of a table, by position.
///
/// Conditions are applied to a whole block one after the other. No step depends on the one before: with a loop over rows,
/// the processor would have to predict, at each condition, whether the row matches, and could not fetch the next rows before
/// the result is known.
///
/// Source of the method: Boncz, Zukowski and Nes, "MonetDB/X100: Hyper-Pipelining Query Execution", CIDR 2005.
package struct RowSelection: ~Copyable {
  /// The number of rows in a block: as many as leave the processor's first-level cache room for their values.
  package static let capacity = 512

  private let positions = UnsafeMutablePointer<Int>.allocate(capacity: capacity)
  private var count = 0

  /// Makes an empty selection.
  package init() {}

  deinit {
    positions.deallocate()
  }

  /// Selects the rows of a block.
  package mutating func select(_ block: Range<Int>) {
    count = min(block.count, Self.capacity)
    for index in 0..<count { positions[index] = block.lowerBound + index }
  }

  /// Keeps the rows that pass a test.
  @inline(__always)
  mutating func keep(_ isKept: (_ position: Int) -> Bool) {
    var kept = 0
    for index in 0..<count {
      let position = positions[index]
      // The position is written in any case, and overwritten if it is not kept: there is no branch that could be mispredicted.
      positions[kept] = position
      kept += isKept(position) ? 1 : 0
    }
    count = kept
  }

  /// Calls a closure with the positions of the selected rows.
  @inline(__always)
  package func withUnsafePositions(_ body: (UnsafeBufferPointer<Int>) -> Void) {
    body(UnsafeBufferPointer(start: positions, count: count))
  }
}

/// Pointers to the values of many rows, by the rows' positions in their table.
package struct UnsafeRows {
  private let starts: UnsafeBufferPointer<UnsafePointer<Value>?>
  private let columnCount: Int

  /// - Parameters:
  ///   - starts: the addresses of the values of each row.
  ///   - columnCount: the number of values in each row.
  package init(starts: UnsafeBufferPointer<UnsafePointer<Value>?>, columnCount: Int) {
    self.starts = starts
    self.columnCount = columnCount
  }

  package var count: Int { starts.count }

  /// Returns the values of one row.
  package subscript(position: Int) -> UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: starts[position], count: columnCount)
  }
}
