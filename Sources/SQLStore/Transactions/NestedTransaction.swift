import Repository

// Parts of the transaction that can be rolled back on their own, or that only read.
extension SQLTransaction {
  /// Runs a nested transaction in a savepoint; if it fails, the outer transaction may continue.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(
    _ body: (SQLTransaction) async throws -> Result
  ) async throws -> Result {
    let outer = try innermost
    if outer.isReadOnly { throw RepositoryError.writeInsideRead }
    return try await outer.nest(.nested, isReadOnly: false, body)
  }

  /// Runs a nested transaction, blocking the thread.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(_ body: (SQLTransaction) throws -> Result) throws -> Result {
    let outer = try innermost
    if outer.isReadOnly { throw RepositoryError.writeInsideRead }
    return try outer.nestBlocking(.nested, isReadOnly: false, body)
  }

  /// Reads as the transaction sees the database; writes within it are refused.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    try await innermost.nest(nil, isReadOnly: true, body)
  }

  /// Reads as the transaction sees the database, blocking the thread.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLTransaction) throws -> Result) throws -> Result {
    try innermost.nestBlocking(nil, isReadOnly: true, body)
  }

  private func nest<Result>(
    _ savepoint: Savepoint?, isReadOnly: Bool, _ body: (SQLTransaction) async throws -> Result
  ) async throws -> Result {
    let connection = try await acquire()
    defer { connections.release(connection) }
    if let savepoint {
      try await connection.perform { () throws(RepositoryError) in try begin(savepoint, on: connection) }
    }
    let inner = inner(on: connection, isReadOnly: isReadOnly)
    do {
      let result = try await inner.run(body)
      if let savepoint {
        try await connection.perform { () throws(RepositoryError) in try connection.release(savepoint) }
      }
      return result
    } catch {
      if let savepoint { try? await connection.perform { connection.rollBack(to: savepoint) } }
      noteFailure(on: connection, error)
      throw error
    }
  }

  private func nestBlocking<Result>(
    _ savepoint: Savepoint?, isReadOnly: Bool, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    let connection = try acquireBlocking()
    defer { connections.release(connection) }
    if let savepoint { try begin(savepoint, on: connection) }
    let inner = inner(on: connection, isReadOnly: isReadOnly)
    do {
      let result = try inner.runBlocking(body)
      if let savepoint { try connection.release(savepoint) }
      return result
    } catch {
      if let savepoint { connection.rollBack(to: savepoint) }
      noteFailure(on: connection, error)
      throw error
    }
  }

  /// Returns a nested transaction. The tables that it reads within a read count as read by that, and those that it writes as
  /// written by the outer transaction. Observers don't look at the tables that a transaction reads.
  private func inner(on connection: Connection, isReadOnly: Bool) -> SQLTransaction {
    SQLTransaction(
      of: owner, within: self, connection, isReadOnly: isReadOnly,
      notingIn: isReadOnly == self.isReadOnly ? log : nil)
  }

  /// Begins a part of the transaction. Where that fails for lack of memory, SQLite has rolled back all of it:
  /// https://www.sqlite.org/lang_transaction.html, section 3.
  private func begin(_ savepoint: Savepoint, on connection: Connection) throws(RepositoryError) {
    do throws(RepositoryError) {
      try connection.begin(savepoint)
    } catch {
      noteFailure(on: connection, error)
      throw error
    }
  }

  /// The innermost transaction of the current task within this one.
  private var innermost: SQLTransaction {
    get throws(RepositoryError) {
      try checkActive()
      return SQLTransaction.current(from: Self.innermost, of: owner, boundTo: self) ?? self
    }
  }
}
