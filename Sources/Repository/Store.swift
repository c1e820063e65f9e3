/// A set of tables: a database, or memory.
///
/// A program takes `any Store` where it starts, and hands out repositories from there.
public protocol Store: Sendable {
  /// The store within a transaction, as it is passed to the closure.
  associatedtype Transaction: Store

  /// Opens a repository over the table that a schema describes; a table that does not exist yet is created.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, the table in the store differs from it, or the
  ///   table can't be created.
  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element>

  /// Runs a transaction: all of its writes are kept, or none.
  ///
  /// ```swift
  /// try await store.transaction { _ in
  ///   try await trainers.save(ash)
  ///   try await pokedex.save(pikachu)
  /// }
  /// ```
  ///
  /// Every repository of the store that the closure uses takes part, whether it was opened before or by the transaction
  /// itself, which is a store too. A transaction within a transaction can fail alone: what it did is undone, and the one around
  /// it may go on.
  ///
  /// What is kept is as if one transaction had written at a time. In memory and in a file one does, and others wait; a server
  /// lets them run at once, and refuses one of two for which that would not be so, to be tried again:
  /// ``transaction(attempts:backoff:clock:_:)``.
  ///
  /// Tasks that the closure starts take part as long as it lasts. A `Task.detached` does so by a repository that was opened by
  /// the transaction: with another it waits for the transaction's end, or for ``RepositoryError/Code/busy``.
  ///
  /// - Parameter body: what is done. If it throws, or if its task was cancelled, nothing of it is kept.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, and ``RepositoryError``: with the code ``RepositoryError/Code/busy`` where the
  ///   write lock was not acquired in time, or other transactions stood in the way, ``RepositoryError/Code/cancelled`` where the task was cancelled,
  ///   ``RepositoryError/Code/writeInsideRead`` within ``read(_:)``.
  @discardableResult
  func transaction<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result

  /// Reads from one snapshot of the store, whatever is written meanwhile.
  ///
  /// - Parameter body: what is read. Whatever writes within it is refused with the code
  ///   ``RepositoryError/Code/writeInsideRead``, whatever else is wrong with it.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, and ``RepositoryError`` as ``transaction(_:)`` does.
  func read<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result

  /// Observes what is read of the store: the current value, and each one that differs from the one before.
  ///
  /// Not available inside a transaction: the sequence fails at once there, as it does for a store that can't tell when it
  /// changes.
  ///
  /// - Parameters:
  ///   - areEqual: whether two values are the same; the later one is not given then. Values that are `Equatable` need none.
  ///   - read: reads the value, in one snapshot, as in ``read(_:)``. It is called again after each commit that changed a table
  ///     which it has read from; it has to depend on nothing else.
  func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value>
}

extension Store {
  /// Opens the repository of a model type: `let pokedex: AnyRepository<Pokemon> = try store.repository()`.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>() throws(RepositoryError) -> AnyRepository<Element> {
    try repository(Element.schema)
  }

  /// Opens the repository of a model type: `let pokedex = try store.repository(of: Pokemon.self)`.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>(of type: Element.Type) throws(RepositoryError) -> AnyRepository<Element> {
    try repository(type.schema)
  }
}

// Again, where others were in the way.
extension Store {
  /// Runs a transaction, and all of it again where the store refuses it because of what others did at once.
  ///
  /// ```swift
  /// try await store.transaction(attempts: 5) { _ in
  ///   var account = try await accounts.find(id) ?? Account(id: id)
  ///   account.balance -= 10
  ///   try await accounts.save(account)
  /// }
  /// ```
  ///
  /// The closure is run once for each attempt; what it does besides the store is done as often.
  ///
  /// - Parameters:
  ///   - attempts: how often it is run at most; at least once.
  ///   - backoff: how long is waited between two attempts.
  ///   - clock: by which is waited.
  ///   - body: what is done.
  /// - Returns: what the closure returns.
  /// - Throws: as ``transaction(_:)`` does; the error ``RepositoryError/Code/busy`` of the last attempt alone.
  @discardableResult
  public func transaction<Result>(
    attempts: Int, backoff: Backoff = .exponential(from: .milliseconds(5), atMost: .seconds(1)),
    clock: any Clock<Duration> = ContinuousClock(), _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    var (count, generator) = (1, SystemRandomNumberGenerator())
    while count < attempts {
      do {
        return try await transaction(body)
      } catch let error as RepositoryError where error.isBusy {
        let wait = backoff.duration(after: count, using: &generator)
        do {
          try await clock.sleep(for: wait)
        } catch {
          throw RepositoryError.cancelled
        }
        count += 1
      }
    }
    return try await transaction(body)
  }
}

extension RepositoryError {
  /// Whether others were in the way, be it that the closure of a transaction went on after it was told.
  fileprivate var isBusy: Bool {
    code == .busy || code == .transactionEnded && (underlying as? RepositoryError)?.code == .busy
  }
}
