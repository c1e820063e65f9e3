import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// A connection to a PostgreSQL server: a session that is opened on first use, and reopened when it was lost.
final class PostgresConnection: SQLConnection {
  private let server: PostgresServer
  private var session: ServerSession?
  /// The number of sessions so far: statements that were prepared in an earlier one no longer exist.
  private(set) var generation = 0
  /// Whether a transaction was begun and neither committed nor rolled back. A session that is lost meanwhile is not replaced.
  var expectsTransaction = false {
    didSet {
      if expectsTransaction { return }
      describedTypes = [:]
      deferredCommands = []
      session?.transactionNumber = nil
    }
  }
  /// The commands that are sent with the next statement.
  private var deferredCommands: [String] = []
  /// The statement whose rows are still arriving.
  private var running: PostgresStatement?
  /// The state that other threads need in order to interrupt a statement.
  private let interruption = Mutex(Interruption())
  private var statementCount = 0
  /// The random prefix of the names of the connection's statements: if a pooler shares sessions without the store's knowledge,
  /// a name must not run a statement of another program.
  private let statementPrefix = PostgresServer.makeStatementPrefix()
  /// The names of prepared statements that are no longer needed.
  private var forgotten: [String] = []
  /// The types that the server inferred for statements that were only described in the open transaction: a description locks
  /// the table, so that its columns do not change as long as the transaction, or the savepoint, is open.
  private var describedTypes: [String: (generation: Int, types: [TypeID])] = [:]

  /// The position of the primary's log that a replica is known to have replayed, and the session in which it was queried.
  var replayed: (position: String, generation: Int)?

  private var copyState = CopyState.none

  private(set) var changedRows = 0
  private(set) var totalChangedRows = 0
  private(set) var generatedKey: Int64 = 0

  private struct Interruption {
    var isAsked = false
    /// Whether the store is being discarded.
    var isStopped = false
    var canceller: StatementCanceller?
  }

  init(to server: PostgresServer) { self.server = server }

  // MARK: The session

  /// Returns a session for the next statement, after reading rows that are still arriving for another one.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if no session can be opened, or the session was lost during a transaction.
  func sessionForStatement() throws(RepositoryError) -> ServerSession {
    if copyState != .none {
      copyState = .disturbed
      throw RepositoryError(
        .unsupported, "an insert can't query its own store while it reads the rows",
        suggestion: "query the store before the insert")
    }
    if let running { try running.readAhead() }
    running = nil
    if let session {
      if expectsTransaction {
        if !session.isLost { return session }
        throw RepositoryError(
          PostgresError(ofConnection: "the session of the transaction has ended", isLost: true))
      }
      // A server that was restarted may have closed the session.
      if session.checkIsAlive(), server.isCurrent(session) { return session }
      self.session = nil
    }
    let session = try server.connectAgain(unless: { wasInterrupted })
    self.session = session
    generation += 1
    forgotten = []
    deferredCommands = []
    let (isAsked, isStopped) = interruption.withLock { state in
      state.canceller = session.canceller
      return (state.isAsked, state.isStopped)
    }
    if isAsked { session.canceller.cancel() }
    if isStopped { session.canceller.cancelForGood() }
    return session
  }

  // MARK: Deferred commands

  /// Defers a command to the next statement, except for the beginning of a transaction in a session that a pooler shares.
  func deferCommand(_ sql: String) throws(RepositoryError) {
    let session = try sessionForStatement()
    guard let settings = server.transactionSettings, sql.hasPrefix("BEGIN") else {
      deferredCommands.append(sql)
      return
    }
    // The pooler may make the transaction wait for a session: the wait is here, where the thread may be blocked.
    do throws(PostgresError) {
      try session.run("\(sql); \(settings)")
    } catch {
      throw RepositoryError(error, sql: sql, wasInterrupted: wasInterrupted)
    }
  }

  /// Removes the deferred commands and returns them to the caller, which sends them.
  func takeDeferredCommands() -> [String] {
    defer { deferredCommands = [] }
    return deferredCommands
  }

  /// Sends the deferred commands before a request that can't include them.
  private func sendDeferredCommands(to session: ServerSession) throws(PostgresError) {
    if deferredCommands.isEmpty { return }
    try session.run(takeDeferredCommands().joined(separator: "; "))
  }

  /// Discards the deferred commands of a transaction that ends.
  ///
  /// - Returns: whether the transaction itself was among them, so that the server has none.
  func dropDeferredCommands() -> Bool {
    defer { deferredCommands = [] }
    return hasDeferredTransaction
  }

  private var hasDeferredTransaction: Bool { deferredCommands.first?.hasPrefix("BEGIN") == true }

  // MARK: Statements

  /// Returns a name for a statement to be prepared, after dropping statements that are no longer needed; `nil` if sessions keep
  /// no statements.
  func nextStatementName(in session: ServerSession) throws(PostgresError) -> String? {
    try sendDeferredCommands(to: session)
    guard server.keepsSessions else { return nil }
    if forgotten.count >= 16, session.transaction == .idle || session.transaction == .open {
      let names = forgotten
      forgotten = []
      try session.run(names.map { "DEALLOCATE \($0)" }.joined(separator: "; "))
    }
    statementCount += 1
    return statementPrefix + String(statementCount)
  }

  /// Records that a prepared statement is no longer needed.
  func forget(_ name: String?, of generation: Int) {
    if let name, generation == self.generation { forgotten.append(name) }
  }

  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    if sql.utf8.contains(0) {
      throw RepositoryError(
        .invalidStatement, "the statement contains U+0000", suggestion: "remove the character", sql: sql)
    }
    if PostgresStatementKind.makesTemporary(sql) {
      throw RepositoryError(
        .unsupported, "can't create a temporary object", reason: "temporary objects belong to a single connection",
        suggestion: "create a permanent object, or use WITH", sql: sql)
    }
    if let command = DeferredCommand(sql, on: self) { return command }
    if sql.hasPrefix("ROLLBACK") { describedTypes = [:] }
    if sql.contains(PostgresFolding.functionName) { try server.installFolding() }
    return try PostgresStatement(sql, on: self)
  }

  /// Records that a statement's rows begin to arrive.
  func begin(_ statement: PostgresStatement) { running = statement }

  /// Records that a statement has ended.
  ///
  /// - Parameters:
  ///   - changedRows: the number of changed rows; `nil` for a statement that changes none.
  ///   - generatedKey: the key of the row that the statement inserted, if the statement returns it.
  func end(_ statement: PostgresStatement, changedRows: Int? = nil, generatedKey: Int64? = nil) {
    if running === statement { running = nil }
    if let changedRows {
      self.changedRows = changedRows
      totalChangedRows += changedRows
    }
    if let generatedKey { self.generatedKey = generatedKey }
  }

  /// Returns the types that the server infers for the parameters of a statement, without running it.
  func parameterTypes(of sql: String) throws(RepositoryError) -> [TypeID] {
    let session = try sessionForStatement()
    if let (known, types) = describedTypes[sql], known == generation { return types }
    do throws(PostgresError) {
      let plan = try PreparedPlan(of: sql, named: try nextStatementName(in: session), in: session)
      forget(plan.name, of: generation)
      describedTypes[sql] = (generation, plan.parameters)
      return plan.parameters
    } catch {
      throw RepositoryError(error, sql: sql, wasInterrupted: wasInterrupted)
    }
  }

  /// Discards the inferred types of parameters, because a table may have changed.
  func forgetParameterTypes() { describedTypes = [:] }

  /// Runs a `COPY … FROM STDIN`.
  ///
  /// - Parameter fill: appends some of the rows, and returns whether there are more. Other statements are refused meanwhile;
  ///   an error that the closure throws ends the copy without any effect.
  /// - Returns: the number of rows that were added; `nil` if another statement was refused, and the copy abandoned.
  func copy(
    by sql: String, _ fill: (inout BinaryCopyBuffer) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> Int? {
    let session = try sessionForStatement()
    var failure: RepositoryError?
    copyState = .open
    defer { copyState = .none }
    do throws(PostgresError) {
      try sendDeferredCommands(to: session)
      let count = try session.copy(by: sql) { send throws(PostgresError) in
        var data = BinaryCopyBuffer()
        var hasMore = true
        while hasMore {
          do throws(RepositoryError) {
            hasMore = try fill(&data)
          } catch {
            failure = error
          }
          if failure != nil || copyState == .disturbed { return false }
          try data.send(send)
        }
        return true
      }
      changedRows = count
      totalChangedRows += count
      return count
    } catch {
      if copyState == .disturbed, !error.isConnectionLost { return nil }
      throw failure ?? RepositoryError(error, sql: sql, wasInterrupted: wasInterrupted)
    }
  }

  /// Whether a `COPY` is open, during which a session takes no statement.
  private enum CopyState {
    case none
    case open
    /// A statement was requested meanwhile, by the code that makes the rows.
    case disturbed
  }

  // MARK: Transactions

  var transactionStatus: TransactionStatus {
    if hasDeferredTransaction { return .open }
    return switch session?.transaction {
    case .open: .open
    case .failed: .failed
    case .active: expectsTransaction ? .open : .none
    case .idle, .unknown, nil: .none
    }
  }

  /// Commits the open transaction. If the connection is lost, the server is queried for the outcome.
  ///
  /// A cancelled commit tells its outcome: an error if triggers or checks that were deferred until then were interrupted, which
  /// undoes the transaction, and none from the moment at which it counts (`RecordTransactionCommit` in
  /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/access/transam/xact.c). One that waits for a
  /// synchronous replica ends without it.
  func commit() throws(RepositoryError) {
    let session = try sessionForStatement()
    if dropDeferredCommands() { return }
    if interruption.withLock(\.isStopped) { throw .cancelled }
    var number = session.transactionNumber.map(KnownNumber.number) ?? .notAsked
    do throws(PostgresError) {
      let command =
        if case .notAsked = number {
          try session.commit { number = $0.map(KnownNumber.number) ?? .unassigned }
        } else {
          try session.commit()
        }
      if command == "COMMIT" { return }
      // The server rolls back a transaction that had failed, and reports that as a success.
      throw PostgresError(
        sqlState: "25P02", message: "the transaction had failed, and the server rolled back its changes")
    } catch {
      var outcome = CommitOutcome.unknown
      if error.isConnectionLost {
        switch number {
        // It has changed nothing, so the loss of its commit has no effect.
        case .unassigned: return
        case .number(let number):
          if let history = session.history { outcome = server.outcome(ofTransaction: number, in: history) }
        case .notAsked: break
        }
      }
      if outcome == .committed { return }
      throw RepositoryError(
        error, sql: PostgresDriver.commit, wasInterrupted: wasInterrupted, mayBeDone: outcome == .unknown)
    }
  }

  /// The knowledge of the number of a transaction.
  private enum KnownNumber {
    case notAsked
    /// The server has assigned none.
    case unassigned
    case number(TransactionNumber)
  }

  // MARK: Interruption

  func interrupt() {
    let canceller = interruption.withLock { state in
      state.isAsked = true
      return state.canceller
    }
    canceller?.cancel()
  }

  func stop() {
    let canceller = interruption.withLock { state in
      state.isStopped = true
      return state.canceller
    }
    canceller?.cancelForGood()
  }

  func clearInterruption() {
    let canceller = interruption.withLock { state in
      state.isAsked = false
      return state.canceller
    }
    canceller?.forget()
  }

  /// Whether the program requested an interruption.
  var wasInterrupted: Bool { interruption.withLock { $0.isAsked || $0.isStopped } }

  // MARK: Copies

  func copy() throws(RepositoryError) -> any SQLConnection {
    throw RepositoryError(.unsupported, "can't copy a database on a server into memory")
  }
}

extension Connection {
  /// The connection to the server: all connections of this module are ``PostgresConnection``s.
  var postgres: PostgresConnection { unsafeDowncast(raw, to: PostgresConnection.self) }
}
