/// A place in a sorted result, at which another page begins or ends.
///
/// It holds the sort keys of one row. Its text is opaque and made of letters, digits, `-` and `_` alone, so that it can
/// stand in a URL or on a command line:
///
/// ```swift
/// let cursor = try Cursor(at: row, in: table, sortedBy: sort)
/// let same = try Cursor(parsing: cursor.description)
/// ```
///
/// A database finds the place by the first sort key, where that has an index, and walks from there through the rows that
/// have the same value or null, too: it takes no longer on later pages where values tell most rows apart.
///
/// A cursor fits the sort and the table that it was made for; with any other, a request is refused.
public struct Cursor: Hashable, Sendable {
  /// Tells sorts and tables apart.
  let fingerprint: UInt64
  /// The row's sort keys, in the order of the resolved sort.
  let values: [Value]

  init(fingerprint: UInt64, values: [Value]) {
    self.fingerprint = fingerprint
    self.values = values
  }

  /// Makes the cursor of a row.
  ///
  /// - Parameters:
  ///   - row: the row's values, in the order of the table's columns.
  ///   - table: the table.
  ///   - sort: the sort of the result that the row is part of.
  /// - Throws: ``QueryError`` where the sort names an unknown key.
  public init(at row: [Value], in table: TableSchema, sortedBy sort: AnySort) throws(QueryError) {
    let resolved = try ResolvedSort(sort, in: table)
    self.init(fingerprint: resolved.fingerprint(in: table), values: resolved.terms.map { row[$0.column] })
  }
}

extension ResolvedSort {
  /// A number that differs for sorts that order rows differently, and for other tables. The columns' types are no part of
  /// it: a value of the wrong kind is refused as in every query.
  ///
  /// It is part of texts that are kept, so it is not Swift's `Hasher`, which differs from run to run. FNV-1a, 64 bits:
  /// https://www.rfc-editor.org/rfc/rfc9923
  func fingerprint(in table: TableSchema) -> UInt64 {
    var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    func feed(_ text: String) {
      for byte in text.utf8 { feed(byte) }
      // It ends a text, which never holds it.
      feed(0xFF)
    }
    func feed(_ byte: UInt8) { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
    feed(table.name)
    for term in terms {
      feed(table.columns[term.column].name)
      feed(UInt8(ascii: term.direction == .ascending ? "a" : "d"))
      feed(UInt8(ascii: term.nulls == .first ? "f" : "l"))
      feed(0xFF)
    }
    return fingerprint
  }
}
