import Query
import Repository
@_spi(RequestCompilation) import SQL

// The statements and results of reads.
extension SQLTable {
  /// A statement that finds rows, and whether they are in the opposite order.
  typealias Selection = (statement: CompiledStatement, isReversed: Bool)

  /// Returns the statement that finds a row by its key.
  func statement(forKey key: [Value]) throws(RepositoryError) -> CompiledStatement {
    // A database may store no U+0000 in texts, for which the statement of a query compensates.
    if let selectByKey, !hasTextKey || !key.contains(where: \.hasNUL) {
      return CompiledStatement(selectByKey, bindings: key)
    }
    return try compile(FetchRequest(schema.query(forKey: key), limit: 1)).statement
  }

  /// Reads the row of a statement that finds a row by its key, without a connection of the task's own.
  ///
  /// - Returns: `false` if the row has to be read with a connection, as within a transaction, which sees its own writes.
  func readPipelined(
    _ statement: CompiledStatement, by pipeline: any ReadPipeline, _ body: (any Row) throws(RepositoryError) -> Void
  ) async throws(RepositoryError) -> Bool {
    if isInTransaction { return false }
    if Task.isCancelled { throw .cancelled }
    let start = driver.observer == nil ? nil : ContinuousClock.now
    switch await pipeline.firstRow(of: statement) {
    case .unanswered: return false
    case .noRow:
      if let start { driver.observe(statement, since: start, rowCount: 0) }
    case .row(let row):
      if let start { driver.observe(statement, since: start, rowCount: 1) }
      do throws(RepositoryError) {
        try body(row)
      } catch {
        throw error.suggestingConversion(in: schema, driver)
      }
    }
    return true
  }

  /// Returns the statement that finds the rows of a request, which leads to no other table.
  func compile(_ request: FetchRequest) throws(RepositoryError) -> Selection {
    try RepositoryError.translating { () throws(QueryError) in
      try compiler.select(softDeletion.excludingDeleted(request))
    }
  }

  /// Returns the statement that finds the rows of a request; `nil` if that leads to other tables, which are looked up with a
  /// connection.
  func selection(of request: FetchRequest) throws(RepositoryError) -> Selection? {
    request.needsOtherTables ? nil : try compile(request)
  }

  /// Returns the statement that finds the rows of a request, with the other tables that it leads to.
  ///
  /// - Parameter known: the result of ``selection(of:)``.
  func selection(
    of request: FetchRequest, unless known: Selection?, on connection: Connection
  ) throws(RepositoryError) -> Selection {
    if let known { return known }
    return try relating(on: connection) { tables throws(QueryError) in
      try compiler.select(softDeletion.excludingDeleted(request), with: tables)
    }
  }

  /// Returns the statement that finds some columns of the rows of a request, which leads to no other table; the rows are in
  /// the opposite order if the request is reversed.
  func compile(_ request: FetchRequest, columns: [Int]) throws(RepositoryError) -> CompiledStatement {
    try RepositoryError.translating { () throws(QueryError) in
      try compiler.select(columns: columns, of: softDeletion.excludingDeleted(request))
    }
  }

  /// Runs a statement and passes it before its first row to a closure that may call code of the program.
  func read(
    _ statement: CompiledStatement, with connection: Connection,
    _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    do throws(RepositoryError) {
      try connection.read(statement) { row throws(RepositoryError) in
        try connection.reentrantly { () throws(RepositoryError) in try body(row) }
      }
    } catch {
      throw error.suggestingConversion(in: schema, connection.driver)
    }
  }

  /// Returns the rows of a request, in its order.
  func rows(_ request: FetchRequest) async throws(RepositoryError) -> [BufferedRow] {
    let selection = try selection(of: request)
    var rows: [BufferedRow] = []
    try await run(.read) { [count = schema.columns.count] connection throws(RepositoryError) in
      let (statement, isReversed) = try self.selection(of: request, unless: selection, on: connection)
      rows = []
      try connection.query(statement) { row in rows.append(BufferedRow(row, columnCount: count)) }
      if isReversed { rows.reverse() }
    }
    return rows
  }

  /// Counts the rows that match a query.
  func counting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    let query = softDeletion.excludingDeleted(query)
    if query.needsOtherTables {
      return { [self] connection throws(RepositoryError) in
        try connection.integer(
          try relating(on: connection) { tables throws(QueryError) in try compiler.count(query, with: tables) })
      }
    }
    let statement: CompiledStatement
    do throws(QueryError) {
      statement = try compiler.count(query)
    } catch {
      throw RepositoryError(error)
    }
    return { connection throws(RepositoryError) in try connection.integer(statement) }
  }

  /// Computes aggregates.
  func aggregating(_ request: AggregateRequest) throws(RepositoryError) -> Work<[AggregateRow]> {
    let request = softDeletion.excludingDeleted(request)
    let checked = request.needsOtherTables ? nil : try resolve(request) { _ in nil }
    return { [self] connection throws(RepositoryError) in
      let aggregates =
        if let checked { checked } else {
          try relating(on: connection) { tables throws(QueryError) in try resolved(request, with: tables) }
        }
      var rows: [[Value]] = []
      try connection.query(connection.compiler.select(aggregates)) { row throws(RepositoryError) in
        var values: [Value] = []
        try row.read(aggregates.columnCount, into: &values) { error, position in
          .unreadableAggregate(error, aggregates.columnName(at: position), in: schema)
        }
        rows.append(connection.compiler.values(of: values, for: aggregates))
      }
      do throws(AggregateError) {
        return try aggregates.rows(from: rows)
      } catch {
        throw RepositoryError(error)
      }
    }
  }

  private func resolved(
    _ request: AggregateRequest, with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedAggregates {
    var aggregates = try request.resolved(in: schema, with: tables)
    if let storedSchema {
      aggregates = aggregates.computing(as: try request.resolved(in: storedSchema, with: tables))
    }
    return aggregates
  }

  private func resolve(
    _ request: AggregateRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedAggregates {
    try RepositoryError.translating { () throws(QueryError) in try resolved(request, with: tables) }
  }
}

extension Value {
  fileprivate var hasNUL: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}

extension RepositoryError {
  /// Returns the error of a row with a UUID or a date in another form, with the statement that converts the column.
  func suggestingConversion(in table: TableSchema, _ driver: any SQLDriver) -> RepositoryError {
    guard code == .unreadableRow, let fault = underlying as? ColumnError, let form = fault.error.form,
      let column = fault.column, table.columns.first(named: column)?.nativeType == nil,
      let advice = driver.advice(onColumn: column, in: table.name, holding: form)
    else { return self }
    return RepositoryError(
      code, summary, reason: reason, suggestion: advice, sql: sql, storeCode: storeCode, underlying: underlying)
  }
}
