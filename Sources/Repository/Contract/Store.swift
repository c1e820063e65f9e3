/// A set of tables: a database, or memory.
///
/// A program uses `any Store` at its start, and opens repositories from it.
public protocol Store: Sendable {
  /// The type of the store within a transaction, which is passed to the closure.
  associatedtype Transaction: Store

  /// Opens a repository over the table that a schema describes; a table that does not exist yet is created.
  ///
  /// - Throws: ``RepositoryError`` if the schema contradicts itself, the table in the store differs from it, or the table
  ///   can't be created.
  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element>

  /// Runs a transaction: all of its writes are committed, or none.
  ///
  /// ```swift
  /// try await store.transaction { _ in
  ///   try await trainers.save(ash)
  ///   try await pokedex.save(pikachu)
  /// }
  /// ```
  ///
  /// Every repository of the store that the closure uses takes part, whether it was opened before or by the transaction itself,
  /// which is a store too. A nested transaction can fail on its own: its writes are undone, and the outer transaction may
  /// continue.
  ///
  /// Transactions are serializable. In memory and in a file only one transaction writes at a time, and others wait. A server
  /// runs transactions concurrently, and refuses one of two that are not serializable, which the program then retries:
  /// ``transaction(attempts:backoff:clock:_:)``.
  ///
  /// Tasks that the closure starts take part as long as the closure runs. A `Task.detached` takes part only through a
  /// repository that was opened by the transaction: with another repository, it waits for the transaction's end, or fails with
  /// ``RepositoryError/Code/busy``.
  ///
  /// - Parameter body: the work of the transaction. If the closure throws, or its task was cancelled, the transaction is rolled
  ///   back.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, and ``RepositoryError``: with the code ``RepositoryError/Code/busy`` if the write lock
  ///   was not acquired in time, or other transactions conflicted, ``RepositoryError/Code/cancelled`` if the task was
  ///   cancelled, ``RepositoryError/Code/writeInsideRead`` within ``read(_:)``.
  @discardableResult
  func transaction<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result

  /// Reads from one snapshot of the store, whatever is written in the meantime.
  ///
  /// - Parameter body: the reads. Any write within it is refused with the code ``RepositoryError/Code/writeInsideRead``,
  ///   whatever else is wrong with it.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws, and ``RepositoryError`` as ``transaction(_:)`` does.
  func read<Result>(_ body: (Transaction) async throws -> Result) async throws -> Result

  /// Observes a read from the store: its current value, and each value that differs from the one before.
  ///
  /// Not available inside a transaction: the sequence fails immediately there, as it does for a store that can't observe
  /// changes.
  ///
  /// - Parameters:
  ///   - areEqual: whether two values are equal; the later one is then not delivered. Values that are `Equatable` need no
  ///     comparison.
  ///   - read: reads the value, in one snapshot, as in ``read(_:)``. It is called again after each commit that changed a table
  ///     that it has read from; it must not depend on anything else.
  func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value>
}

extension Store {
  /// Opens the repository of a model type: `let pokedex = try store.repository(of: Pokemon.self)`.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>(of type: Element.Type) throws(RepositoryError) -> AnyRepository<Element> {
    try repository(type.schema)
  }
}
