import Query
import SQLiteStore

/// Writes the rows of a table that a query means, one at a time.
struct RowExport {
  let table: TableSchema
  let request: RowRequest
  let rows: SQLiteRepository<Record>

  /// - Parameters:
  ///   - sort: the order that somebody asked for; a table with a key has one of its own.
  ///   - query: which rows, where that depends on the table.
  init(
    _ name: String, in store: SQLiteStore, sortedBy sort: AnySort?, limit: Int?, columns: [String]?,
    _ query: (TableSchema) throws(Failure) -> AnyQuery
  ) throws(Failure) {
    do {
      table = try store.schema(ofTable: name)
      rows = try store.repository(for: Schema(table))
      let fetch = FetchRequest(try query(table), sortedBy: sort ?? .primaryKey, limit: limit)
      var request = try RowRequest(fetch, columns: columns, in: table)
      // To sort by all columns what has no key would take long, and give it another order than the table's.
      request.isSorted = sort != nil || !table.primaryKey.isEmpty
      self.request = request
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Writes the rows.
  ///
  /// - Returns: how many there were.
  func write(
    _ name: FormatName, _ style: TextStyle, to buffer: OutputBuffer, stoppable: Bool
  ) throws -> Int {
    var output = buffer
    var format = name.makeFormat(
      request.columns.map { ColumnHeading(table.columns[$0]) }, style, FormatOptions(table: table.name))
    var count = 0
    var failure: (any Error)?
    format.begin(&output)
    try Failure.translating {
      try rows.forEachRow(request) { row in
        do {
          format.append(row, to: &output)
          try output.flushIfFull()
          if stoppable { try Interruption.check("nothing was exported") }
          count += 1
          return true
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
    try format.end(&output)
    try output.flush()
    return count
  }
}
