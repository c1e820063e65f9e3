package import Query
package import Repository
import SQL

extension BlockingRepository {
  /// Streams the rows of a projection, so that a result of any length takes the memory of one row.
  ///
  /// The connection is in use until the last row, and writers may have to wait meanwhile.
  ///
  /// - Parameters:
  ///   - isSorted: whether rows are read in the order of the sort, rather than in that of their insertion, as far as the
  ///     store knows it.
  ///   - checkedCount: how many of the first columns have to be readable; a text of another column that is not UTF-8 is given as
  ///     its bytes. All of them if it is `nil`.
  ///   - body: called with a row's values in the order of the request's columns; returns whether to continue.
  /// - Throws: ``/Repository/RepositoryError`` if the request is not valid, before any row; and if a value can't be read, or the
  ///   database fails, after the rows before it.
  package func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool = true, checking checkedCount: Int? = nil, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      let projection = try table.resolve(request, on: connection)
      // Rows that end before a cursor are read backwards.
      if projection.request.isReversed {
        for row in try table.rows(of: projection, with: connection) where !body(row) { return }
        return
      }
      let order: ResultOrder =
        isSorted || projection.isDistinct || projection.groupLimit != nil
        ? .sort : try connection.catalog.insertionOrder(of: table.schema).map(ResultOrder.column) ?? .any
      try table.readRows(of: projection, in: order, checking: checkedCount, with: connection, body)
    }
  }

  /// Counts the rows of a projection, without regard to its limit and its offset.
  package func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int {
    try table.resultBlocking(.read) { connection throws(RepositoryError) in
      try connection.integer(connection.compiler.count(try table.resolve(request, on: connection)))
    }
  }
}

extension SQLRepository: RowReading {
  @concurrent
  package func readRows<Result: Sendable>(
    _ request: ProjectionRequest, startingWith start: Result, _ add: @Sendable (inout Result, [Value]) -> Void
  ) async throws(RepositoryError) -> Result? {
    // Rows before a cursor are read backwards.
    guard let columns = request.plainColumns(of: table.schema), !request.rows.isReversed else { return nil }
    let statement = try table.compile(request.rows, columns: columns)
    return try await table.result(.read) { connection throws(RepositoryError) in
      var result = start
      try table.readRows(of: columns, statement, with: connection) { values in
        add(&result, values)
        return true
      }
      return result
    }
  }
}

extension SQLTable {
  /// Finds the rows of a projection.
  func finding(_ request: ProjectionRequest) throws(RepositoryError) -> Work<[[Value]]> {
    if let columns = request.plainColumns(of: schema) {
      let (statement, isReversed) = (try compile(request.rows, columns: columns), request.rows.isReversed)
      return { [self] connection throws(RepositoryError) in
        var rows: [[Value]] = []
        try readRows(of: columns, statement, with: connection) { row in
          rows.append(row)
          return true
        }
        return isReversed ? rows.reversed() : rows
      }
    }
    // Invalid requests are refused before waiting for a connection.
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

  /// Checks a projection against the schema, and resolves its keys in the table as the database has it.
  private func resolved(
    _ request: ProjectionRequest, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedProjection {
    let request = softDeletion.excludingDeleted(request)
    var projection = try request.resolved(in: schema, with: tables)
    if let storedSchema { projection = projection.computing(as: try request.resolved(in: storedSchema, with: tables)) }
    return projection
  }

  /// Checks a projection with a connection that is checked out.
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
    of projection: ResolvedProjection, in order: ResultOrder, checking checkedCount: Int? = nil,
    with connection: Connection, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    let statement = connection.compiler.select(projection, in: order)
    try readRows(
      of: projection.columns, named: projection.names, checking: checkedCount, statement, with: connection
    ) { row in
      body(projection.spelled(row))
    }
  }

  /// Streams the rows of a statement until the closure stops.
  ///
  /// - Parameters:
  ///   - columns: the positions in the table of the columns that the statement returns.
  ///   - names: the names of these columns in the result, if they differ from those of the table.
  ///   - checkedCount: how many of the first columns have to be readable; all if it is `nil`.
  fileprivate func readRows(
    of columns: [Int], named names: [String]? = nil, checking checkedCount: Int? = nil, _ statement: CompiledStatement,
    with connection: Connection, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try read(statement, with: connection) { row throws(RepositoryError) in
      var number = 0
      var values: [Value] = []
      while try row.step() {
        number += 1
        // The storage of the array is reused, unless the closure has retained the array.
        try row.read(checkedCount ?? columns.count, into: &values) { error, position in
          let key = schema.primaryKey.compactMap { columns.firstIndex(of: $0) }
          return .unreadableRow(
            error, column: names?[position] ?? schema.columns[columns[position]].name,
            key: key.count == schema.primaryKey.count ? row.values(at: key) : nil, at: number, in: schema)
        }
        while values.count < columns.count {
          values.append((try? row.value(at: values.count)) ?? .blob(row.bytes(at: values.count)))
        }
        guard body(values) else { return }
      }
    }
  }
}

extension ProjectionRequest {
  /// Returns the positions of the requested columns, if all are columns of the table under their own names: the statements of
  /// such requests are compiled once.
  fileprivate func plainColumns(of table: TableSchema) -> [Int]? {
    if isDistinct || groupLimit != nil || columns.isEmpty || columns.count > table.columns.count { return nil }
    if rows.needsOtherTables { return nil }
    var positions: [Int] = []
    positions.reserveCapacity(columns.count)
    for column in columns {
      guard let key = column.expression.plainKey, Name(key) == column.name else { return nil }
      // Columns are usually requested in the table's order.
      let next = positions.count
      guard let position = Name(key) == table.columns[next].name ? next : table.columns.firstIndex(named: key)
      else { return nil }
      positions.append(position)
    }
    return positions
  }

  /// Returns whether the request is for at most one row, which is found by its key.
  func isByKey(of table: TableSchema) -> Bool {
    if isDistinct || groupLimit != nil || needsOtherTables { return false }
    var missing = table.primaryKeyColumns.map(\.name)
    if missing.isEmpty { return false }
    var pending = [rows.query]
    while let query = pending.popLast() {
      switch query.form {
      case .and(let lhs, let rhs): pending += [rhs, lhs]
      case .condition(.comparison(let comparison)) where comparison.operator == .equal:
        guard case .value = comparison.operand, let key = comparison.key.plainKey else { continue }
        missing.removeAll { Name(key) == $0 }
      default: continue
      }
    }
    return missing.isEmpty
  }
}

// MARK: - Rows

/// The values of a row, `nil` for a text that is not UTF-8.
final class BufferedRow: Row, Sendable {
  let values: [Value?]

  /// Makes a row from the current row of a statement.
  init(_ row: any Row, columnCount: Int) {
    values = (0..<columnCount).map { try? row.value(at: $0) }
  }

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else { throw .invalidUTF8 }
    return value
  }
}

extension ValueError {
  /// The error for a text that was stored by a program that does not check its encoding.
  package static let invalidUTF8 = ValueError(
    "the stored text is not valid UTF-8",
    suggestion: "correct the row with the program that wrote the row; a dump and a backup copy the text unchanged")
}

extension Row {
  /// Reads the values of the first columns into an array, whose storage is reused.
  ///
  /// - Parameter failure: the error if the value at a position can't be read.
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
