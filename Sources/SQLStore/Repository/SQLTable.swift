import Query
import Repository
import SQL

/// A table and how it is asked, of whatever model type its rows become elements.
///
/// It knows no model type, so that it is compiled once and fast: generic code of another module looks its types up as it
/// runs, which cost more than the whole reading of one row.
final class SQLiteTable: Sendable {
  typealias Work<Result> = (Connection) throws(RepositoryError) -> Result

  private let store: SQLiteStore
  /// The transaction that opened the repository, if any.
  private let transaction: SQLiteTransaction?
  let schema: TableSchema
  /// The table as the database keeps it, where that is less strict than the schema.
  private let storedSchema: TableSchema?
  private let compiler: RequestCompiler
  /// Finds a row by its key, where keys are compared as they are.
  private let selectByKey: StatementText?
  /// Which values the columns keep as they are.
  let fits: [ColumnValueTest]
  let insert: StatementText
  let upsert: StatementText

  init(_ store: SQLiteStore, in transaction: SQLiteTransaction?, _ schema: TableSchema, storedSchema: TableSchema?) {
    self.store = store
    self.transaction = transaction
    self.schema = schema
    self.storedSchema = storedSchema
    compiler = RequestCompiler(
      for: SQLiteDialect(), table: storedSchema ?? schema, declared: storedSchema == nil ? nil : schema)
    let isExact =
      storedSchema == nil && schema.primaryKeyColumns.allSatisfy { $0.declaredType == nil && $0.collation == nil }
    selectByKey =
      isExact && !schema.primaryKey.isEmpty ? StatementText(SQLiteStore.compiler.selectByKey(of: schema)) : nil
    fits = schema.columns.map(ColumnValueTest.init)
    insert = StatementText(SQLiteStore.compiler.insert(into: schema))
    upsert = StatementText(SQLiteStore.compiler.upsert(into: schema))
  }

  /// Tells those who observe that something was committed.
  var signal: ChangeSignal { store.signal }

  /// Whether what is asked here is a part of a transaction.
  var isInTransaction: Bool { store.transaction(boundTo: transaction) != nil }

  /// Does something with a connection.
  ///
  /// - Parameter isLong: whether it is worth being stopped when the task is cancelled.
  func run(_ access: Access, isLong: Bool = true, _ work: Work<Void>) async throws(RepositoryError) {
    try await store.run(access, in: transaction, isLong: isLong, work)
  }

  /// The same without suspending.
  func runBlocking(_ access: Access, _ work: Work<Void>) throws(RepositoryError) {
    try store.runBlocking(access, in: transaction, work)
  }

  /// Does something that has a result.
  func result<Result>(_ access: Access, _ work: Work<Result>) async throws(RepositoryError) -> Result {
    try await store.run(access, in: transaction, work)
  }

  /// The same without suspending.
  func result<Result>(_ access: Access, _ work: Work<Result>) throws(RepositoryError) -> Result {
    try store.runBlocking(access, in: transaction, work)
  }

  /// Does several things all or nothing.
  func transaction<Result>(
    _ body: (SQLiteTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    try await store.transaction(in: transaction, body)
  }
}

// Reading.
extension SQLiteTable {
  /// The statement that finds a row by its key.
  func statement(forKey key: [Value]) throws(RepositoryError) -> CompiledStatement {
    if let selectByKey { return CompiledStatement(selectByKey, bindings: key) }
    return try compile(FetchRequest(schema.query(forKey: key), limit: 1)).statement
  }

  /// The statement that finds the rows of a request.
  ///
  /// - Returns: also whether the rows come in the opposite order.
  func compile(_ request: FetchRequest) throws(RepositoryError) -> (statement: CompiledStatement, isReversed: Bool) {
    do throws(QueryError) {
      return try compiler.select(request)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Hands out the first row of a statement, if there is one.
  func readFirst(
    of statement: CompiledStatement, with connection: Connection, _ body: (any Row) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.use(statement.text) { prepared throws(RepositoryError) in
      try connection.start(prepared, statement.bindings)
      guard try connection.step(prepared) else { return }
      try connection.lending { () throws(RepositoryError) in try body(prepared) }
    }
  }

  /// Hands out the rows of a statement and how to go to the next one.
  func readAll(
    of statement: CompiledStatement, with connection: Connection,
    _ body: (any Row, () throws(RepositoryError) -> Bool) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.use(statement.text) { prepared throws(RepositoryError) in
      try connection.start(prepared, statement.bindings)
      try connection.lending { () throws(RepositoryError) in
        try body(prepared) { () throws(RepositoryError) in try connection.step(prepared) }
      }
    }
  }

  /// The rows of a request, in its order.
  func rows(_ request: FetchRequest) async throws(RepositoryError) -> [BufferedRow] {
    let (statement, isReversed) = try compile(request)
    var rows: [BufferedRow] = []
    try await run(.read) { [count = schema.columns.count] connection throws(RepositoryError) in
      rows = []
      try connection.query(statement) { row in rows.append(BufferedRow(row, columnCount: count)) }
    }
    return isReversed ? rows.reversed() : rows
  }

  /// Counts the rows that a query means.
  func counting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    let statement: CompiledStatement
    do throws(QueryError) {
      statement = try compiler.count(query)
    } catch {
      throw RepositoryError(error)
    }
    return { connection throws(RepositoryError) in try connection.integer(statement) }
  }

  /// Works aggregates out.
  func aggregating(_ request: AggregateRequest) throws(RepositoryError) -> Work<[AggregateRow]> {
    var aggregates = try schema.resolve(request)
    if let storedSchema { aggregates = aggregates.asking(try storedSchema.resolve(request.query)) }
    let statement = SQLiteStore.compiler.select(aggregates)
    return { [self, aggregates] connection throws(RepositoryError) in
      var rows: [[Value]] = []
      try connection.query(statement) { row throws(RepositoryError) in
        var values: [Value] = []
        for position in 0..<aggregates.columnCount {
          do throws(ValueError) {
            values.append(try row.value(at: position))
          } catch {
            throw .unreadableAggregate(error, aggregates.columnName(at: position), in: schema)
          }
        }
        rows.append(values)
      }
      do throws(AggregateError) {
        return try aggregates.rows(from: rows)
      } catch {
        throw RepositoryError(error)
      }
    }
  }
}

// Checking what is no request for elements.
extension SQLiteTable {
  /// Checks a request against the schema, and finds its keys in the table as the database keeps it.
  func resolve(_ request: FetchRequest) throws(RepositoryError) -> ResolvedRequest {
    let resolved = try schema.resolve(request)
    guard let storedSchema else { return resolved }
    return try storedSchema.resolve(request)
  }
}

// Writing what is no element.
extension SQLiteTable {
  private func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    let resolved = try schema.resolve(query)
    guard let storedSchema else { return resolved }
    return try storedSchema.resolve(query)
  }

  /// Sets columns of the rows that a query means.
  func updating(_ query: AnyQuery, _ assignments: [Assignment]) throws(RepositoryError) -> Work<Int> {
    let (query, assignments) = (try resolve(query), try schema.resolve(assignments))
    return { [schema] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        try connection.update(query, set: assignments, in: schema)
      }
    }
  }

  /// Deletes the rows that a query means.
  func deleting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    let query = try resolve(query)
    return { [schema] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in try connection.delete(query, from: schema) }
    }
  }

  /// Deletes the rows with some keys.
  func deleting(_ keys: [[Value]]) throws(RepositoryError) -> Work<Int> {
    var queries: [ResolvedQuery] = []
    queries.reserveCapacity(keys.count)
    for key in keys { queries.append(try resolve(schema.query(forKey: key))) }
    return { [schema, queries] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        var deleted = 0
        for query in queries { deleted += try connection.delete(query, from: schema) }
        return deleted
      }
    }
  }
}

extension TableSchema {
  /// The table as the database keeps it, where that is less strict than the schema: what a query means is checked against
  /// the schema, and its SQL has to make up for conversions and collations that the schema knows nothing of.
  ///
  /// - Returns: `nil` where the database's table is as strict as the schema.
  func loosened(like present: TableSchema) throws(RepositoryError) -> TableSchema? {
    var isLoose = false
    let columns = columns.map { column in
      guard let found = present.columns.first(named: column.name),
        found.declaredType != nil || found.collation != nil
      else { return column }
      isLoose = true
      return ColumnSchema(
        column.name, found.declaredType == nil ? column.type : found.type, isNullable: column.isNullable,
        isUnique: column.isUnique, isIndexed: column.isIndexed,
        isGenerated: column.isGenerated, declaredType: found.declaredType, collation: found.collation)
    }
    guard isLoose else { return nil }
    do throws(QueryError) {
      return try TableSchema(name, columns: columns, primaryKey: primaryKeyColumns.map(\.name))
    } catch {
      throw RepositoryError(error)
    }
  }
}
