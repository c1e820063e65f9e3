package import Query
package import Repository
import SQL

extension SQLRepository {
  /// Streams the rows of a projection as they are read, so that a result of any length takes the memory of one row.
  ///
  /// The connection is in use until the last row, and writers may have to wait meanwhile.
  ///
  /// - Parameters:
  ///   - isSorted: whether rows come in the order of the sort, rather than in the one in which they were added, as far as
  ///     the store knows that.
  ///   - body: takes a row's values in the order of the request's columns, and says whether to go on.
  /// - Throws: ``/Repository/RepositoryError`` where the request makes no sense, before any row; and where a value can't be read, or
  ///   the database fails, after those before it.
  package func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool = true, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      let projection = try table.resolve(request, on: connection)
      // Rows that end before a cursor are found backwards.
      if projection.request.isReversed {
        for row in try table.rows(of: projection, with: connection) where !body(row) { return }
        return
      }
      let order: ResultOrder =
        isSorted || projection.isDistinct || projection.groupLimit != nil
        ? .sort : try connection.catalog.insertionOrder(of: table.schema).map(ResultOrder.column) ?? .any
      try table.readRows(of: projection, in: order, with: connection, body)
    }
  }

  /// Counts the rows of a projection; its limit and its offset don't count.
  package func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int {
    try table.result(.read) { connection throws(RepositoryError) in
      try connection.integer(connection.compiler.count(try table.resolve(request, on: connection)))
    }
  }
}

extension SQLTable {
  /// Finds the rows of a projection.
  func finding(_ request: ProjectionRequest) throws(RepositoryError) -> Work<[[Value]]> {
    // What makes no sense is refused before a connection is waited for.
    if !request.needsOtherTables {
      do throws(QueryError) {
        _ = try resolved(request) { _ in nil }
      } catch {
        throw RepositoryError(error)
      }
    }
    return { [self] connection throws(RepositoryError) in
      try rows(of: try resolve(request, on: connection), with: connection)
    }
  }

  /// Checks a projection against the schema, and finds its keys in the table as the database has it.
  private func resolved(
    _ request: ProjectionRequest, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedProjection {
    var projection = try request.resolved(in: schema, with: tables)
    if let storedSchema { projection = projection.asking(as: try request.resolved(in: storedSchema, with: tables)) }
    try driver.compiler.check(projection.request.query.scope)
    return projection
  }

  /// The same with a connection that is checked out.
  fileprivate func resolve(
    _ request: ProjectionRequest, on connection: Connection
  ) throws(RepositoryError) -> ResolvedProjection {
    try relating(on: connection) { tables throws(QueryError) in try resolved(request, with: tables) }
  }

  fileprivate func rows(
    of projection: ResolvedProjection, with connection: Connection
  ) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    try readRows(of: projection, in: .sort, with: connection) { row in
      rows.append(row)
      return true
    }
    return projection.request.inOrder(rows)
  }

  /// Streams the rows of a projection until the closure stops.
  fileprivate func readRows(
    of projection: ResolvedProjection, in order: ResultOrder, with connection: Connection, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    let count = projection.columns.count
    try read(connection.compiler.select(projection, in: order), with: connection) { row throws(RepositoryError) in
      var values: [Value] = []
      values.reserveCapacity(count)
      var number = 0
      while try row.step() {
        number += 1
        try row.read(count, into: &values) { error, position in
          let key = schema.primaryKey.compactMap { projection.columns.firstIndex(of: $0) }
          return .unreadableRow(
            error, column: projection.names[position],
            key: key.count == schema.primaryKey.count ? row.values(at: key) : nil, at: number, in: schema)
        }
        guard body(projection.spelled(values)) else { return }
      }
    }
  }
}

// MARK: - Rows

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
    "the stored text is not valid UTF-8", suggestion: "correct the row with the program that wrote it")
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
