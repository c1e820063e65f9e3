import Query
import Repository
@_spi(RequestCompilation) import SQL

/// A table and its operations, for any model type.
///
/// It has no generic parameter, so that its code is compiled once and is fast: generic code of another module looks up its
/// types at run time, which costs more than reading a row.
final class SQLTable: Sendable {
  typealias Work<Result> = (Connection) throws(RepositoryError) -> Result

  private let database: SQLDatabase
  /// The transaction that opened the repository, if any.
  private let transaction: SQLTransaction?
  /// The table as its schema declares it.
  let schema: TableSchema
  /// The table as the database has it, if that is less strict than the schema.
  let storedSchema: TableSchema?
  /// The soft deletion of rows; `nil` if deleted rows are removed.
  let softDeletion: SoftDeletion?
  /// The table as a set of one, for observers.
  private let observed: TableSet
  private let compiler: RequestCompiler
  /// The statement that finds a row by its key, if keys can be compared directly.
  private let selectByKey: StatementText?
  /// The pipeline that finds rows by their keys without a connection, if they are found by an index.
  let pipeline: (any ReadPipeline)?
  /// The other tables that requests lead to.
  let related: RelatedTables
  private let hasTextKey: Bool
  /// The tests of which values the columns store unchanged.
  let fits: [ColumnValueTest]
  private let insert: StatementText
  private let upsert: StatementText

  init(
    _ table: StoredSchema, _ softDeletion: SoftDeletion?, of database: SQLDatabase, in transaction: SQLTransaction?
  ) throws(RepositoryError) {
    self.database = database
    related = RelatedTables(of: database)
    database.declare(table.declared)
    self.softDeletion = softDeletion
    self.transaction = transaction
    schema = table.declared
    observed = TableSet([table.declared.name])
    storedSchema = try table.compiled()
    let sql = database.driver.compiler
    compiler = RequestCompiler(
      for: sql.dialect, table: storedSchema ?? schema, declared: storedSchema == nil ? nil : schema)
    let isExact =
      storedSchema == nil && schema.primaryKeyColumns.allSatisfy { $0.declaredType == nil && $0.collation == nil }
    let isLive = softDeletion.map { " AND \(sql.dialect.quoted($0.key)) IS NULL" } ?? ""
    selectByKey =
      isExact && !schema.primaryKey.isEmpty ? StatementText(sql.selectByKey(of: schema) + isLive) : nil
    pipeline = selectByKey == nil ? nil : database.driver.pipeline
    hasTextKey = schema.primaryKeyColumns.contains { $0.type != .integer }
    fits = schema.columns.map(ColumnValueTest.init)
    insert = StatementText(sql.insert(into: schema))
    upsert = StatementText(sql.upsert(into: schema))
  }

  /// The database's driver.
  var driver: any SQLDriver { database.driver }
  /// The signal that notifies observers of commits.
  var signal: ChangeSignal { database.signal }
  /// The tables from which a request may have read.
  private var readTables: TableSet { related.names.isEmpty ? observed : TableSet(related.names + [schema.name]) }
  /// The tables a write to which may change the result of a request.
  var sources: TableSet {
    get async throws(RepositoryError) { try await database.sources(of: readTables) }
  }

  private func tables(for access: Access) -> TableSet { access == .write ? observed : readTables }

  /// Whether operations of the current task run in a transaction.
  var isInTransaction: Bool { database.transaction(boundTo: transaction) != nil }

  /// Passes a connection to a closure.
  ///
  /// - Parameter isLong: whether the work is interrupted when the task is cancelled.
  func run(_ access: Access, isLong: Bool = true, _ work: Work<Void>) async throws(RepositoryError) {
    try await database.run(access, in: transaction, on: tables(for: access), isLong: isLong, work)
  }

  /// Passes a connection to a closure, with the thread blocked while it waits.
  func runBlocking(_ access: Access, _ work: Work<Void>) throws(RepositoryError) {
    try database.runBlocking(access, in: transaction, on: tables(for: access), work)
  }

  /// Passes a connection to a closure with a result.
  func result<Result>(_ access: Access, _ work: Work<Result>) async throws(RepositoryError) -> Result {
    try await database.run(access, in: transaction, on: tables(for: access), work)
  }

  /// Passes a connection to a closure with a result, with the thread blocked while it waits.
  func result<Result>(_ access: Access, _ work: Work<Result>) throws(RepositoryError) -> Result {
    try database.runBlocking(access, in: transaction, on: tables(for: access), work)
  }

  /// Prepares a write. Within a transaction that only reads, an error of the preparation is replaced by the one that the
  /// transaction refuses writes.
  func preparing<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    do throws(RepositoryError) {
      return try body()
    } catch {
      throw database.transaction(boundTo: transaction)?.isReadOnly == true ? .writeInsideRead : error
    }
  }

  /// Checks that a write is allowed in this context, for calls that have nothing to write.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if any write would be refused.
  func checkMayWrite() throws(RepositoryError) {
    guard let transaction = database.transaction(boundTo: transaction) else { return }
    if transaction.isReadOnly { throw .writeInsideRead }
    try transaction.checkActive()
  }

  /// Runs a transaction.
  func transaction<Result>(
    _ body: (SQLTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    try await database.transaction(in: transaction, body)
  }

  /// Writes a part of the changes within ``transaction(_:)``.
  func write(in transaction: SQLTransaction, _ work: Work<Void>) async throws(RepositoryError) {
    try await transaction.perform(.write, on: observed, isLong: false, work)
  }
}

// Reading.
extension SQLTable {
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

  /// Returns the statement that finds the rows of a request.
  ///
  /// - Returns: the statement, and whether the rows are in the opposite order.
  func compile(_ request: FetchRequest) throws(RepositoryError) -> (statement: CompiledStatement, isReversed: Bool) {
    let request = softDeletion.excludingDeleted(request)
    if request.needsOtherTables {
      return try relating { tables throws(QueryError) in try compiler.select(request, with: tables) }
    }
    return try RepositoryError.translating { () throws(QueryError) in try compiler.select(request) }
  }

  /// Returns the statement that finds some columns of the rows of a request, which leads to no other table; the rows are in
  /// the opposite order if the request is reversed.
  func compile(_ request: FetchRequest, columns: [Int]) throws(RepositoryError) -> CompiledStatement {
    try RepositoryError.translating { () throws(QueryError) in
      try compiler.select(columns: columns, of: softDeletion.excludingDeleted(request))
    }
  }

  /// Returns the statement that finds the rows of a request, suspended during the lookup of related tables.
  func compile(
    _ request: FetchRequest
  ) async throws(RepositoryError) -> (statement: CompiledStatement, isReversed: Bool) {
    let request = softDeletion.excludingDeleted(request)
    if request.needsOtherTables {
      return try await relating { tables throws(QueryError) in try compiler.select(request, with: tables) }
    }
    return try RepositoryError.translating { () throws(QueryError) in try compiler.select(request) }
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
    let (statement, isReversed) = try await compile(request)
    var rows: [BufferedRow] = []
    try await run(.read) { [count = schema.columns.count] connection throws(RepositoryError) in
      rows = []
      try connection.query(statement) { row in rows.append(BufferedRow(row, columnCount: count)) }
    }
    return isReversed ? rows.reversed() : rows
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

// Writing.
extension SQLTable {
  /// Passes a writer of the table to a closure.
  func write(
    _ mode: WriteMode, with connection: Connection, _ body: (RowWriter) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.write(to: schema, by: mode == .insert ? insert : upsert, fits, body)
  }

  func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    try RepositoryError.translating { () throws(QueryError) in try resolved(query) { _ in nil } }
  }

  private func resolved(_ query: AnyQuery, with tables: @escaping TableLookup) throws(QueryError) -> ResolvedQuery {
    let resolved = try query.resolved(in: schema, with: tables)
    let stored = try storedSchema.map { schema throws(QueryError) in try query.resolved(in: schema, with: tables) }
    return stored ?? resolved
  }

  /// Returns the work of a write on the rows of a query that are not soft-deleted. The query is resolved in advance, unless it
  /// leads to other tables.
  func work<Result>(
    on query: AnyQuery, _ body: @escaping @Sendable (ResolvedQuery, Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Work<Result> {
    let query = softDeletion.excludingDeleted(query)
    let checked = query.needsOtherTables ? nil : try preparing { () throws(RepositoryError) in try resolve(query) }
    return { [self] connection throws(RepositoryError) in
      let found =
        if let checked { checked } else {
          try relating(on: connection) { tables throws(QueryError) in try resolved(query, with: tables) }
        }
      return try connection.atomically { () throws(RepositoryError) in try body(found, connection) }
    }
  }
}

extension Value {
  fileprivate var hasNUL: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}
