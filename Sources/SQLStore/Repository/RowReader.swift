import Query
package import Repository
import SQL

/// The values of a row, `nil` for a text that is not UTF-8.
final class BufferedRow: Row, Sendable {
  let values: [Value?]

  /// Reads the values of the row that a statement has reached.
  init(_ row: any Row, columnCount: Int) {
    values = (0..<columnCount).map { try? row.value(at: $0) }
  }

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else { throw .invalidUTF8 }
    return value
  }
}

extension ValueError {
  /// A text that was stored by a program that does not check.
  package static let invalidUTF8 = ValueError(
    "the stored text is not valid UTF-8", suggestion: "mend the row with the program that wrote it")
}

extension Row {
  /// Reads the values of the first columns into an array, whose room is used again.
  ///
  /// - Parameter failure: the error where the value at a position can't be read.
  func read(
    _ count: Int, into values: inout [Value], failure: (ValueError, Int) -> RepositoryError
  ) throws(RepositoryError) {
    values.removeAll(keepingCapacity: true)
    do throws(ValueError) {
      // By index: an iterator over a range is not free in debug builds, nor are the copies of a `map`.
      while values.count < count { values.append(try value(at: values.count)) }
    } catch {
      throw failure(error, values.count)
    }
  }
}

extension SQLRepository {
  /// Streams rows as they are read, so that a result of any length takes the memory of one row.
  ///
  /// The connection is in use until the last row, and writers may have to wait meanwhile.
  ///
  /// - Parameter body: takes a row's values in the order of the request's columns, and says whether to go on.
  /// - Throws: ``/Repository/RepositoryError`` where the request makes no sense, before any row; and where a value can't be read, or
  ///   the database fails, after those before it.
  package func forEachRow(_ request: RowRequest, _ body: ([Value]) -> Bool) throws(RepositoryError) {
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      let resolved = try table.resolve(request.fetch, on: connection)
      let statement = try table.compile(request, resolved, for: connection)
      try table.readRows(of: statement, request, with: connection, body)
    }
  }

  /// Counts the different rows that a request means; its limit and its offset don't count.
  package func countRows(_ request: RowRequest) throws(RepositoryError) -> Int {
    try table.result(.read, table.counting(request))
  }
}

extension SQLTable {
  /// The statement that reads the rows of a request, which was checked.
  func compile(
    _ request: RowRequest, _ resolved: ResolvedRequest, for connection: Connection
  ) throws(RepositoryError) -> CompiledStatement {
    let compiler = connection.compiler
    if request.isDistinct { return compiler.selectDistinct(request.columns, of: resolved) }
    let order: ResultOrder =
      request.isSorted ? .sort : try connection.catalog.insertionOrder(of: schema).map(ResultOrder.column) ?? .any
    return compiler.select(request.columns, of: resolved, in: order)
  }

  /// Counts the rows of a request.
  func counting(_ request: RowRequest) throws(RepositoryError) -> Work<Int> {
    { [self] connection throws(RepositoryError) in
      let resolved = try resolve(request.fetch, on: connection)
      return try connection.integer(
        request.isDistinct
          ? connection.compiler.countDistinct(request.columns, of: resolved.query)
          : connection.compiler.count(resolved.query))
    }
  }

  /// Streams the rows of a statement until the closure stops.
  func readRows(
    of statement: CompiledStatement, _ request: RowRequest, with connection: Connection, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try read(statement, with: connection) { row throws(RepositoryError) in
      var values: [Value] = []
      values.reserveCapacity(request.columns.count)
      var number = 0
      while try row.step() {
        number += 1
        try row.read(request.columns.count, into: &values) { error, position in
          unreadable(error, at: position, of: row, request, number)
        }
        guard body(request.isDistinct ? request.spelled(values, in: schema) : values) else { return }
      }
    }
  }

  private func unreadable(
    _ error: ValueError, at position: Int, of row: any Row, _ request: RowRequest, _ number: Int
  ) -> RepositoryError {
    let key = schema.primaryKey.compactMap { request.columns.firstIndex(of: $0) }
    return .unreadableRow(
      error, column: schema.columns[request.columns[position]].name,
      key: key.count == schema.primaryKey.count ? row.values(at: key) : nil, at: number, in: schema)
  }
}
