import Repository

/// The steps of a transaction, or of a part of one: a connection, the begin, the program's closure, and a commit or a rollback.
///
/// The order of the steps, and what follows one that fails, is decided here alone. A driver takes one step after the other, and
/// waits in its own way: ``SQLDatabase/run(_:_:)`` suspends its task, ``SQLDatabase/runBlocking(_:_:)`` blocks its thread.
struct TransactionSteps {
  /// What a driver does next.
  enum Step {
    /// Acquire a connection, and set ``connection``.
    case acquire(ResourcePool<Connection>, until: Deadline)
    /// Begin a snapshot of a replica, and set ``hasSnapshot``.
    case beginSnapshot(any ReadReplica, Connection)
    /// Perform a command, repeatedly while locks of other connections refuse it.
    case perform(Command, Connection, BusyRetry)
    /// Call the program's closure.
    case body(SQLTransaction)
    /// Wait for the tasks that the closure has started, which may still use the connection.
    case awaitTasks(ResourcePool<Connection>)
    /// Run the maintenance that the database requests after a commit.
    case maintain(Connection)
  }

  enum Command { case begin, commit, rollBack }

  /// The part of the work that is committed or rolled back.
  private enum Extent {
    case transaction(TransactionKind)
    /// A nested transaction; without a savepoint, it only reads.
    case part(of: SQLTransaction, Savepoint?)
  }

  /// The step that was taken last.
  private enum State {
    case initial
    case acquiringFromReplica(any ReadReplica)
    case beginningSnapshot, acquiring, beginning
    case calling(SQLTransaction)
    case awaitingTasks, committing, maintaining, rollingBack, complete
  }

  private let owner: SQLDatabase
  private let extent: Extent
  private let deadline: Deadline
  private var connections: ResourcePool<Connection>?
  private let log: TableLog?
  private var state = State.initial
  private var failure: (any Error)?
  /// Why the transaction could not continue, if its closure has ignored that.
  private var ignoredFailure: RepositoryError?
  /// The acquired connection.
  var connection: Connection?
  /// Whether the connection has a snapshot of a replica.
  var hasSnapshot = false

  /// Makes the steps of a transaction.
  ///
  /// - Parameters:
  ///   - connections: the connections of which it gets one; `nil` for those of the database, or of its replica.
  ///   - log: the log of the tables that an observed read reads.
  init(
    of kind: TransactionKind, in owner: SQLDatabase, with connections: ResourcePool<Connection>? = nil,
    notingIn log: TableLog? = nil
  ) {
    self.owner = owner
    self.connections = connections
    self.log = kind.access == .write ? TableLog() : log
    extent = .transaction(kind)
    deadline = owner.pool.deadline()
  }

  /// Makes the steps of a part of a transaction.
  ///
  /// - Parameter savepoint: the savepoint to which it is rolled back; `nil` if it only reads.
  /// - Throws: ``/Repository/RepositoryError`` if the transaction has ended, or may not write.
  init(ofPartOf outer: SQLTransaction, _ savepoint: Savepoint?) throws(RepositoryError) {
    if savepoint != nil, outer.isReadOnly { throw .writeInsideRead }
    try outer.checkActive()
    owner = outer.owner
    connections = outer.connections
    // The tables that the part reads within a read count as read by that, and those that it writes as written by the outer
    // transaction. Observers don't look at the tables that a transaction reads.
    log = (savepoint == nil) == outer.isReadOnly ? outer.log : nil
    extent = .part(of: outer, savepoint)
    deadline = Deadline(in: outer.owner.timeout)
  }

  /// Returns the next step, after the one before has succeeded, or ``fail(_:)`` was called; `nil` at the end.
  mutating func next() -> Step? {
    switch state {
    case .initial:
      guard case .transaction(.reading) = extent, connections == nil,
        let (replica, replicas) = owner.pool.availableReplica
      else { return acquire() }
      connections = replicas
      return take(.acquire(replicas, until: deadline), .acquiringFromReplica(replica))
    case .acquiringFromReplica(let replica): return take(.beginSnapshot(replica, held), .beginningSnapshot)
    case .beginningSnapshot:
      if hasSnapshot { return call() }
      release()
      connections = nil
      return acquire()
    case .acquiring: return begin()
    case .beginning: return call()
    case .calling(let transaction):
      ignoredFailure = transaction.end()
      return take(.awaitTasks(transaction.connections), .awaitingTasks)
    case .awaitingTasks:
      if let ignoredFailure { fail(RepositoryError.transactionFailed(ignoredFailure)) }
      if failure != nil { return perform(.rollBack, .rollingBack) }
      return perform(.commit, .committing, owner.driver.retriesCommits ? owner.pool.retryOfCommit() : .once)
    case .committing: return isWritten ? take(.maintain(held), .maintaining) : finish()
    case .maintaining, .rollingBack: return finish()
    case .complete: return nil
    }
  }

  /// Notes that a step has failed. The first failure is that of the whole.
  mutating func fail(_ error: any Error) {
    failure = failure ?? error
    switch state {
    case .initial, .acquiringFromReplica, .beginningSnapshot, .acquiring: release()
    case .beginning:
      noteFailure()
      release()
    // What was to be committed is rolled back.
    case .committing: state = .awaitingTasks
    case .calling, .awaitingTasks, .maintaining, .rollingBack, .complete: break
    }
  }

  /// Returns the result of the closure, if all steps have succeeded.
  func result<Result>(_ result: Result?) throws -> Result {
    if let failure { throw failure }
    guard let result else { preconditionFailure("the closure of a transaction was not called") }
    return result
  }

  /// Performs a command on the acquired connection.
  func perform(_ command: Command, on connection: Connection) throws(RepositoryError) {
    switch extent {
    case .transaction(let kind):
      switch command {
      case .begin: try connection.begin(kind)
      case .commit: try connection.commit(kind)
      case .rollBack: connection.rollBack(kind)
      }
    case .part(_, let savepoint):
      guard let savepoint else { return }
      switch command {
      case .begin: try connection.begin(savepoint)
      case .commit: try connection.release(savepoint)
      case .rollBack: connection.rollBack(to: savepoint)
      }
    }
  }
}

extension TransactionSteps {
  private mutating func take(_ step: Step, _ state: State) -> Step? {
    self.state = state
    return step
  }

  private mutating func perform(_ command: Command, _ state: State, _ retry: BusyRetry = .once) -> Step? {
    self.state = state
    if case .part(_, nil) = extent { return next() }
    return .perform(command, held, retry)
  }

  private mutating func acquire() -> Step? {
    let connections = connections ?? owner.pool.connections(for: access)
    self.connections = connections
    return take(.acquire(connections, until: deadline), .acquiring)
  }

  private mutating func begin() -> Step? {
    guard case .part(let outer, _) = extent else {
      return perform(.begin, .beginning, owner.pool.retry(access, until: deadline))
    }
    do throws(RepositoryError) {
      // The transaction may have ended during the wait.
      try outer.checkActive()
    } catch {
      fail(error)
      return nil
    }
    return perform(.begin, .beginning)
  }

  private mutating func call() -> Step? {
    do throws(RepositoryError) {
      var outer: SQLTransaction?
      if case .part(let transaction, _) = extent { outer = transaction }
      if isWritten, owner.pool.copiesForReaders { owner.pool.read(from: try owner.pool.copy(held)) }
      let transaction = SQLTransaction(
        of: owner, within: outer, held, isReadOnly: access == .read, notingIn: log)
      return take(.body(transaction), .calling(transaction))
    } catch {
      failure = error
      return perform(.rollBack, .rollingBack)
    }
  }

  /// Ends what has begun, after its commit or its rollback.
  private mutating func finish() -> Step? {
    if failure != nil { noteFailure() }
    if isWritten {
      if owner.pool.copiesForReaders { owner.pool.read(from: nil) }
      owner.pool.noteCommit(of: log?.tables ?? .all)
    }
    release()
    return nil
  }

  private mutating func release() {
    if let connection { connections?.release(connection) }
    connection = nil
    state = .complete
  }

  /// Notes a failure in the enclosing transaction, which may not be usable any more.
  private func noteFailure() {
    if case .part(let outer, _) = extent, let failure { outer.noteFailure(on: held, failure) }
  }

  private var held: Connection {
    guard let connection else { preconditionFailure("no connection was acquired") }
    return connection
  }

  private var access: Access {
    switch extent {
    case .transaction(let kind): kind.access
    case .part(_, let savepoint): savepoint == nil ? .read : .write
    }
  }

  /// Whether what is committed was written by a transaction of its own.
  private var isWritten: Bool { if case .transaction(let kind) = extent { kind.access == .write } else { false } }
}

// MARK: - The drivers

extension SQLDatabase {
  /// Takes the steps of a transaction, with the task suspended while it waits.
  func run<Result>(_ steps: TransactionSteps, _ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    var (steps, result) = (steps, Result?.none)
    while let step = steps.next() {
      do {
        switch step {
        case .acquire(let connections, let deadline): steps.connection = try await connections.acquire(until: deadline)
        case .beginSnapshot(let replica, let connection):
          steps.hasSnapshot = try await connection.cancellable { connection throws(RepositoryError) in
            replica.beginSnapshot(on: connection)
          }
        case .perform(let command, let connection, let retry):
          try await retry.run { () async throws(RepositoryError) in
            try await connection.perform { () throws(RepositoryError) in try steps.perform(command, on: connection) }
          }
        case .body(let transaction):
          result = try await SQLTransaction.$innermost.withValue(transaction) { try await body(transaction) }
        case .awaitTasks(let connections):
          if let connection = await connections.acquireUncancellably() { connections.release(connection) }
          if Task.isCancelled { throw RepositoryError.cancelled }
        case .maintain(let connection): await pool.maintain(connection)
        }
      } catch {
        steps.fail(error)
      }
    }
    return try steps.result(result)
  }

  /// Takes the steps of a transaction, with the thread blocked while it waits.
  func runBlocking<Result>(_ steps: TransactionSteps, _ body: (SQLTransaction) throws -> Result) throws -> Result {
    var (steps, result) = (steps, Result?.none)
    while let step = steps.next() {
      do {
        switch step {
        case .acquire(let connections, let deadline):
          steps.connection = try connections.acquireBlocking(until: deadline)
        case .beginSnapshot(let replica, let connection): steps.hasSnapshot = replica.beginSnapshot(on: connection)
        case .perform(let command, let connection, let retry):
          try retry.runBlocking { () throws(RepositoryError) in try steps.perform(command, on: connection) }
        case .body(let transaction):
          result = try SQLTransaction.$innermost.withValue(transaction) { try body(transaction) }
        case .awaitTasks(let connections):
          if let connection = try? connections.acquireBlocking(until: .never) { connections.release(connection) }
        case .maintain(let connection): pool.maintainBlocking(connection)
        }
      } catch {
        steps.fail(error)
      }
    }
    return try steps.result(result)
  }
}
