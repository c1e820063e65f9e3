public import Repository
import Synchronization

// Reads that record the tables that they depend on, so that they are repeated when one of these has changed.

extension SQLDatabase {
  /// Observes a read: its current value, and each later value that differs from the previous one.
  public final func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (SQLTransaction) async throws -> Value
  ) -> ValueChanges<Value> {
    ValueChanges(signal, comparedBy: areEqual) { [self] in
      if transaction(boundTo: nil) != nil { throw RepositoryError.changesInsideTransaction }
      let log = TableLog()
      let value = try await self.read(notingIn: log, read)
      return (value, try await sources(of: log.tables))
    }
  }

  /// Returns the tables to which a write may change rows of the given tables. The catalogue is read again after a change that
  /// may have been one of the schema.
  final func sources(of tables: TableSet) async throws(RepositoryError) -> TableSet {
    if tables == .all { return .all }
    let revision = signal.revisionOfUnknownChange
    if let known = effects.withLock(\.self), known.revision == revision { return known.effects.sources(of: tables) }
    let found = try await run(.read) { connection throws(RepositoryError) in try connection.catalog.writeEffects() }
    effects.withLock { $0 = (revision, found) }
    return found.sources(of: tables)
  }

  /// Runs several reads from one snapshot of the database, and records their tables.
  ///
  /// A replica is not used: it may receive a change after the observer was notified of it.
  final func read<Result>(
    notingIn log: TableLog, _ body: (SQLTransaction) async throws -> Result
  ) async throws -> Result {
    let copy = pool.copiesForReaders ? try await pool.run(.read, isLong: false, pool.copy) : nil
    let connections = copy ?? pool.connections(for: .read)
    return try await run(TransactionSteps(of: .reading, in: self, with: connections, notingIn: log), body)
  }
}
