public import Repository
import Synchronization

/// A transaction of a SQL database, which is a store itself.
///
/// It has an exclusive connection until it ends. Several tasks that the closure starts may use it, one at a time.
public final class SQLTransaction: Store, CurrentTransaction {
  @TaskLocal static var innermost: SQLTransaction?

  package let owner: SQLDatabase
  package let parent: SQLTransaction?
  package let enclosing: SQLTransaction?
  let isReadOnly: Bool
  /// The log of the tables that are written, or those that an observed read reads.
  let log: TableLog?
  private let state = Mutex(State.active)
  /// The transaction's connection. A nested transaction checks it out exclusively.
  let connections: ResourcePool<Connection>

  private enum State {
    case active
    case ended
    /// The database itself has rolled back, or refuses to continue.
    case failed(RepositoryError)
  }

  init(
    of owner: SQLDatabase, within parent: SQLTransaction? = nil, _ connection: Connection, isReadOnly: Bool,
    notingIn log: TableLog?
  ) {
    self.owner = owner
    self.log = log
    self.parent = parent
    self.isReadOnly = isReadOnly
    enclosing = Self.innermost
    connections = ResourcePool(only: connection, isHeldByThisThread: \.isHeldByThisThread)
  }

  package var isActive: Bool {
    state.withLock { state in
      if case .ended = state { false } else { true }
    }
  }
}

// The operations for the store and its repositories.
extension SQLTransaction {
  /// Runs the closure of the transaction, which ends with it.
  func run<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await Self.$innermost.withValue(self) { try await body(self) })
    } catch {
      result = .failure(error)
    }
    let failure = end()
    // A task that the closure started may still use the connection.
    if let connection = await connections.acquireUncancellably() { connections.release(connection) }
    if case .success = result {
      if Task.isCancelled { throw RepositoryError.cancelled }
      if let failure { throw RepositoryError.transactionFailed(failure) }
    }
    return try result.get()
  }

  /// Runs a synchronous closure of the transaction, which ends with it.
  func runBlocking<Result>(_ body: (SQLTransaction) throws -> Result) throws -> Result {
    let result = Swift.Result { try Self.$innermost.withValue(self) { try body(self) } }
    let failure = end()
    if let connection = try? connections.acquireBlocking(within: nil) { connections.release(connection) }
    if case .success = result, let failure { throw RepositoryError.transactionFailed(failure) }
    return try result.get()
  }

  /// Passes the transaction's connection to a closure.
  ///
  /// - Parameter tables: the tables that the work reads or writes; all if they are not known.
  package func perform<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all, isLong: Bool,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if access == .write, isReadOnly { throw .writeInsideRead }
    let connection = try await acquire()
    defer { connections.release(connection) }
    defer { note(access, tables()) }
    do throws(RepositoryError) {
      if !isLong, connection.executor == nil { return try contained(access, connection, body) }
      return try await connection.cancellable { connection throws(RepositoryError) in
        try contained(access, connection, body)
      }
    } catch {
      noteFailure(on: connection, error)
      throw error
    }
  }

  /// Passes the transaction's connection to a closure, with the thread blocked while it waits.
  package func performBlocking<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if access == .write, isReadOnly { throw .writeInsideRead }
    let connection = try acquireBlocking()
    defer { connections.release(connection) }
    defer { note(access, tables()) }
    do throws(RepositoryError) {
      return try contained(access, connection, body)
    } catch {
      noteFailure(on: connection, error)
      throw error
    }
  }

  /// Records the tables that were read or written, if the transaction has a log for that access.
  private func note(_ access: Access, _ tables: @autoclosure () -> TableSet) {
    if let log, (access == .read) == isReadOnly { log.note(tables()) }
  }

  /// Runs a closure so that the transaction can continue if it fails.
  private func contained<Result>(
    _ access: Access, _ connection: Connection, _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    switch owner.driver.failureScope {
    case .statement: try body(connection)
    case .transaction:
      try connection.within(Savepoint.containment) { () throws(RepositoryError) in try body(connection) }
    }
  }

  /// Acquires the connection.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the transaction has ended or failed, or other tasks use the connection for
  ///   longer than the timeout.
  func acquire() async throws(RepositoryError) -> Connection {
    try checkActive()
    return try checked(try await connections.acquire(within: owner.timeout))
  }

  /// Acquires the connection, with the thread blocked while it waits.
  func acquireBlocking() throws(RepositoryError) -> Connection {
    try checkActive()
    return try checked(try connections.acquireBlocking(within: owner.timeout))
  }

  private func checked(_ connection: Connection) throws(RepositoryError) -> Connection {
    do throws(RepositoryError) {
      // The transaction may have ended during the wait.
      try checkActive()
      return connection
    } catch {
      connections.release(connection)
      throw error
    }
  }

  func checkActive() throws(RepositoryError) {
    switch state.withLock(\.self) {
    case .active: break
    case .ended: throw .transactionEnded
    // The cancellation of the task may be the cause, and is the error that the task expects.
    case .failed(let cause): throw Task.isCancelled ? .cancelled : .transactionFailed(cause)
    }
  }

  /// Records that the transaction is no longer usable: the database has rolled back by itself, so that a statement would be
  /// committed on its own, or it refuses statements until the transaction is rolled back.
  func noteFailure(on connection: Connection, _ error: any Error) {
    guard !connection.canContinue else { return }
    state.withLock { state in
      if case .active = state { state = .failed(RepositoryError(translating: error)) }
    }
  }

  /// Ends the transaction.
  ///
  /// - Returns: the reason why it had failed before, if it had.
  private func end() -> RepositoryError? {
    state.withLock { state in
      defer { state = .ended }
      if case .failed(let cause) = state { return cause }
      return nil
    }
  }
}
