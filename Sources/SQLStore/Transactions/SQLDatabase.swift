public import Query
public import Repository
import Synchronization

/// A SQL database: the common part of the stores of all engines.
///
/// Any number of tasks may use it: a task is suspended until a connection is free. A store of one engine opens it:
/// `SQLiteStore`, `PostgresStore`.
open class SQLDatabase: Store, @unchecked Sendable {
  package final let driver: any SQLDriver
  package final let pool: ConnectionPool
  /// The side effects of writes, and the revision in which they were looked up; `nil` without observers.
  final let effects = Mutex<(revision: Int, effects: WriteEffects)?>(nil)

  /// The tables that repositories of this store have declared.
  final let declarations = TableDeclarations()

  package init(_ pool: ConnectionPool) {
    driver = pool.driver
    self.pool = pool
  }

  /// The timeout of waits for other tasks of the program, and for locks of other programs.
  public final var timeout: Duration { pool.timeout }
  /// The signal that notifies observers of commits.
  package final var signal: ChangeSignal { pool.signal }

  // MARK: Tables

  /// Returns the names of the tables and views, in alphabetical order, without the one that records the migrations.
  public final func tableNames() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.catalog.tableNames() }
  }

  /// Returns the description of a table or a view of any database, so that it can be opened as a repository of
  /// ``/Repository/Record``s.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/missingTable`` if no table has
  ///   this name; the error suggests the nearest name.
  public final func schema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        try connection.catalog.requiredSchema(ofTable: name)
      }
    }
  }

  /// Returns the names of a table's columns that the database computes, so that they can't be written.
  package final func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.catalog.computedColumns(ofTable: name)
    }
  }

  /// Returns the names of a table's columns that get a value when an insert omits them.
  package final func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.catalog.columnsWithDefault(ofTable: name)
    }
  }

  // MARK: Transactions

  /// Runs a transaction: all of its writes are committed, or none.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public final func transaction<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.transaction(body) }
    return try await run(TransactionSteps(of: .writing, in: self), body)
  }

  /// Reads from one snapshot of the database.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public final func read<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.read(body) }
    let copy = pool.copiesForReaders ? try await pool.run(.read, isLong: false, pool.copy) : nil
    return try await run(TransactionSteps(of: .reading, in: self, with: copy), body)
  }

  // MARK: The end

  /// Interrupts the store's operations, and refuses later requests.
  ///
  /// It is for programs that discard the store, from any thread, also during a synchronous call; the changes of such a call
  /// are rolled back.
  package final func stop() { pool.stop() }

  /// A closure that stops the connections as ``stop()`` does, as long as the store or one of its repositories keeps them open.
  package final var stopper: @Sendable () -> Void { { [weak pool] in pool?.stop() } }
}

// MARK: - Work

extension SQLDatabase {

  /// Passes a connection to a closure: that of the task's transaction, if there is one.
  ///
  /// - Parameters:
  ///   - bound: the calling transaction, if there is one.
  ///   - tables: the tables that the work reads or writes; all if they are not known.
  ///   - isLong: whether the work is interrupted when the task is cancelled.
  ///   - body: the work. It has no effect if it throws.
  package func run<Result>(
    _ access: Access, in bound: SQLTransaction? = nil, on tables: @autoclosure () -> TableSet = .all,
    isLong: Bool = true, _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) {
      return try await transaction.perform(access, on: tables(), isLong: isLong, body)
    }
    return try await pool.run(access, on: tables(), isLong: isLong, body)
  }

  /// Passes a connection to a closure, with the thread blocked while it waits.
  package func runBlocking<Result>(
    _ access: Access, in bound: SQLTransaction? = nil, on tables: @autoclosure () -> TableSet = .all,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) {
      return try transaction.performBlocking(access, on: tables(), body)
    }
    return try pool.runBlocking(access, on: tables(), body)
  }

  /// Returns the transaction of the task, or the one in which a repository was opened.
  package func transaction(boundTo bound: SQLTransaction?) -> SQLTransaction? {
    guard let innermost = SQLTransaction.innermost else { return bound }
    return SQLTransaction.current(from: innermost, of: self, boundTo: bound)
  }

  /// Runs a transaction for a repository that may have been opened in a transaction, in which it is then nested.
  func transaction<Result>(
    in bound: SQLTransaction?, _ body: (SQLTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    do {
      if let outer = transaction(boundTo: bound) { return try await outer.transaction(body) }
      return try await run(TransactionSteps(of: .writing, in: self), body)
    } catch {
      throw RepositoryError(translating: error)
    }
  }
}
