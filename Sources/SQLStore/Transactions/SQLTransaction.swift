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
  /// Passes the transaction's connection to a closure.
  ///
  /// - Parameter tables: the tables that the work reads or writes; all if they are not known.
  package func perform<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all, isLong: Bool,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if access == .write, isReadOnly { throw .writeInsideRead }
    try checkActive()
    let connection = try await connections.acquire(until: Deadline(in: owner.timeout))
    defer { connections.release(connection) }
    if !isLong, connection.executor == nil { return try use(connection, for: access, on: tables(), body) }
    return try await connection.cancellable { connection throws(RepositoryError) in
      try use(connection, for: access, on: tables(), body)
    }
  }

  /// Passes the transaction's connection to a closure, with the thread blocked while it waits.
  package func performBlocking<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if access == .write, isReadOnly { throw .writeInsideRead }
    try checkActive()
    let connection = try connections.acquireBlocking(until: Deadline(in: owner.timeout))
    defer { connections.release(connection) }
    return try use(connection, for: access, on: tables(), body)
  }

  /// Passes the acquired connection to a closure so that the transaction can continue if it fails, and records the tables that were
  /// read or written, if the transaction has a log for that access.
  private func use<Result>(
    _ connection: Connection, for access: Access, on tables: @autoclosure () -> TableSet,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    // The transaction may have ended during the wait.
    try checkActive()
    defer { if let log, (access == .read) == isReadOnly { log.note(tables()) } }
    do throws(RepositoryError) {
      return switch owner.driver.failureScope {
      case .statement: try body(connection)
      case .transaction:
        try connection.within(Savepoint.containment) { () throws(RepositoryError) in try body(connection) }
      }
    } catch {
      noteFailure(on: connection, error)
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
  func end() -> RepositoryError? {
    state.withLock { state in
      defer { state = .ended }
      if case .failed(let cause) = state { return cause }
      return nil
    }
  }
}
