import Query
package import Repository
package import SQL
import Synchronization

/// A connection to a database with its prepared statements.
///
/// Unchecked, because it has one user at a time: it is acquired from a pool and released to it.
package final class Connection: @unchecked Sendable {
  /// The database's own connection.
  package let raw: any SQLConnection
  package let driver: any SQLDriver
  private let isInterrupted = Atomic(false)
  private let observer: StatementObserver?
  /// The executor on which tasks wait for the database; `nil` if it answers on the calling thread.
  let executor: (any TaskExecutor)?
  /// The current savepoints, the innermost last.
  private(set) var savepoints: [Savepoint] = []
  /// The thread that runs the program's code within ``reentrantly(_:)``; 0 for none.
  private let reader = Atomic<UInt>(0)
  /// Whether the current work must not be interrupted.
  private let isUninterruptible = Mutex(false)
  // The connection has one user, so no check for exclusive access is needed.
  @exclusivity(unchecked) private var statements = StatementCache(capacity: 64)
  /// The kind of the transaction that is still open because its rollback failed, such as for lack of memory.
  private var unfinished: TransactionKind?
  /// The number of times that a task acquired the connection.
  var acquisitions = 0

  /// - Parameter isObserved: whether its statements are reported to the driver's observer.
  package init(_ raw: any SQLConnection, of driver: any SQLDriver, isObserved: Bool = true) {
    self.raw = raw
    self.driver = driver
    observer = isObserved ? driver.observer : nil
    executor = driver.makeExecutor()
  }

  package var compiler: Compiler { driver.compiler }
  package var catalog: any SQLCatalog { driver.catalog(on: self) }

  // MARK: Statements

  /// Passes a prepared statement to a closure; the statement is checked out exclusively meanwhile.
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

  /// Runs a statement and passes it to a closure before its first row: the way in which repositories read rows.
  package func read(
    _ statement: CompiledStatement, _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try use(statement.text) { prepared throws(RepositoryError) in
      try start(prepared, statement)
      try body(prepared)
    }
  }

  /// Binds the values of a statement that is checked out; the next step is its first row.
  func start(_ prepared: any PreparedStatement, _ statement: CompiledStatement) throws(RepositoryError) {
    try checkInterruption()
    try prepared.bind(statement.bindings)
    // The statements of SQLite have no lists, and each `find` runs this code: the check is cheaper than the loop.
    if statement.lists.isEmpty { return }
    for list in statement.lists { try prepared.bind(list.values, of: list.type, at: list.position) }
  }

  /// Runs a statement and passes it to a closure at each row of its result.
  package func query(
    _ statement: CompiledStatement, _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try read(statement) { row throws(RepositoryError) in
      while try row.step() { try body(row) }
    }
  }

  /// Returns the number that is the result of a statement.
  package func integer(_ statement: CompiledStatement) throws(RepositoryError) -> Int {
    var integer = 0
    try query(statement) { row in integer = Int(row.integer(0)) }
    return integer
  }

  /// Runs a statement without a result.
  ///
  /// - Returns: the number of changed rows.
  @discardableResult
  package func execute(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> Int {
    try execute(CompiledStatement(sql: sql, bindings: bindings))
  }

  /// Runs a compiled statement without a result.
  ///
  /// - Returns: the number of changed rows.
  @discardableResult
  package func execute(_ statement: CompiledStatement) throws(RepositoryError) -> Int {
    try query(statement) { _ in }
    return raw.changedRows
  }

  /// Returns the number of rows that the statement of a closure changed, without those of triggers and foreign keys.
  package func changes(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) -> Int {
    let before = raw.totalChangedRows
    try body()
    // A statement that changes no rows leaves the previous number.
    return raw.totalChangedRows == before ? 0 : raw.changedRows
  }

  // MARK: Transactions

  /// Whether a transaction is open. A database may roll back by itself after some errors, such as a full disk.
  package var isInTransaction: Bool { raw.transactionStatus != .none }

  /// Whether further statements run in the transaction that was opened: it has not ended, failed, or been left open by a
  /// failed rollback.
  var canContinue: Bool { raw.transactionStatus == .open && unfinished == nil }

  /// Opens a transaction.
  package func begin(_ kind: TransactionKind) throws(RepositoryError) {
    try rollBackUnfinished()
    savepoints = []
    try driver.control(.begin(kind), on: self)
  }

  /// Commits the transaction of ``begin(_:)-(TransactionKind)``.
  ///
  /// - Throws: ``/Repository/RepositoryError``; if a deferred constraint is violated, an error that names it.
  package func commit(_ kind: TransactionKind) throws(RepositoryError) {
    do throws(RepositoryError) {
      try driver.control(.commit(kind), on: self)
    } catch {
      guard driver.isRuleViolation(error) else { throw error }
      throw driver.explain(error, ofCommitOn: self)
    }
  }

  /// Rolls back the transaction of ``begin(_:)-(TransactionKind)``, even if the connection is interrupted: the next user of
  /// the connection would otherwise continue within an open transaction, and lose its writes.
  package func rollBack(_ kind: TransactionKind) {
    uninterruptibly { try? driver.control(.rollBack(kind), on: self) }
    unfinished = isInTransaction ? kind : nil
  }

  /// Rolls back a transaction that a former user of the connection could not roll back.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the rollback fails again: reads would see the old snapshot of that
  ///   transaction, and writes would never be committed.
  func rollBackUnfinished() throws(RepositoryError) {
    if let unfinished { rollBack(unfinished) }
    if unfinished != nil { throw .stillOpen }
  }

  func note(set savepoint: Savepoint) { savepoints.append(savepoint) }

  /// Records the end of a savepoint, and of those that were set after it.
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

  /// Runs a closure with several reads from one snapshot. Their transaction also checks only once for locks of other
  /// connections.
  package func inReadSnapshot<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    isInTransaction ? try body() : try within(.reading, body)
  }

  /// Runs a closure all or nothing: in a transaction, or in a savepoint of an open transaction.
  package func atomically<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    isInTransaction ? try within(Savepoint.work, body) : try within(.operation, body)
  }

  // MARK: Re-entrancy

  /// Runs a closure that calls code of the program, such as a model type's initialiser: if that code calls the store, it
  /// gets this connection again instead of waiting for itself.
  package func reentrantly<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    // The connection has one user, so only one thread stores a value.
    let outer = reader.load(ordering: .relaxed)
    reader.store(CurrentThread.number, ordering: .relaxed)
    defer { reader.store(outer, ordering: .relaxed) }
    return try body()
  }

  /// Whether the calling thread runs within ``reentrantly(_:)`` of this connection.
  package var isHeldByThisThread: Bool { reader.load(ordering: .relaxed) == CurrentThread.number }

  // MARK: Interruption

  /// Interrupts the running statement, and refuses others until ``clearInterruption()``; callable from any thread.
  package func interrupt() {
    isInterrupted.store(true, ordering: .relaxed)
    isUninterruptible.withLock { if !$0 { raw.interrupt() } }
  }

  /// Interrupts the running statement, for a store that is discarded, and a commit where the driver can; callable from any thread.
  func stop() {
    interrupt()
    raw.stop()
  }

  /// Allows statements to run again.
  package func clearInterruption() {
    isInterrupted.store(false, ordering: .relaxed)
    raw.clearInterruption()
  }

  /// Whether ``interrupt()`` was called since ``clearInterruption()``.
  package var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }

  /// - Throws: ``/Repository/RepositoryError`` if the connection was interrupted, or the rollback of a transaction failed.
  package func checkInterruption() throws(RepositoryError) {
    if unfinished != nil, !isUninterruptible.withLock(\.self) { throw .stillOpen }
    if isInterrupted.load(ordering: .relaxed), !isUninterruptible.withLock(\.self) { throw .cancelled }
  }

  /// Runs a closure that is not interrupted.
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
    .storeFailure, "rollback failed", reason: "the database refused the rollback, e.g. out of memory",
    suggestion: "try again later, or open the store again")
}

/// A handle that interrupts a connection when the task that uses it is cancelled.
private final class CancellationHandle: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: Connection) {
    self.connection = Mutex(connection)
  }

  /// Interrupts the connection, unless it has been released.
  func fire() {
    // While the lock is held, the connection can't be released to its next user, whom the interruption would affect.
    connection.withLock { $0?.interrupt() }
  }

  /// Releases the connection, which is then ready for its next user.
  func end() {
    connection.withLock { connection in
      connection?.clearInterruption()
      connection = nil
    }
  }
}
