public import Query
public import Repository

/// A session that runs SQL statements, for what a query can't express.
///
/// ```swift
/// let heavy = try await store.sql.query("SELECT * FROM pokemon WHERE weight > \(90.0)", as: Pokemon.self)
/// let names = try await store.sql.query("SELECT id, name FROM pokemon", as: Int.self, String.self)
/// try await store.sql.execute("UPDATE pokemon SET weight = \(3.5) WHERE name = \(name)")
/// ```
///
/// Each call has a synchronous form, for code that can't suspend. In asynchronous functions, `await` selects the asynchronous
/// one. At the top level of a `main.swift`, Swift selects the synchronous one, and warns that nothing is awaited: move such code
/// to an asynchronous function, if it must not block the main thread.
///
/// The semantics of a statement are those of the database, not those of a query: see the article on semantics for the
/// differences.
public struct SQLSession: Sendable {
  let database: SQLDatabase
  let transaction: SQLTransaction?

  /// Runs a statement and reads its result as records, whose keys are the names of the result's columns.
  ///
  /// - Throws: ``/Repository/RepositoryError``: with the code ``/Repository/RepositoryError/Code/invalidStatement`` if the
  ///   statement is not valid in the database or not allowed here (see `execute(_:)`), with the code `unreadableRow` if a
  ///   value does not fit, and with other codes if the database fails.
  @concurrent
  public func query(_ statement: SQLStatement) async throws(RepositoryError) -> [Record] {
    try await run(RecordResultReader(), statement)
  }

  /// Runs a statement and reads its result as records, blocking the thread.
  public func query(_ statement: SQLStatement) throws(RepositoryError) -> [Record] {
    try runBlocking(RecordResultReader(), statement)
  }

  /// Runs a statement and reads its result as elements; the result's columns are found by their names.
  ///
  /// - Throws: as `query(_:)` does; also if the result lacks a column of the schema.
  @concurrent
  public func query<Element: Entity>(
    _ statement: SQLStatement, as type: Element.Type
  ) async throws(RepositoryError) -> [Element] {
    try await run(ElementReader(schema: type.schema, table: try type.schema.table()), statement)
  }

  /// Runs a statement and reads its result as elements, blocking the thread.
  public func query<Element: Entity>(
    _ statement: SQLStatement, as type: Element.Type
  ) throws(RepositoryError) -> [Element] {
    try runBlocking(ElementReader(schema: type.schema, table: try type.schema.table()), statement)
  }

  /// Runs a statement and reads its result as values, with a type for each column.
  ///
  /// - Throws: as `query(_:)` does; also if the result has another number of columns.
  @concurrent
  public func query<each Property: ValueConvertible>(
    _ statement: SQLStatement, as types: repeat (each Property).Type
  ) async throws(RepositoryError) -> [(repeat each Property)] {
    try await run(ValueReader<repeat each Property>(), statement)
  }

  /// Runs a statement and reads its result as tuples, blocking the thread.
  public func query<each Property: ValueConvertible>(
    _ statement: SQLStatement, as types: repeat (each Property).Type
  ) throws(RepositoryError) -> [(repeat each Property)] {
    try runBlocking(ValueReader<repeat each Property>(), statement)
  }

  /// Runs a statement that changes the database.
  ///
  /// Statements that open or end a transaction, create temporary objects or change the connection are refused: the store
  /// relies on its state. In SQLite these include attached databases and pragmas; read a pragma by its function, such as
  /// `SELECT * FROM pragma_user_version`.
  ///
  /// - Returns: the number of inserted, updated or deleted rows, without those of triggers and foreign keys.
  /// - Throws: as `query(_:)` does.
  @discardableResult
  @concurrent
  public func execute(_ statement: SQLStatement) async throws(RepositoryError) -> Int {
    let statement = try statement.checked()
    return try await database.run(.write, in: transaction) { connection throws(RepositoryError) in
      try connection.change(statement)
    }
  }

  /// Runs a statement that changes the database, blocking the thread.
  @discardableResult
  public func execute(_ statement: SQLStatement) throws(RepositoryError) -> Int {
    let statement = try statement.checked()
    return try database.runBlocking(.write, in: transaction) { connection throws(RepositoryError) in
      try connection.change(statement)
    }
  }
}

extension SQLSession {
  /// Most statements only read, and can run concurrently with a writer: a statement is prepared on a reading connection first,
  /// and is run on a writing one if it turns out to write.
  private func run<Reader: ResultReader>(
    _ reader: Reader, _ statement: SQLStatement
  ) async throws(RepositoryError) -> [Reader.Output] {
    let statement = try statement.checked()
    let rows = try await database.run(.read, in: transaction) { connection throws(RepositoryError) in
      try connection.rows(of: statement, by: reader, mayWrite: false)
    }
    if let rows { return rows }
    return try await database.run(.write, in: transaction) { connection throws(RepositoryError) in
      try connection.rows(of: statement, by: reader, mayWrite: true)
    } ?? []
  }

  private func runBlocking<Reader: ResultReader>(
    _ reader: Reader, _ statement: SQLStatement
  ) throws(RepositoryError) -> [Reader.Output] {
    let statement = try statement.checked()
    let rows = try database.runBlocking(.read, in: transaction) { connection throws(RepositoryError) in
      try connection.rows(of: statement, by: reader, mayWrite: false)
    }
    if let rows { return rows }
    return try database.runBlocking(.write, in: transaction) { connection throws(RepositoryError) in
      try connection.rows(of: statement, by: reader, mayWrite: true)
    } ?? []
  }
}

extension SQLDatabase {
  /// The session that runs SQL statements.
  public final var sql: SQLSession { SQLSession(database: self, transaction: nil) }
}

extension SQLTransaction {
  /// The session that runs SQL statements within the transaction.
  public var sql: SQLSession { SQLSession(database: owner, transaction: self) }
}
