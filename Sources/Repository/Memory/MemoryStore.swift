import Query
import Synchronization

/// Tables in memory, for tests and for data that need not be kept.
///
/// It gives the same answers and the same errors as a database would. All repositories of one store share its tables, and
/// any number of tasks may use them at once: readers never wait, writers do so while a transaction is at work. Calls that are
/// awaited let other tasks run from time to time, so that a loop of them keeps no thread to itself.
///
/// It knows no migrations: it is empty when a program starts, so its tables are those of the program's own schemas.
public final class MemoryStore: Store {
  private struct State {
    var tables = MemoryTables()
    /// Whether a transaction is at work, which will take the place of the tables.
    var isHeld = false
  }

  private let state = Mutex(State())
  /// Notifies observers of each commit.
  let signal = ChangeSignal()
  /// How many transactions are under way, those that only read and those within others included.
  private let openTransactions = Atomic(0)
  /// Held by transactions, and by writes that find one at work. Other writes need no lock: they end before a task could
  /// have been suspended.
  private let writeLock = ResourcePool(only: WriteLock())
  /// How much was done by calls that are awaited, in finds by key.
  private let effort = Atomic(0)
  /// How long a write waits for another transaction to end.
  public let timeout: Duration

  /// Makes an empty store.
  ///
  /// - Parameter timeout: how long a write waits for another transaction to end.
  public init(timeout: Duration = .seconds(5)) {
    self.timeout = timeout
  }

  /// Opens a repository; its table and those that it refers to are created where the store has no tables of their names.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, or differs from the table's.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try memoryRepository(schema, in: nil))
  }

  /// Runs a transaction: all of its writes are kept, or none.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(
    _ body: (MemoryTransaction) async throws -> Result
  ) async throws -> Result {
    if let outer = transaction(boundTo: nil) { return try await outer.transaction(body) }
    if needsYield(after: Self.effortOfCall) { await Task.yield() }
    let writeLock = try await writeLock.acquire(within: timeout)
    defer { self.writeLock.release(writeLock) }
    let tables = state.withLock { state in
      state.isHeld = true
      return state.tables
    }
    defer { state.withLock { $0.isHeld = false } }
    let transaction = MemoryTransaction(of: self, tables: tables, isReadOnly: false)
    let result = try await transaction.run(body)
    let changed = state.withLock { state in
      state.tables = transaction.result
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

  /// Observes what is read: the current value, and each one that differs from the one before.
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
    // Where all tables exist, nothing is written.
    if !(try tables(in: bound).hold(needed)) {
      try writeBlocking(in: bound) { tables throws(RepositoryError) in try tables.open(needed) }
    }
    let tables = try tables(in: bound)
    return MemoryRepository(
      store: self, transaction: bound, schema: schema, table: needed[0], stored: try tables.table(needed[0]).schema,
      handle: try tables.handle(of: needed[0]))
  }

  /// The tables as they are for a repository, in the transaction that its task is in, if any.
  func tables(in bound: MemoryTransaction?) throws(RepositoryError) -> MemoryTables {
    if let transaction = transaction(boundTo: bound) { return try transaction.tables() }
    return state.withLock(\.tables)
  }

  /// The tables as they are, which note what is read of them.
  func tables(notedIn log: TableLog) -> MemoryTables {
    var tables = state.withLock(\.tables)
    tables.log = log
    return tables
  }

  /// The row with a key, as it is for a repository.
  func row(
    _ key: RowKey, of handle: MemoryTables.Handle, in bound: MemoryTransaction?
  ) throws(RepositoryError) -> MemoryRow? {
    if let transaction = transaction(boundTo: bound) { return try transaction.tables().row(key, of: handle) }
    return try state.withLock { state throws(RepositoryError) in try state.tables.row(key, of: handle) }
  }

  /// Changes the tables, suspended while a transaction of others is at work.
  func write<Result: Sendable>(
    in bound: MemoryTransaction?, _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if needsYield(after: Self.effortOfCall) { await Task.yield() }
    if let transaction = transaction(boundTo: bound) { return try await transaction.write(change) }
    if let result = try writeImmediately(change) { return result }
    let writeLock = try await writeLock.acquire(within: timeout)
    defer { self.writeLock.release(writeLock) }
    return try writeExclusively(change)
  }

  /// The blocking form.
  func writeBlocking<Result: Sendable>(
    in bound: MemoryTransaction?, _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) { return try transaction.writeBlocking(change) }
    if let result = try writeImmediately(change) { return result }
    let writeLock = try writeLock.acquireBlocking(within: timeout)
    defer { self.writeLock.release(writeLock) }
    return try writeExclusively(change)
  }

  /// Changes the tables unless a transaction is at work.
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

  /// Changes the tables; no transaction is at work.
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

  /// What a call counts for that does more than to find an element by its key.
  static var effortOfCall: Int { 16 }
  /// After so much effort a task lets others run. To give the thread up takes as long as some ten finds.
  private static var effortBeforeYield: Int { 1_024 }

  /// Whether it is time for the task to let others run: what is found in memory is never waited for, so that tasks which ask in
  /// a loop would never be suspended, and a writer that has no thread would never get one.
  ///
  /// Two threads that count at once may count for one, which spares each of them a locked addition. It delays a yield a little.
  func needsYield(after effort: Int) -> Bool {
    let before = self.effort.load(ordering: .relaxed)
    let after = before &+ effort
    self.effort.store(after, ordering: .relaxed)
    return before / Self.effortBeforeYield != after / Self.effortBeforeYield
  }

  /// Runs a transaction, nested in the task's own, if there is one.
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

  /// Whether the task, or the repository that asks, is in a transaction.
  func isInTransaction(boundTo bound: MemoryTransaction?) -> Bool { transaction(boundTo: bound) != nil }

  func transaction(boundTo bound: MemoryTransaction?) -> MemoryTransaction? {
    // A task that is in a transaction has counted it; where there is none, the look into the task's values is spared.
    if bound == nil, openTransactions.load(ordering: .relaxed) == 0 { return nil }
    return MemoryTransaction.current(from: MemoryTransaction.innermost, of: self, boundTo: bound)
  }

  /// Notes that a transaction began.
  func beginTransaction() { openTransactions.add(1, ordering: .relaxed) }

  /// Notes that a transaction ended.
  func endTransaction() { openTransactions.subtract(1, ordering: .relaxed) }
}
