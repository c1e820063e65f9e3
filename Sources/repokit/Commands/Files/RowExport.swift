import PostgresStore
import Query
import Repository
import SQLStore

/// Writes the rows of a table that match a query, one at a time.
struct RowExport {
  let table: TableSchema
  private let columns: [ColumnHeading]
  private let request: ProjectionRequest
  private let isSorted: Bool
  let rows: SQLRepository<Record>
  private let isForPostgres: Bool
  private let show: ([Value]) -> [Value]

  /// - Parameter show: returns the values to write for a row.
  init(
    _ table: TableSchema, in store: SQLDatabase, _ request: ProjectionRequest, isSorted: Bool,
    showing show: @escaping ([Value]) -> [Value] = { $0 }
  ) throws(Failure) {
    self.table = table
    self.show = show
    isForPostgres = store is PostgresStore
    do {
      rows = try store.sqlRepository(Schema(table))
      columns = try request.headings(in: table, with: OtherTables(of: store))
      self.request = request
      self.isSorted = isSorted
    } catch {
      throw Failure(translating: error)
    }
  }

  /// Writes the rows.
  ///
  /// - Parameter text: how text formats write rows.
  /// - Returns: the number of rows.
  func write(
    _ name: FormatName, _ text: RowText, _ style: TextStyle, to buffer: OutputBuffer, cancellable: Bool,
    bar: ProgressBar? = nil
  ) throws -> Int {
    try text.check(name)
    var output = buffer
    var format = name.makeFormat(
      columns, style,
      FormatOptions(table: table.name, isForPostgres: isForPostgres, rowText: text))
    var count = 0
    var failure: (any Error)?
    format.begin(&output)
    try Failure.translating {
      try rows.blocking.forEachRow(request, isSorted: isSorted) { row in
        do {
          format.append(show(row), to: &output)
          try output.flushIfFull()
          if cancellable { try Interruption.check() }
          count += 1
          if count & 0x3FF == 0 { bar?.update(rows: count, bytes: 0) }
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
