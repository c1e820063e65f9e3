import Repository

extension SQLiteStore {
  /// Does several things, all or nothing.
  ///
  /// A database in memory is copied first, so that others can read it as it was.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does.
  public func transaction<Result>(
    _ body: (SQLiteTransaction) async throws -> Result
  ) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.transaction(body) }
    return try await run(.writing, with: pool.writer, body)
  }

  /// The same without suspending, for scripts and tests.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does.
  public func transaction<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    if let outer = transaction(boundTo: nil) { return try outer.transaction(body) }
    return try runBlocking(.writing, with: pool.writer, body)
  }

  /// Reads several things from one state of the database.
  ///
  /// In a file with a write-ahead log, a writer need not wait for it, but the log grows as long as it lasts. A database in
  /// memory is copied for it.
  ///
  /// - Throws: as ``Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLiteTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.read(body) }
    if isInMemory {
      let copy = try await pool.run(.read, isLong: false) { connection throws(RepositoryError) in
        try connection.copyInMemory()
      }
      return try await run(.reading, with: ResourcePool(only: copy, isHeldByThisThread: \.isHeldByThisThread), body)
    }
    return try await run(.reading, with: pool.connections(for: .read), body)
  }

  /// The same without suspending, for scripts and tests.
  ///
  /// - Throws: as ``Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    if let outer = transaction(boundTo: nil) { return try outer.read(body) }
    if isInMemory {
      let copy = try pool.runBlocking(.read) { connection throws(RepositoryError) in try connection.copyInMemory() }
      return try runBlocking(.reading, with: ResourcePool(only: copy, isHeldByThisThread: \.isHeldByThisThread), body)
    }
    return try runBlocking(.reading, with: pool.connections(for: .read), body)
  }

  /// Does several things all or nothing, in the transaction that its task is in, if any.
  func transaction<Result>(
    in bound: SQLiteTransaction?, _ body: (SQLiteTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    do {
      if let outer = transaction(boundTo: bound) { return try await outer.transaction(body) }
      return try await transaction(body)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  func run<Result>(
    _ level: Connection.Level, with connections: ResourcePool<Connection>,
    _ body: (SQLiteTransaction) async throws -> Result
  ) async throws -> Result {
    let deadline = Deadline(in: timeout)
    let connection = try await connections.acquire(until: deadline)
    defer { connections.release(connection) }
    let access = level.access
    try await pool.retryingWhileBusy(access, until: deadline) { () async throws(RepositoryError) in
      try connection.begin(level)
    }
    defer {
      if access == .write {
        if isInMemory { pool.read(from: nil) }
        signal.notify()
      }
    }
    do {
      if isInMemory, access == .write { pool.read(from: try connection.copyInMemory()) }
      let transaction = SQLiteTransaction(of: self, connection, isReadOnly: access == .read)
      let result = try await transaction.run(body)
      // Where there is no write-ahead log, readers of other processes hold a commit up.
      try await pool.retryingWhileBusy(.read, until: Deadline(in: timeout)) { () async throws(RepositoryError) in
        try connection.commit(level)
      }
      if access == .write { await pool.checkpointIfNeeded(of: connection) }
      return result
    } catch {
      connection.rollBack(level)
      throw error
    }
  }

  private func runBlocking<Result>(
    _ level: Connection.Level, with connections: ResourcePool<Connection>,
    _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    let deadline = Deadline(in: timeout)
    let connection = try connections.acquireBlocking(until: deadline)
    defer { connections.release(connection) }
    let access = level.access
    try pool.retryingWhileBusyBlocking(access, until: deadline) { () throws(RepositoryError) in
      try connection.begin(level)
    }
    defer {
      if access == .write {
        if isInMemory { pool.read(from: nil) }
        signal.notify()
      }
    }
    do {
      if isInMemory, access == .write { pool.read(from: try connection.copyInMemory()) }
      let transaction = SQLiteTransaction(of: self, connection, isReadOnly: access == .read)
      let result = try transaction.runBlocking(body)
      try pool.retryingWhileBusyBlocking(.read, until: Deadline(in: timeout)) { () throws(RepositoryError) in
        try connection.commit(level)
      }
      if access == .write { pool.checkpointIfNeededBlocking(of: connection) }
      return result
    } catch {
      connection.rollBack(level)
      throw error
    }
  }
}

extension Connection.Level {
  fileprivate var access: Access {
    switch self {
    case .reading: .read
    case .writing, .rebuilding, .savepoint: .write
    }
  }
}
