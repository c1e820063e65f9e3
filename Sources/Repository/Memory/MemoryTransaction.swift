import Query
import Synchronization

/// A transaction of a ``MemoryStore``, which is a store itself.
///
/// It works on a copy of the tables that shares all unchanged parts; the store adopts the copy at the end.
public final class MemoryTransaction: Store, CurrentTransaction {
  @TaskLocal static var innermost: MemoryTransaction?

  package let owner: MemoryStore
  package let parent: MemoryTransaction?
  package let enclosing: MemoryTransaction?
  let isReadOnly: Bool
  private let state: Mutex<(tables: MemoryTables, isActive: Bool)>
  /// The lock that a nested transaction holds, so that no other task writes meanwhile.
  private let writeLock = ResourcePool(only: WriteLock())

  init(of owner: MemoryStore, within parent: MemoryTransaction? = nil, tables: MemoryTables, isReadOnly: Bool) {
    self.owner = owner
    self.parent = parent
    self.isReadOnly = isReadOnly
    enclosing = Self.innermost
    state = Mutex((tables, true))
  }

  package var isActive: Bool { state.withLock(\.isActive) }

  /// Opens a repository that works within the transaction.
  ///
  /// - Throws: as ``MemoryStore/repository(_:)`` does.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try owner.memoryRepository(schema, in: self))
  }

  /// Runs a nested transaction; the outer transaction may continue if the nested one fails.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(
    _ body: (MemoryTransaction) async throws -> Result
  ) async throws -> Result {
    let outer = try innermost
    if outer.isReadOnly { throw RepositoryError.writeInsideRead }
    let writeLock = try await outer.writeLock.acquire(until: Deadline(in: owner.timeout))
    defer { outer.writeLock.release(writeLock) }
    let inner = MemoryTransaction(of: owner, within: outer, tables: try outer.tables(), isReadOnly: false)
    let result = try await inner.run(body)
    outer.state.withLock { $0.tables = inner.state.withLock(\.tables) }
    return result
  }

  /// Reads as the transaction sees the tables; writes within it are refused.
  ///
  /// - Throws: as ``Store/read(_:)`` does.
  public func read<Result>(_ body: (MemoryTransaction) async throws -> Result) async throws -> Result {
    let outer = try innermost
    return try await MemoryTransaction(of: owner, within: outer, tables: try outer.tables(), isReadOnly: true).run(body)
  }

  /// Runs the closure of the transaction; the transaction ends with the closure.
  func run<Result>(_ body: (MemoryTransaction) async throws -> Result) async throws -> Result {
    owner.beginTransaction()
    defer {
      state.withLock { $0.isActive = false }
      owner.endTransaction()
    }
    let result = try await Self.$innermost.withValue(self) { try await body(self) }
    if Task.isCancelled { throw RepositoryError.cancelled }
    return result
  }

  /// Returns the tables as the transaction sees them.
  func tables() throws(RepositoryError) -> MemoryTables {
    let (tables, isActive) = state.withLock(\.self)
    guard isActive else { throw .transactionEnded }
    return tables
  }

  /// The tables at the end of the transaction.
  var result: MemoryTables { state.withLock(\.tables) }

  /// Changes the tables, after any nested transaction that is running.
  func write<Result: Sendable>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if isReadOnly { throw .writeInsideRead }
    let writeLock = try await writeLock.acquire(until: Deadline(in: owner.timeout))
    defer { self.writeLock.release(writeLock) }
    return try apply(change)
  }

  /// Changes the tables, with the thread blocked during a nested transaction.
  func writeBlocking<Result: Sendable>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if isReadOnly { throw .writeInsideRead }
    let writeLock = try writeLock.acquireBlocking(until: Deadline(in: owner.timeout))
    defer { self.writeLock.release(writeLock) }
    return try apply(change)
  }

  private func apply<Result: Sendable>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    try state.withLock { state throws(RepositoryError) in
      guard state.isActive else { throw .transactionEnded }
      return try change(&state.tables)
    }
  }

  /// The innermost transaction of the current task.
  private var innermost: MemoryTransaction {
    get throws(RepositoryError) {
      guard isActive else { throw .transactionEnded }
      return MemoryTransaction.current(from: Self.innermost, of: owner, boundTo: self) ?? self
    }
  }
}

/// The exclusive right to write.
final class WriteLock: Sendable {}
