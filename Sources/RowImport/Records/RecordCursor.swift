/// A cursor over the records of several inputs, which skips records that can't be imported, if requested, and reports progress
/// to an observer.
final class RecordCursor {
  /// The number of rows between two progress reports: a power of two.
  private static let rowsPerReport = 1 << 10
  /// The maximum number of skipped rows that are reported to the observer.
  private static let reportedRows = 10

  private let skipsBadRows: Bool
  /// Whether this is the first of two passes over the records: skipped records are counted in the second.
  private let isFirstPass: Bool
  private let observer: any ImportObserver
  private var rows = 0
  /// The sizes of the inputs that have been read completely.
  private var bytesBefore = 0
  /// The number of records that were skipped.
  private(set) var skipped = 0

  init(skipsBadRows: Bool, isFirstPass: Bool = false, _ observer: any ImportObserver) {
    (self.skipsBadRows, self.isFirstPass, self.observer) = (skipsBadRows, isFirstPass, observer)
  }

  /// Advances to the next record that can be read.
  ///
  /// - Parameter beforeSkipping: called before a record that can't be read is reported.
  /// - Returns: whether there is one.
  func next(in reader: any RecordReader, beforeSkipping: () throws -> Void = {}) throws -> Bool {
    while true {
      try observer.checkCancellation()
      do {
        if try reader.next() { return true }
        bytesBefore += reader.offset
        return false
      } catch let bad as BadRow {
        try beforeSkipping()
        try skip(bad, in: reader)
      }
    }
  }

  /// Passes the current record to a closure; if the closure throws ``BadRow``, the record is skipped.
  func use(_ reader: any RecordReader, _ body: () throws -> Void) throws {
    do {
      try body()
      countRow(of: reader)
    } catch let bad as BadRow {
      try skip(bad, in: reader)
    }
  }

  /// Skips the current record.
  ///
  /// - Throws: the problem of the record, if records are not to be skipped.
  private func skip(_ bad: BadRow, in reader: any RecordReader) throws {
    try skip(bad)
    countRow(of: reader)
  }

  /// Skips a record that was counted already.
  ///
  /// - Throws: the problem of the record, if records are not to be skipped.
  func skip(_ bad: BadRow) throws {
    guard skipsBadRows else { throw bad.error }
    if isFirstPass { return }
    skipped += 1
    if skipped <= Self.reportedRows { observer.skipped(bad.error) }
  }

  private func countRow(of reader: any RecordReader) {
    rows += 1
    if rows & (Self.rowsPerReport - 1) == 0 { observer.update(rows: rows, bytes: bytesBefore + reader.offset) }
  }
}
