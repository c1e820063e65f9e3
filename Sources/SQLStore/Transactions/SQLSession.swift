public import Query
public import Repository

/// Runs statements in SQL: the way out where a query can't say what is wanted.
///
/// ```swift
/// let heavy = try await store.sql.query("SELECT * FROM pokemon WHERE weight > \(90.0)", as: Pokemon.self)
/// let names = try await store.sql.query("SELECT id, name FROM pokemon", as: Int.self, String.self)
/// try await store.sql.execute("UPDATE pokemon SET weight = \(3.5) WHERE name = \(name)")
/// ```
///
/// Each call has a form that does not suspend, for code that can't. In asynchronous functions `await` means the other one. At the
/// top level of a `main.swift`, Swift takes the one that does not suspend, and warns that nothing is awaited there: put
/// such code into an asynchronous function, if it must not block the main thread.
///
/// A statement means what the database makes of it, not what a query would: see the article on semantics for the differences.
public struct SQLSession: Sendable {
  let database: SQLDatabase
  let transaction: SQLTransaction?

  /// Runs a statement and reads its result as records, whose keys are the names of the result's columns.
  ///
  /// - Throws: ``/Repository/RepositoryError``: with the code ``/Repository/RepositoryError/Code/invalidStatement`` where the database can't make sense
  ///   of the statement or it is none for here (see `execute(_:)`), `unreadableRow` where a value
  ///   does not fit, and others where the database fails.
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
  /// - Throws: as `query(_:)` does; also where the result lacks a column of the schema.
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

  /// Runs a statement and reads its result as values, a type for each column.
  ///
  /// - Throws: as `query(_:)` does; also where the result has another number of columns.
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

  /// Runs a statement that changes something.
  ///
  /// What would open or end a transaction, create something temporary or change the connection is refused: the store relies on
  /// it. In SQLite that takes in attached databases and pragmas; read a pragma by its function, such as
  /// `SELECT * FROM pragma_user_version`.
  ///
  /// - Returns: how many rows it inserted, updated or deleted, those of triggers and foreign keys left out.
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
  /// Most statements read, and can do so beside a writer; one that turns out to write is given to the writer.
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
