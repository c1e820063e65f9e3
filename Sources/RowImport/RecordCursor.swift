/// Goes from record to record of one input after the other, leaves out those that can't be imported where that is wanted,
/// and tells an observer how far it is.
final class RecordCursor {
  /// The number of rows between two progress reports: a power of two.
  private static let rowsPerReport = 1 << 10
  /// The most rows that are left out of which the observer is told.
  private static let reportedRows = 10

  private let skipsBadRows: Bool
  /// Whether the records are read again, so that one that is left out is counted then.
  private let isFirstLook: Bool
  private let observer: any ImportObserver
  private var rows = 0
  /// The sizes of the inputs that were read whole.
  private var bytesBefore = 0
  /// The number of records that were left out.
  private(set) var skipped = 0

  init(skipsBadRows: Bool, isFirstLook: Bool = false, _ observer: any ImportObserver) {
    (self.skipsBadRows, self.isFirstLook, self.observer) = (skipsBadRows, isFirstLook, observer)
  }

  /// Goes to the next record that can be read.
  ///
  /// - Returns: whether there is one.
  func next(in reader: any RecordReader) throws -> Bool {
    while true {
      try observer.checkCancellation()
      do {
        if try reader.next() { return true }
        bytesBefore += reader.offset
        return false
      } catch let bad as BadRow {
        try leaveOut(bad, in: reader)
      }
    }
  }

  /// Passes the current record to a closure; where that throws ``BadRow``, the record is left out.
  func use(_ reader: any RecordReader, _ body: () throws -> Void) throws {
    do {
      try body()
      countRow(of: reader)
    } catch let bad as BadRow {
      try leaveOut(bad, in: reader)
    }
  }

  /// Leaves the current record out.
  ///
  /// - Throws: what is wrong with it where none is to be left out.
  private func leaveOut(_ bad: BadRow, in reader: any RecordReader) throws {
    try leaveOut(bad)
    countRow(of: reader)
  }

  /// Leaves a record out that was counted already.
  ///
  /// - Throws: what is wrong with it where none is to be left out.
  func leaveOut(_ bad: BadRow) throws {
    guard skipsBadRows else { throw bad.error }
    if isFirstLook { return }
    skipped += 1
    if skipped <= Self.reportedRows { observer.skipped(bad.error) }
  }

  private func countRow(of reader: any RecordReader) {
    rows += 1
    if rows & (Self.rowsPerReport - 1) == 0 { observer.update(rows: rows, bytes: bytesBefore + reader.offset) }
  }
}
