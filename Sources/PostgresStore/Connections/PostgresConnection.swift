import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// A connection to a PostgreSQL server: a session that is opened when it is first used, and again when it was lost.
final class PostgresConnection: SQLConnection {
  private let server: PostgresServer
  private var session: ServerSession?
  /// How many sessions there have been: what was prepared in an earlier one is gone.
  private(set) var generation = 0
  /// Whether a transaction was begun and neither committed nor undone. A session that is lost meanwhile is not replaced.
  var expectsTransaction = false {
    didSet {
      if expectsTransaction { return }
      deferredCommands = []
      session?.transactionNumber = nil
    }
  }
  /// Commands that the next statement takes along.
  private var deferredCommands: [String] = []
  /// The statement whose rows are still arriving.
  private var running: PostgresStatement?
  /// What other threads need in order to stop a statement.
  private let interruption = Mutex(Interruption())
  private var statementCount = 0
  /// What the names of its statements begin with: where sessions are shared against the store's knowledge, none of another
  /// program's may be run by a name.
  private let statementPrefix = PostgresServer.makeStatementPrefix()
  /// The names of prepared statements that are not needed any more.
  private var forgotten: [String] = []
  /// What the server inferred for statements that were described alone, and in which session.
  private var describedTypes: [String: (generation: Int, types: [TypeID])] = [:]

  /// The position of the primary's log that a replica is known to have replayed, and in which session that was asked.
  var replayed: (position: String, generation: Int)?

  private var copyState = CopyState.none

  private(set) var changedRows = 0
  private(set) var totalChangedRows = 0
  private(set) var generatedKey: Int64 = 0

  private struct Interruption {
    var isAsked = false
    var canceller: StatementCanceller?
  }

  init(to server: PostgresServer) { self.server = server }

  // MARK: The session

  /// A session for the next statement: rows that are still arriving for another one are kept for it.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where there is none, or it was lost amid a transaction.
  func sessionForStatement() throws(RepositoryError) -> ServerSession {
    if copyState != .none {
      copyState = .disturbed
      throw RepositoryError(
        .unsupported, "a row that is being inserted can't ask its own store", suggestion: "ask before the insert")
    }
    if let running { try running.readAhead() }
    running = nil
    if let session {
      if expectsTransaction {
        if !session.isLost { return session }
        throw RepositoryError(
          PostgresError(ofConnection: "the session of the transaction has ended", isLost: true))
      }
      // A server that was restarted may have closed it.
      if session.checkIsAlive(), server.isCurrent(session) { return session }
      self.session = nil
    }
    let session = try server.connectAgain(unless: { wasInterrupted })
    self.session = session
    generation += 1
    forgotten = []
    deferredCommands = []
    let isAsked = interruption.withLock { state in
      state.canceller = session.canceller
      return state.isAsked
    }
    if isAsked { session.canceller.cancel() }
    return session
  }

  // MARK: Deferred commands

  /// Has the next statement take a command along, but for the beginning of a transaction in a session that others share.
  func deferCommand(_ sql: String) throws(RepositoryError) {
    let session = try sessionForStatement()
    guard let settings = server.transactionSettings, sql.hasPrefix("BEGIN") else {
      deferredCommands.append(sql)
      return
    }
    // The transaction waits for its session here, where no thread of the program's does.
    do throws(PostgresError) {
      try session.run("\(sql); \(settings)")
    } catch {
      throw RepositoryError(error, sql: sql, wasInterrupted: wasInterrupted)
    }
  }

  /// The commands that were deferred, which the caller sends.
  func takeDeferredCommands() -> [String] {
    defer { deferredCommands = [] }
    return deferredCommands
  }

  /// Sends what was deferred before something that can't take it along.
  private func sendDeferredCommands(to session: ServerSession) throws(PostgresError) {
    if deferredCommands.isEmpty { return }
    try session.run(takeDeferredCommands().joined(separator: "; "))
  }

  /// Drops what was deferred in a transaction that ends.
  ///
  /// - Returns: whether the transaction itself was, so that the server knows of none.
  func dropDeferredCommands() -> Bool {
    defer { deferredCommands = [] }
    return hasDeferredTransaction
  }

  private var hasDeferredTransaction: Bool { deferredCommands.first?.hasPrefix("BEGIN") == true }

  // MARK: Statements

  /// A name for a statement that is about to be prepared, after those were dropped that are not needed any more; `nil` where
  /// sessions keep none.
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

  /// Notes that a prepared statement is not needed any more.
  func forget(_ name: String?, of generation: Int) {
    if let name, generation == self.generation { forgotten.append(name) }
  }

  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    if sql.utf8.contains(0) {
      throw RepositoryError(.invalidStatement, "the statement holds U+0000", suggestion: "leave it out", sql: sql)
    }
    if PostgresStatementKind.makesTemporary(sql) {
      throw RepositoryError(
        .unsupported, "something temporary can't be created", reason: "it would belong to one connection of several",
        suggestion: "create a table that stays, or use WITH", sql: sql)
    }
    if let command = DeferredCommand(sql, on: self) { return command }
    if sql.contains(PostgresFolding.functionName) { try server.installFolding() }
    return try PostgresStatement(sql, on: self)
  }

  /// Notes that a statement's rows begin to arrive.
  func begin(_ statement: PostgresStatement) { running = statement }

  /// Notes that a statement has ended.
  ///
  /// - Parameters:
  ///   - changedRows: how many rows it changed; `nil` for one that changes none.
  ///   - generatedKey: the key of the row that it inserted, where it results in one.
  func end(_ statement: PostgresStatement, changedRows: Int? = nil, generatedKey: Int64? = nil) {
    if running === statement { running = nil }
    if let changedRows {
      self.changedRows = changedRows
      totalChangedRows += changedRows
    }
    if let generatedKey { self.generatedKey = generatedKey }
  }

  /// The types that the server infers for the parameters of a statement, which is not run.
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

  /// Has parameters described again: a table may have changed.
  func forgetParameterTypes() { describedTypes = [:] }

  /// Runs a `COPY … FROM STDIN`.
  ///
  /// - Parameter fill: appends some of the rows, and returns whether there are more. Other statements are refused meanwhile;
  ///   what it throws ends the copy, of which nothing is kept.
  /// - Returns: how many rows it added; `nil` where another statement was refused, and the copy given up.
  func copy(
    by sql: String, _ fill: (inout CopyBuffer) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> Int? {
    let session = try sessionForStatement()
    var failure: RepositoryError?
    copyState = .open
    defer { copyState = .none }
    do throws(PostgresError) {
      try sendDeferredCommands(to: session)
      let count = try session.copy(by: sql) { send throws(PostgresError) in
        var data = CopyBuffer()
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
    /// A statement was asked for meanwhile, by what makes the rows.
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

  /// Commits the open transaction. Where the connection is lost, the server is asked what became of it.
  func commit() throws(RepositoryError) {
    let session = try sessionForStatement()
    if dropDeferredCommands() { return }
    var number: TransactionNumber?? = session.transactionNumber.map { .some($0) }
    do throws(PostgresError) {
      let command =
        number == nil ? try session.commit { number = .some($0) } : try session.run(PostgresDriver.commit).command
      if command == "COMMIT" { return }
      // The server undoes a transaction that had failed, and calls that a success.
      throw PostgresError(sqlState: "25P02", message: "the transaction had failed, and was undone")
    } catch {
      // One that changed nothing has nothing to lose.
      if error.isConnectionLost, case .some(.none) = number { return }
      let outcome: CommitOutcome =
        if error.isConnectionLost, let history = session.history, let number = number ?? nil {
          server.outcome(ofTransaction: number, in: history)
        } else {
          .unknown
        }
      if outcome == .committed { return }
      throw RepositoryError(error, sql: PostgresDriver.commit, mayBeDone: outcome == .unknown)
    }
  }

  // MARK: Interruption

  func interrupt() {
    let canceller = interruption.withLock { state in
      state.isAsked = true
      return state.canceller
    }
    canceller?.cancel()
  }

  func clearInterruption() {
    let canceller = interruption.withLock { state in
      state.isAsked = false
      return state.canceller
    }
    canceller?.forget()
  }

  /// Whether the program asked to stop what is running.
  var wasInterrupted: Bool { interruption.withLock(\.isAsked) }

  // MARK: Copies

  func copy() throws(RepositoryError) -> any SQLConnection {
    throw RepositoryError(.unsupported, "a database on a server can't be copied into memory")
  }
}

extension Connection {
  /// The connection to the server: all connections of this module are to one.
  var postgres: PostgresConnection { unsafeDowncast(raw, to: PostgresConnection.self) }
}
