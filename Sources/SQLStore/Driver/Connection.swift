import Query
package import Repository
package import SQL
import Synchronization

/// One connection to a database with its prepared statements.
///
/// Unchecked, because it has one user at a time: it comes from a pool, and is released to it.
package final class Connection: @unchecked Sendable {
  /// The database's own connection.
  package let raw: any SQLConnection
  package let driver: any SQLDriver
  private let isInterrupted = Atomic(false)
  private let observer: StatementObserver?
  /// Where tasks wait for the database; `nil` where it answers on the thread that asks.
  let executor: ConnectionExecutor?
  /// The savepoints that are set, the innermost one last.
  private(set) var savepoints: [Savepoint] = []
  /// The thread whose code runs while the connection is in use; 0 for none.
  private let reader = Atomic<UInt>(0)
  /// Whether the current work has to be completed.
  private let isUninterruptible = Mutex(false)
  // The connection has one user, so there is no access to check for while it runs.
  @exclusivity(unchecked) private var statements = StatementCache(capacity: 64)
  /// The transaction that is still open since it could not be undone, as where there was no memory.
  private var leftOpen: TransactionKind?
  /// How often it was acquired by tasks.
  var acquisitions = 0

  /// - Parameter isObserved: whether the driver's observer is told of its statements.
  package init(_ raw: any SQLConnection, of driver: any SQLDriver, isObserved: Bool = true) {
    self.raw = raw
    self.driver = driver
    observer = isObserved ? driver.observer : nil
    executor = driver.waitsForServer ? ConnectionExecutor() : nil
  }

  package var compiler: Compiler { driver.compiler }
  package var catalog: any SQLCatalog { driver.catalog(on: self) }

  // MARK: Statements

  /// Passes a prepared statement to a closure; it is checked out exclusively meanwhile.
  package func use(
    _ text: StatementText, _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    let entry: StatementCache.Entry
    if let cached = statements.checkOut(text) {
      entry = cached
    } else {
      let prepared = try prepare(text.sql)
      let observed = observer.map { ObservedStatement(prepared, text.sql, of: driver.name, on: raw, $0) }
      entry = statements.keep(observed ?? prepared, text)
    }
    defer { statements.checkIn(entry) }
    try body(entry.statement)
  }

  private func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    do throws(RepositoryError) {
      return try raw.prepare(sql)
    } catch {
      throw driver.explain(error, preparing: sql, on: self)
    }
  }

  /// Runs a statement and gives it to a closure before its first row: the way by which the rows of repositories are read.
  package func read(
    _ statement: CompiledStatement, _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try use(statement.text) { prepared throws(RepositoryError) in
      try start(prepared, statement)
      try body(prepared)
    }
  }

  /// Binds the values of a statement that is checked out; its first row is the next step.
  func start(_ prepared: any PreparedStatement, _ statement: CompiledStatement) throws(RepositoryError) {
    try checkInterruption()
    try prepared.bind(statement.bindings)
    // SQLite has none, and each find comes by here.
    if statement.lists.isEmpty { return }
    for list in statement.lists { try prepared.bind(list.values, of: list.type, at: list.position) }
  }

  /// Runs a statement and gives it to a closure at each row of its result.
  package func query(
    _ statement: CompiledStatement, _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try read(statement) { row throws(RepositoryError) in
      while try row.step() { try body(row) }
    }
  }

  /// The number that a statement results in.
  package func integer(_ statement: CompiledStatement) throws(RepositoryError) -> Int {
    var integer = 0
    try query(statement) { row in integer = Int(row.integer(0)) }
    return integer
  }

  /// Runs a statement that has no result.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  package func execute(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> Int {
    try execute(CompiledStatement(sql: sql, bindings: bindings))
  }

  /// Runs a statement that has no result.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  package func execute(_ statement: CompiledStatement) throws(RepositoryError) -> Int {
    try query(statement) { _ in }
    return raw.changedRows
  }

  /// How many rows the statement of a closure changed, those of triggers and foreign keys left out.
  package func changes(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) -> Int {
    let before = raw.totalChangedRows
    try body()
    // A statement that changes no rows leaves the number of the one before.
    return raw.totalChangedRows == before ? 0 : raw.changedRows
  }

  // MARK: Transactions

  /// Whether a transaction is open. A database may roll back by itself after some errors, such as a full disk.
  package var isInTransaction: Bool { raw.transactionStatus != .none }

  /// Whether statements go on in the transaction that was opened.
  var goesOn: Bool { raw.transactionStatus == .open && leftOpen == nil }

  /// Opens a transaction.
  package func begin(_ kind: TransactionKind) throws(RepositoryError) {
    try undoWhatIsLeft()
    savepoints = []
    try driver.control(.begin(kind), on: self)
  }

  /// Keeps what was done since ``begin(_:)-(TransactionKind)``.
  package func commit(_ kind: TransactionKind) throws(RepositoryError) {
    try driver.control(.commit(kind), on: self)
  }

  /// Undoes what was done since ``begin(_:)-(TransactionKind)``, also where it is interrupted: the next user of the connection would go on
  /// within an open transaction, and its writes would be lost.
  package func rollBack(_ kind: TransactionKind) {
    uninterruptibly { try? driver.control(.rollBack(kind), on: self) }
    leftOpen = isInTransaction ? kind : nil
  }

  /// Undoes what a former user of the connection could not undo.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where that still fails: a read would be of an old state, and a write never committed.
  func undoWhatIsLeft() throws(RepositoryError) {
    if let leftOpen { rollBack(leftOpen) }
    if leftOpen != nil { throw .stillOpen }
  }

  func note(set savepoint: Savepoint) { savepoints.append(savepoint) }

  /// Notes the end of a savepoint, and of those that were set after it.
  func note(ended savepoint: Savepoint) {
    if let position = savepoints.lastIndex(of: savepoint) { savepoints.removeSubrange(position...) }
  }

  /// Runs a closure all or nothing.
  func within<Result>(
    _ kind: TransactionKind, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    try begin(kind)
    do throws(RepositoryError) {
      let result = try body()
      try commit(kind)
      return result
    } catch {
      rollBack(kind)
      throw error
    }
  }

  /// Reads several things from one state of the database. It also looks at the locks of others once, not for each.
  package func inReadSnapshot<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    isInTransaction ? try body() : try within(.reading, body)
  }

  /// Runs a closure all or nothing: in a transaction, or in a savepoint where a transaction is open.
  package func atomically<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    isInTransaction ? try within(Savepoint.work, body) : try within(.operation, body)
  }

  // MARK: Re-entrancy

  /// Runs a closure that calls the program's own code, such as a model type's initialiser: where that code asks
  /// the store, it gets this connection again instead of waiting for itself.
  package func reentrantly<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    // The connection has one user, so there is one writer.
    let outer = reader.load(ordering: .relaxed)
    reader.store(CurrentThread.number, ordering: .relaxed)
    defer { reader.store(outer, ordering: .relaxed) }
    return try body()
  }

  /// Whether the calling thread runs within ``reentrantly(_:)`` of this connection.
  package var isHeldByThisThread: Bool { reader.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Interruption

  /// Stops the statement that is running, and refuses others until ``clearInterruption()``. From any thread.
  package func interrupt() {
    isInterrupted.store(true, ordering: .relaxed)
    isUninterruptible.withLock { if !$0 { raw.interrupt() } }
  }

  /// Lets statements run again.
  package func clearInterruption() {
    isInterrupted.store(false, ordering: .relaxed)
    raw.clearInterruption()
  }

  /// Whether ``interrupt()`` was called since ``clearInterruption()``.
  package var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// - Throws: ``/Repository/RepositoryError`` where the connection was interrupted, or its transaction could not be undone.
  package func checkInterruption() throws(RepositoryError) {
    if leftOpen != nil, !isUninterruptible.withLock(\.self) { throw .stillOpen }
    if isInterrupted.load(ordering: .relaxed), !isUninterruptible.withLock(\.self) { throw .cancelled }
  }

  /// Runs a closure that an interruption does not stop.
  package func uninterruptibly(_ body: () -> Void) {
    let outer = isUninterruptible.withLock { value in
      defer { value = true }
      return value
    }
    defer { isUninterruptible.withLock { $0 = outer } }
    body()
  }

  /// Runs a closure whose statement is interrupted when the task is cancelled.
  package func cancellable<Result>(
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    let handle = CancellationHandle(self)
    let result = await withTaskCancellationHandler { () -> Swift.Result<Result, RepositoryError> in
      defer { handle.end() }
      do throws(RepositoryError) {
        return .success(try await perform { () throws(RepositoryError) in try body(self) })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      handle.fire()
    }
    return try result.get()
  }
}

extension RepositoryError {
  fileprivate static let stillOpen = RepositoryError(
    .storeFailure, "a transaction can't be undone", reason: "the database refused it, as where there is no memory",
    suggestion: "try again later, or open the store anew")
}

/// Stops what a connection is doing when the task for which it does so is cancelled.
private final class CancellationHandle: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: Connection) {
    self.connection = Mutex(connection)
  }

  /// Stops the connection, unless it has been released.
  func fire() {
    // Within the lock: as long as it is held, the connection has no other user.
    connection.withLock { $0?.interrupt() }
  }

  /// Lets go of the connection, which is ready for its next user then.
  func end() {
    connection.withLock { connection in
      connection?.clearInterruption()
      connection = nil
    }
  }
}
