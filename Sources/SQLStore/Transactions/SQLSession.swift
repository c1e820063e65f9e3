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
/// ``blocking`` has the same calls for code that can't suspend.
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

  /// Runs a statement and reads its result as elements; the result's columns are found by their names.
  ///
  /// - Throws: as `query(_:)` does; also if the result lacks a column of the schema.
  @concurrent
  public func query<Element: Entity>(
    _ statement: SQLStatement, as type: Element.Type
  ) async throws(RepositoryError) -> [Element] {
    try await run(ElementReader(schema: type.schema, table: try type.schema.table()), statement)
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

  /// Most statements only read, and can run concurrently with a writer: a statement is prepared on a reading connection first,
  /// and is run on a writing one if it turns out to write.
  private func run<Reader: ResultReader>(
    _ reader: Reader, _ statement: SQLStatement
  ) async throws(RepositoryError) -> [Reader.Output] {
    let statement = try statement.checked()
    for access in [Access.read, .write] {
      let rows = try await database.run(access, in: transaction) { connection throws(RepositoryError) in
        try connection.rows(of: statement, by: reader, mayWrite: access == .write)
      }
      if let rows { return rows }
    }
    return []
  }
}

/// A view of a session whose calls block the thread, for code that can't suspend.
public struct BlockingSession: Sendable {
  fileprivate let session: SQLSession

  /// Runs a statement and reads its result as records.
  ///
  /// - Throws: as `query(_:)` of ``SQLSession`` does.
  public func query(_ statement: SQLStatement) throws(RepositoryError) -> [Record] {
    try run(RecordResultReader(), statement)
  }

  /// Runs a statement and reads its result as elements.
  ///
  /// - Throws: as `query(_:as:)` of ``SQLSession`` does.
  public func query<Element: Entity>(
    _ statement: SQLStatement, as type: Element.Type
  ) throws(RepositoryError) -> [Element] {
    try run(ElementReader(schema: type.schema, table: try type.schema.table()), statement)
  }

  /// Runs a statement and reads its result as values, with a type for each column.
  ///
  /// - Throws: as `query(_:as:)` of ``SQLSession`` does.
  public func query<each Property: ValueConvertible>(
    _ statement: SQLStatement, as types: repeat (each Property).Type
  ) throws(RepositoryError) -> [(repeat each Property)] {
    try run(ValueReader<repeat each Property>(), statement)
  }

  /// Runs a statement that changes the database.
  ///
  /// - Returns: the number of inserted, updated or deleted rows, without those of triggers and foreign keys.
  /// - Throws: as `execute(_:)` of ``SQLSession`` does.
  @discardableResult
  public func execute(_ statement: SQLStatement) throws(RepositoryError) -> Int {
    let statement = try statement.checked()
    return try session.database.runBlocking(.write, in: session.transaction) { connection throws(RepositoryError) in
      try connection.change(statement)
    }
  }

  private func run<Reader: ResultReader>(
    _ reader: Reader, _ statement: SQLStatement
  ) throws(RepositoryError) -> [Reader.Output] {
    let statement = try statement.checked()
    for access in [Access.read, .write] {
      let rows = try session.database.runBlocking(access, in: session.transaction) {
        connection throws(RepositoryError) in
        try connection.rows(of: statement, by: reader, mayWrite: access == .write)
      }
      if let rows { return rows }
    }
    return []
  }
}

extension SQLSession {
  /// The view of the session whose calls block the thread.
  public var blocking: BlockingSession { BlockingSession(session: self) }
}

extension SQLDatabase {
  /// The session that runs SQL statements.
  public final var sql: SQLSession { SQLSession(database: self, transaction: nil) }
}

extension SQLTransaction {
  /// The session that runs SQL statements within the transaction.
  public var sql: SQLSession { SQLSession(database: owner, transaction: self) }
}
