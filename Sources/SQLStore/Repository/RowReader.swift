import Query
package import Repository
import SQL

// What those ask for who want values rather than elements.
extension SQLiteRepository {
  /// Hands out rows as they are read, so that a result of any length takes the memory of one row.
  ///
  /// The connection is had until the last row, and others may have to wait meanwhile before they can write.
  ///
  /// - Parameter body: takes a row's values in the order of the request's columns, and says whether to go on.
  /// - Throws: ``RepositoryError`` where the request makes no sense, before any row; and where a value can't be read, or
  ///   the database fails, after those before it.
  package func forEachRow(_ request: RowRequest, _ body: ([Value]) -> Bool) throws(RepositoryError) {
    let resolved = try table.resolve(request.fetch)
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      let statement = try table.compile(request, resolved, for: connection)
      try table.readRows(of: statement, request, with: connection, body)
    }
  }

  /// Counts the different rows that a request means; its limit and its offset don't count.
  package func countRows(_ request: RowRequest) throws(RepositoryError) -> Int {
    try table.result(.read, table.counting(request))
  }
}

extension SQLiteTable {
  /// The statement that reads the rows of a request, which was checked.
  func compile(
    _ request: RowRequest, _ resolved: ResolvedRequest, for connection: Connection
  ) throws(RepositoryError) -> CompiledStatement {
    if request.isDistinct { return SQLiteStore.compiler.selectDistinct(request.columns, of: resolved) }
    let order: ResultOrder =
      request.isSorted ? .sort : try connection.rowNumber(of: schema).map(ResultOrder.column) ?? .any
    return SQLiteStore.compiler.select(request.columns, of: resolved, in: order)
  }

  /// Counts the rows of a request.
  func counting(_ request: RowRequest) throws(RepositoryError) -> Work<Int> {
    let resolved = try resolve(request.fetch)
    let statement =
      request.isDistinct
      ? SQLiteStore.compiler.countDistinct(request.columns, of: resolved.query)
      : SQLiteStore.compiler.count(resolved.query)
    return { connection throws(RepositoryError) in try connection.integer(statement) }
  }

  /// Hands out the rows of a statement until the closure wants no more.
  func readRows(
    of statement: CompiledStatement, _ request: RowRequest, with connection: Connection, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try readAll(of: statement, with: connection) { row, next throws(RepositoryError) in
      let columns = request.columns
      var values: [Value] = []
      values.reserveCapacity(columns.count)
      var place = 0
      while try next() {
        place += 1
        values.removeAll(keepingCapacity: true)
        do throws(ValueError) {
          // By index: an iterator over a range is not free in debug builds, nor are the copies of a `map`.
          while values.count < columns.count { values.append(try row.value(at: values.count)) }
        } catch {
          throw unreadable(error, at: values.count, of: row, request, place)
        }
        guard body(request.isDistinct ? request.spelled(values, in: schema) : values) else { return }
      }
    }
  }

  private func unreadable(
    _ error: ValueError, at position: Int, of row: any Row, _ request: RowRequest, _ place: Int
  ) -> RepositoryError {
    let key = schema.primaryKey.compactMap { request.columns.firstIndex(of: $0) }
    return .unreadableRow(
      error, column: schema.columns[request.columns[position]].name,
      key: key.count == schema.primaryKey.count ? row.values(at: key) : nil, at: place, in: schema)
  }
}

/// The values of a row, `nil` for a text that is not UTF-8.
final class BufferedRow: Row, Sendable {
  let values: [Value?]

  /// The values of the row at which a statement stands.
  init(_ statement: RawStatement, columnCount: Int) {
    values = (0..<columnCount).map { try? statement.value(at: $0) }
  }

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else { throw .invalidUTF8 }
    return value
  }
}
