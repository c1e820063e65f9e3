import Query
import Repository
import SQLStore

/// A writer of records that name the same columns in batches, for a database with slow round trips. If the database refuses a
/// batch, its records are written one by one, so that the first bad record is reported.
final class RowBatch {
  private let binding: RowBinding
  private let leavesOutBadRows: Bool
  private let cursor: RecordCursor
  private var rows: [(row: [Value], line: Int)] = []
  /// The number of rows that the table has accepted.
  private(set) var insertedCount = 0

  init(of binding: RowBinding, leavingOutBadRows: Bool, _ cursor: RecordCursor) {
    (self.binding, leavesOutBadRows, self.cursor) = (binding, leavingOutBadRows, cursor)
  }

  /// Writes the current record, and the following ones that name the same columns.
  ///
  /// - Returns: whether another record follows.
  func write(from reader: any RecordReader) throws -> Bool {
    do {
      var hasRecord = true
      repeat {
        try add(reader)
        // The rows of the batch precede the record that is skipped, and so do their errors.
        hasRecord = try cursor.next(in: reader, beforeSkipping: flush)
      } while hasRecord && binding.fits(reader)
      try flush()
      return hasRecord
    } catch let error as ImportError {
      // The rows of the batch precede the record with the error: if one of them is bad, its error is thrown instead.
      try flush()
      throw error
    }
  }

  private func add(_ reader: any RecordReader) throws {
    do {
      rows.append((try binding.row(of: reader), reader.line))
      try cursor.use(reader) {}
      if rows.count == binding.writer.rowsWrittenTogether { try flush() }
    } catch let bad as BadRow {
      try flush()
      try cursor.use(reader) { throw bad }
    }
  }

  private func flush() throws {
    let rows = self.rows
    self.rows = []
    if rows.isEmpty { return }
    insertedCount += try binding.writer.write(rows.map(\.row)) { insertion, position in
      let (row, line) = rows[position]
      do {
        return try binding.insert(row, ofLine: line, insertion, leavingOutOnFailure: leavesOutBadRows)
      } catch let bad as BadRow {
        try cursor.skip(bad)
        return false
      }
    }
  }
}
