public import Repository

/// A view of a SQL database, or of a transaction of one, whose calls block the thread: for scripts, and for other code that can't
/// suspend.
///
/// ```swift
/// let pokedex = try store.blocking.repository(of: Pokemon.self)
/// try store.blocking.transaction { transaction in
///   try pokedex.save([pikachu])
///   try transaction.sql.execute("UPDATE pokemon SET weight = \(6.0) WHERE name = \("Pikachu")")
/// }
/// ```
///
/// A blocked thread can't run other tasks: asynchronous functions use the store itself. Blocking and asynchronous calls take
/// turns, and take part in the same transactions.
public struct BlockingStore<Base: Store>: Sendable {
  package let base: Base
}

extension Store where Self: SQLDatabase {
  /// The view of the store whose calls block the thread.
  public var blocking: BlockingStore<Self> { BlockingStore(base: self) }
}

extension SQLTransaction {
  /// The view of the transaction whose calls block the thread.
  public var blocking: BlockingStore<SQLTransaction> { BlockingStore(base: self) }
}

extension BlockingStore where Base: SQLDatabase {
  /// Runs a transaction: all of its writes are committed, or none.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(_ body: (BlockingStore<SQLTransaction>) throws -> Result) throws -> Result {
    try transaction(.writing) { transaction in try body(transaction.blocking) }
  }

  /// Reads from one snapshot of the database.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (BlockingStore<SQLTransaction>) throws -> Result) throws -> Result {
    if let outer = base.transaction(boundTo: nil) { return try outer.blocking.read(body) }
    let copy = base.pool.copiesForReaders ? try base.pool.runBlocking(.read, base.pool.copy) : nil
    return try base.runBlocking(TransactionSteps(of: .reading, in: base, with: copy)) { try body($0.blocking) }
  }

  /// Runs a transaction of a kind, which is passed to the closure itself. Only a transaction for writing can be nested.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  package func transaction<Result>(
    _ kind: TransactionKind, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    if kind == .writing, let outer = base.transaction(boundTo: nil) {
      return try outer.blocking.transaction { inner in try body(inner.base) }
    }
    return try base.runBlocking(TransactionSteps(of: kind, in: base), body)
  }

  /// The session that runs SQL statements.
  public var sql: BlockingSession { base.sql.blocking }
}

extension BlockingStore<SQLTransaction> {
  /// Runs a nested transaction in a savepoint; if it fails, the outer transaction may continue.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(_ body: (BlockingStore<SQLTransaction>) throws -> Result) throws -> Result {
    try base.owner.runBlocking(TransactionSteps(ofPartOf: base.innermost, .nested)) { try body($0.blocking) }
  }

  /// Reads as the transaction sees the database; writes within it are refused.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (BlockingStore<SQLTransaction>) throws -> Result) throws -> Result {
    try base.owner.runBlocking(TransactionSteps(ofPartOf: base.innermost, nil)) { try body($0.blocking) }
  }

  /// The session that runs SQL statements within the transaction.
  public var sql: BlockingSession { base.sql.blocking }
}
