package import Query
package import Repository

/// A database that is open: its connections, and the transactions on them. A store of one engine is a façade over it.
package final class SQLDatabase: Sendable {
  package let driver: any SQLDriver
  package let pool: ConnectionPool

  package init(_ driver: any SQLDriver, _ pool: ConnectionPool) {
    self.driver = driver
    self.pool = pool
  }

  /// How long connections and the locks of other programs are waited for.
  package var timeout: Duration { pool.timeout }
  /// Tells observers that something was committed.
  package var signal: ChangeSignal { pool.signal }

  // MARK: Work

  /// Does something with a connection, in the transaction that the task is in, if any.
  ///
  /// - Parameters:
  ///   - bound: the transaction that asks, if one does.
  ///   - isLong: whether it is worth being stopped when the task is cancelled.
  ///   - body: what is done. It leaves nothing behind where it throws.
  package func run<Result>(
    _ access: Access, in bound: SQLTransaction? = nil, isLong: Bool = true,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) {
      return try await transaction.perform(access, isLong: isLong, body)
    }
    return try await pool.run(access, isLong: isLong, body)
  }

  /// The same without suspending.
  package func runBlocking<Result>(
    _ access: Access, in bound: SQLTransaction? = nil, _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) { return try transaction.performBlocking(access, body) }
    return try pool.runBlocking(access, body)
  }

  /// The transaction that the task is in, or that a repository was opened in.
  package func transaction(boundTo bound: SQLTransaction?) -> SQLTransaction? {
    guard let innermost = SQLTransaction.innermost else { return bound }
    return SQLTransaction.current(from: innermost, of: self, boundTo: bound)
  }

  // MARK: Transactions

  /// Does several things, all or nothing, in the transaction that the task is in, if any.
  package func transaction<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.transaction(body) }
    return try await run(.writing, body)
  }

  /// The same without suspending.
  package func transaction<Result>(_ body: (SQLTransaction) throws -> Result) throws -> Result {
    if let outer = transaction(boundTo: nil) { return try outer.transaction(body) }
    return try runBlocking(.writing, body)
  }

  /// Does several things, all or nothing, for a repository that may have been opened in a transaction.
  func transaction<Result>(
    in bound: SQLTransaction?, _ body: (SQLTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    do {
      if let outer = transaction(boundTo: bound) { return try await outer.transaction(body) }
      return try await run(.writing, body)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// Reads several things from one state of the database.
  package func read<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.read(body) }
    if !pool.copiesForReaders { return try await run(.reading, body) }
    let copy = try await pool.run(.read, isLong: false) { connection throws(RepositoryError) in
      try pool.copy(connection)
    }
    return try await run(.reading, with: copy, body)
  }

  /// The same without suspending.
  package func read<Result>(_ body: (SQLTransaction) throws -> Result) throws -> Result {
    if let outer = transaction(boundTo: nil) { return try outer.read(body) }
    if !pool.copiesForReaders { return try runBlocking(.reading, body) }
    let copy = try pool.runBlocking(.read) { connection throws(RepositoryError) in try pool.copy(connection) }
    return try runBlocking(.reading, with: copy, body)
  }

  /// Runs a transaction on an exclusively checked-out connection.
  func run<Result>(
    _ kind: TransactionKind, with connections: ResourcePool<Connection>? = nil,
    _ body: (SQLTransaction) async throws -> Result
  ) async throws -> Result {
    let connections = connections ?? pool.connections(for: kind.access)
    let deadline = Deadline(in: timeout)
    let connection = try await connections.acquire(until: deadline)
    defer { connections.release(connection) }
    try await pool.retry(kind.access, until: deadline).run { () async throws(RepositoryError) in
      try connection.begin(kind)
    }
    defer { finish(kind) }
    do {
      let transaction = try start(kind, on: connection)
      let result = try await transaction.run(body)
      // Without a write-ahead log, readers of other processes hold a commit up.
      try await pool.retry(.read).run { () async throws(RepositoryError) in try connection.commit(kind) }
      if kind.access == .write { await pool.maintain(connection) }
      return result
    } catch {
      connection.rollBack(kind)
      throw error
    }
  }

  /// The same without suspending.
  private func runBlocking<Result>(
    _ kind: TransactionKind, with connections: ResourcePool<Connection>? = nil,
    _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    let connections = connections ?? pool.connections(for: kind.access)
    let deadline = Deadline(in: timeout)
    let connection = try connections.acquireBlocking(until: deadline)
    defer { connections.release(connection) }
    try pool.retry(kind.access, until: deadline).runBlocking { () throws(RepositoryError) in
      try connection.begin(kind)
    }
    defer { finish(kind) }
    do {
      let transaction = try start(kind, on: connection)
      let result = try transaction.runBlocking(body)
      try pool.retry(.read).runBlocking { () throws(RepositoryError) in try connection.commit(kind) }
      if kind.access == .write { pool.maintainBlocking(connection) }
      return result
    } catch {
      connection.rollBack(kind)
      throw error
    }
  }

  private func start(_ kind: TransactionKind, on connection: Connection) throws(RepositoryError) -> SQLTransaction {
    if kind.access == .write, pool.copiesForReaders { pool.read(from: try pool.copy(connection)) }
    return SQLTransaction(of: self, connection, isReadOnly: kind.access == .read)
  }

  /// After a transaction was committed or undone.
  private func finish(_ kind: TransactionKind) {
    guard kind.access == .write else { return }
    if pool.copiesForReaders { pool.read(from: nil) }
    signal.notify()
  }

  // MARK: Repositories

  /// Opens a repository, in a transaction if one is given; tables that are missing are created.
  package func repository<Element: Storable>(
    for schema: Schema<Element>, in bound: SQLTransaction? = nil
  ) throws(RepositoryError) -> SQLRepository<Element> {
    let declared = try schema.tables()
    var found = try runBlocking(.read, in: bound) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        try StoredSchema.find(declared, on: connection)
      }
    }
    if let missing = found.first(where: { $0.stored == nil })?.declared.name {
      do throws(RepositoryError) {
        found = try runBlocking(.write, in: bound) { connection throws(RepositoryError) in
          try connection.atomically { () throws(RepositoryError) in
            try StoredSchema.create(declared, on: connection)
            return try StoredSchema.find(declared, on: connection)
          }
        }
      } catch {
        guard error.code == .readOnly else { throw error }
        throw RepositoryError(
          .missingTable, "there is no table \(missing)", reason: "the store was opened for reading, which creates none",
          suggestion: "check that it is the right database, or open it once for writing", underlying: error)
      }
    }
    for table in found {
      if let error = RepositoryError.drift(table.differences, in: table.declared.name) { throw error }
    }
    return SQLRepository(schema, try SQLTable(found[0], of: self, in: bound))
  }

  /// The names of the tables and views, in alphabetical order.
  package func tableNames() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.catalog.tableNames() }
  }

  /// Describes a table or a view.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where there is none of this name; the error suggests the nearest one.
  package func schema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        try connection.catalog.requiredSchema(ofTable: name)
      }
    }
  }
}
