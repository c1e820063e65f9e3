/// The order of a sort, prepared for many rows.
///
/// Most pairs of rows are told apart by one number each, which is worked out once for a row; the values themselves are
/// compared where the numbers are the same.
package struct RowOrder: Sendable {
  private let first: ResolvedSort.Term?
  private let terms: [ResolvedSort.Term]

  package init(_ sort: ResolvedSort) {
    first = sort.terms.first
    terms = sort.terms
  }

  /// A number for the first key of the sort: where a row's is less than another's, the row stands before it.
  package func rank(_ row: UnsafeBufferPointer<Value>) -> UInt64 {
    guard let first else { return 0 }
    let rank: UInt64
    switch row[first.column] {
    case .null: return first.nulls == .first ? 0 : .max
    // Rounded where no real is that exact: two such integers may share a number.
    case .integer(let integer): rank = 1 << 62 | Self.rank(Double(integer)) >> 2
    case .real(let real): rank = 1 << 62 | Self.rank(real) >> 2
    case .text(let text): rank = 2 << 62 | Self.rank(text.utf8) >> 2
    case .blob(let bytes): rank = 3 << 62 | Self.rank(bytes) >> 2
    }
    return first.direction == .ascending ? rank : ~rank
  }

  /// Whether a row stands before another by all keys of the sort.
  package func precedes(_ lhs: UnsafeBufferPointer<Value>, _ rhs: UnsafeBufferPointer<Value>) -> Bool {
    for term in terms {
      let order = term.compare(lhs[term.column], rhs[term.column])
      if order != 0 { return order < 0 }
    }
    return false
  }

  /// The bits of a real as a number of the same order: those of negative ones turned round, and both zeros the same.
  private static func rank(_ real: Double) -> UInt64 {
    if real == 0 { return 1 << 63 }
    return real.sign == .minus ? ~real.bitPattern : real.bitPattern | 1 << 63
  }

  /// The first eight bytes.
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
