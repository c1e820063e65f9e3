/// The order of a sort, prepared for many rows.
///
/// Most pairs of rows are ordered by one number each, which is computed once per row; the values themselves are compared if
/// the numbers are equal.
package struct RowOrder: Sendable {
  private let first: ResolvedSort.Term?
  private let sort: ResolvedSort

  package init(_ sort: ResolvedSort) {
    first = sort.terms.first
    self.sort = sort
  }

  /// Returns a number for the first key of the sort: a row with a lesser number precedes a row with a greater one.
  package func rank(_ row: UnsafeBufferPointer<Value>) -> UInt64 {
    guard let first else { return 0 }
    let rank: UInt64
    switch row[first.column] {
    case .null: return first.nulls == .first ? 0 : .max
    // An integer that no real represents exactly is rounded, so that two integers may share a number.
    case .integer(let integer): rank = 1 << 62 | Self.rank(Double(integer)) >> 2
    case .real(let real): rank = 1 << 62 | Self.rank(real) >> 2
    case .text(let text): rank = 2 << 62 | Self.rank(text.utf8) >> 2
    case .blob(let bytes): rank = 3 << 62 | Self.rank(bytes) >> 2
    }
    return first.direction == .ascending ? rank : ~rank
  }

  /// Returns whether a row precedes another by all keys of the sort.
  package func precedes(_ lhs: UnsafeBufferPointer<Value>, _ rhs: UnsafeBufferPointer<Value>) -> Bool {
    sort.precedes(lhs, rhs)
  }

  /// Returns the bits of a real as a number of the same order: inverted for negative reals, and the same for both zeros.
  private static func rank(_ real: Double) -> UInt64 {
    if real == 0 { return 1 << 63 }
    return real.sign == .minus ? ~real.bitPattern : real.bitPattern | 1 << 63
  }

  /// Returns the first eight bytes as a number.
  private static func rank(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var rank: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      rank = rank << 8 | UInt64(byte)
      count += 1
      if count == 8 { return rank }
    }
    return rank << (8 * (8 - count))
  }
}
