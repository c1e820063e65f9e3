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
  let compiler: RequestCompiler
  /// The statement that finds a row by its key, if keys can be compared directly.
  let selectByKey: StatementText?
  /// The pipeline that finds rows by their keys without a connection, if they are found by an index.
  let pipeline: (any ReadPipeline)?
  /// The other tables that requests lead to.
  let related: RelatedTables
  let hasTextKey: Bool
  /// The tests of which values the columns store unchanged.
  let fits: [ColumnValueTest]
  private let insert: StatementText
  private let upsert: StatementText

  init(
    _ table: StoredSchema, _ softDeletion: SoftDeletion?, of database: SQLDatabase, in transaction: SQLTransaction?
  ) throws(RepositoryError) {
    self.database = database
    related = RelatedTables(of: database.declarations)
    self.softDeletion = softDeletion
    self.transaction = transaction
    schema = table.declared
    observed = TableSet([table.declared.name])
    storedSchema = try table.compiled()
    let sql = database.driver.compiler
    compiler = RequestCompiler(
      for: sql.dialect, table: storedSchema ?? schema, declared: storedSchema == nil ? nil : schema,
      revision: { [declarations = database.declarations] in declarations.revision })
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
  /// Whether other connections may write concurrently.
  var mayCollide: Bool { if case .independent = driver.concurrency { true } else { false } }
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
  func resultBlocking<Result>(_ access: Access, _ work: Work<Result>) throws(RepositoryError) -> Result {
    try database.runBlocking(access, in: transaction, on: tables(for: access), work)
  }

  /// Prepares a write in the current transaction, if there is one.
  func preparing<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    try RepositoryError.preparingWrite(
      isReadOnly: database.transaction(boundTo: transaction)?.isReadOnly == true, body)
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
