import Query
import Synchronization

/// A store of tables in memory, for tests and for data that need not be persisted.
///
/// It returns the same results and the same errors as a database would. All repositories of one store share its tables, and
/// any number of tasks may use them concurrently: readers never wait, writers wait during a transaction. Awaited calls yield
/// to other tasks from time to time, so that a loop of them does not occupy a thread.
///
/// It has no migrations: it is empty when a program starts, so its tables are those of the program's own schemas.
public final class MemoryStore: Store {
  private struct State {
    var tables = MemoryTables()
    /// Whether a transaction is running, which will replace the tables.
    var isHeld = false
  }

  private let state = Mutex(State())
  /// The signal that notifies observers of each commit.
  let signal = ChangeSignal()
  /// The number of running transactions, including nested ones and those that only read.
  private let openTransactions = Atomic(0)
  /// The lock of transactions, and of writes that wait for a transaction. Other writes need none: they run without suspension.
  private let writeLock = ResourcePool(only: WriteLock())
  /// The work of awaited calls, in units of a find by key.
  private let effort = Atomic(0)
  /// The maximum time for which a write waits for another transaction to end.
  public let timeout: Duration

  /// Makes an empty store.
  ///
  /// - Parameter timeout: the maximum time for which a write waits for another transaction to end.
  public init(timeout: Duration = .seconds(5)) {
    self.timeout = timeout
  }

  /// Makes the store of a repository that opens no others.
  convenience init(ofOneRepository: Void) {
    self.init()
    state.withLock { $0.tables.belongsToOneRepository = true }
  }

  /// Opens a repository; the store creates the table and its referenced tables, unless tables with these names exist.
  ///
  /// - Throws: ``RepositoryError`` if the schema contradicts itself, or differs from the table's.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try memoryRepository(schema, in: nil))
  }

  /// Runs a transaction: all of its writes are committed, or none.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(
    _ body: (MemoryTransaction) async throws -> Result
  ) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.transaction(body) }
    if needsYield(after: Self.effortOfCall) { await Task.yield() }
    let writeLock = try await writeLock.acquire(until: Deadline(in: timeout))
    defer { self.writeLock.release(writeLock) }
    var tables = state.withLock { state in
      state.isHeld = true
      return state.tables
    }
    tables.isDeferring = true
    defer { state.withLock { $0.isHeld = false } }
    let transaction = MemoryTransaction(of: self, tables: tables, isReadOnly: false)
    let result = try await transaction.run(body)
    let checked = try transaction.result.afterDeferredChecks()
    let changed = state.withLock { state in
      state.tables = checked
      return state.tables.noteCommit(isObserved: signal.isObserved)
    }
    if let changed { signal.notify(changed) }
    return result
  }

  /// Reads from one snapshot of the tables.
  ///
  /// - Throws: as ``Store/read(_:)`` does.
  public func read<Result>(_ body: (MemoryTransaction) async throws -> Result) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.read(body) }
    return try await MemoryTransaction(of: self, tables: state.withLock(\.tables), isReadOnly: true).run(body)
  }

  /// Observes a read: its current value, and each value that differs from the previous value.
  public func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (MemoryTransaction) async throws -> Value
  ) -> ValueChanges<Value> {
    ValueChanges(signal, comparedBy: areEqual) { [self] in
      if isInTransaction(boundTo: nil) { throw RepositoryError.changesInsideTransaction }
      let log = TableLog()
      let value = try await MemoryTransaction(of: self, tables: tables(notedIn: log), isReadOnly: true).run(read)
      return (value, log.tables)
    }
  }
}

extension MemoryStore {
  package func memoryRepository<Element: Storable>(
    _ schema: Schema<Element>, in bound: MemoryTransaction?
  ) throws(RepositoryError) -> MemoryRepository<Element> {
    let needed = try schema.tables()
    // If all tables exist, nothing is written.
    if !(try tables(in: bound).hold(needed)) {
      try writeBlocking(in: bound) { tables throws(RepositoryError) in try tables.open(needed) }
    }
    let tables = try tables(in: bound)
    return MemoryRepository(
      store: self, transaction: bound, schema: schema, table: needed[0], stored: try tables.table(needed[0]).schema,
      handle: try tables.handle(of: needed[0]))
  }

  /// Returns the tables as a repository sees them, in the transaction of its task, if any.
  func tables(in bound: MemoryTransaction?) throws(RepositoryError) -> MemoryTables {
    if let transaction = transaction(boundTo: bound) { return try transaction.tables() }
    return state.withLock(\.tables)
  }

  /// Returns the current tables, which log the tables that are read.
  func tables(notedIn log: TableLog) -> MemoryTables {
    var tables = state.withLock(\.tables)
    tables.log = log
    return tables
  }

  /// Returns the row with a key, as a repository sees it.
  func row(
    _ key: RowKey, of handle: MemoryTables.Handle, in bound: MemoryTransaction?
  ) throws(RepositoryError) -> MemoryRow? {
    if let transaction = transaction(boundTo: bound) { return try transaction.tables().row(key, of: handle) }
    return try state.withLock { state throws(RepositoryError) in try state.tables.row(key, of: handle) }
  }

  /// Changes the tables, suspended during a transaction of another task.
  func write<Result: Sendable>(
    in bound: MemoryTransaction?, _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if needsYield(after: Self.effortOfCall) { await Task.yield() }
    if let transaction = transaction(boundTo: bound) { return try await transaction.write(change) }
    if let result = try writeImmediately(change) { return result }
    let writeLock = try await writeLock.acquire(until: Deadline(in: timeout))
    defer { self.writeLock.release(writeLock) }
    return try writeExclusively(change)
  }

  /// Changes the tables, with the thread blocked during a transaction of another task.
  func writeBlocking<Result: Sendable>(
    in bound: MemoryTransaction?, _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) { return try transaction.writeBlocking(change) }
    if let result = try writeImmediately(change) { return result }
    let writeLock = try writeLock.acquireBlocking(until: Deadline(in: timeout))
    defer { self.writeLock.release(writeLock) }
    return try writeExclusively(change)
  }

  /// Changes the tables unless a transaction is running.
  private func writeImmediately<Result: Sendable>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result? {
    var changed: TableSet?
    defer { if let changed { signal.notify(changed) } }
    return try state.withLock { state throws(RepositoryError) in
      if state.isHeld { return nil }
      defer { changed = state.tables.noteCommit(isObserved: signal.isObserved) }
      return try change(&state.tables)
    }
  }

  /// Changes the tables; no transaction is running.
  private func writeExclusively<Result: Sendable>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    var changed: TableSet?
    defer { if let changed { signal.notify(changed) } }
    return try state.withLock { state throws(RepositoryError) in
      defer { changed = state.tables.noteCommit(isObserved: signal.isObserved) }
      return try change(&state.tables)
    }
  }

  /// The cost of a call that does more than find an element by its key.
  static var effortOfCall: Int { 16 }
  /// The cost after which a task yields. Yielding takes as long as about ten finds.
  private static var effortBeforeYield: Int { 1_024 }

  /// Returns whether it is time for the task to yield: calls that find rows in memory never suspend, so that tasks that call
  /// them in a loop would occupy all threads, and a writer would never get one.
  ///
  /// Two threads that count at the same time may count only once, which spares each of them an atomic addition, and delays a
  /// yield slightly.
  func needsYield(after effort: Int) -> Bool {
    let before = self.effort.load(ordering: .relaxed)
    let after = before &+ effort
    self.effort.store(after, ordering: .relaxed)
    return before / Self.effortBeforeYield != after / Self.effortBeforeYield
  }

  /// Runs a transaction, nested in that of the task, if there is one.
  func transaction<Result>(
    in bound: MemoryTransaction?, _ body: (MemoryTransaction) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    do {
      if let outer = transaction(boundTo: bound) { return try await outer.transaction(body) }
      return try await transaction(body)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// Whether the task, or the calling repository, is in a transaction.
  func isInTransaction(boundTo bound: MemoryTransaction?) -> Bool { transaction(boundTo: bound) != nil }

  func transaction(boundTo bound: MemoryTransaction?) -> MemoryTransaction? {
    // A task in a transaction has counted that transaction; without any, the lookup of the task-local value is spared.
    if bound == nil, openTransactions.load(ordering: .relaxed) == 0 { return nil }
    return MemoryTransaction.current(from: MemoryTransaction.innermost, of: self, boundTo: bound)
  }

  /// Counts a transaction that begins.
  func beginTransaction() { openTransactions.add(1, ordering: .relaxed) }

  /// Counts a transaction that ends.
  func endTransaction() { openTransactions.subtract(1, ordering: .relaxed) }
}
