package import Repository

/// A position within a transaction to which the transaction can be rolled back, so that earlier changes are kept.
///
/// A nested transaction begins with a savepoint, releases it at its end, and rolls back to it if it throws. The statements
/// are the same in all databases: https://www.sqlite.org/lang_savepoint.html,
/// https://www.postgresql.org/docs/current/sql-savepoint.html
package struct Savepoint: Hashable, Sendable {
  /// The name in SQL, which needs no quotes.
  package let name: String

  /// The savepoint of a nested transaction. Savepoints within each other may have the same name.
  static let nested = Savepoint(name: "repokit_nested")

  /// The savepoint of several statements of a repository that are committed or undone together. It is never nested in itself.
  package static let work = Savepoint(name: "repokit_work")
  /// The savepoint of each piece of work in which a failed statement would otherwise end the whole transaction.
  static let containment = Savepoint(name: "repokit_containment")
  /// The savepoint of rows that are written together, or one by one if the database refuses the whole.
  package static let batch = Savepoint(name: "repokit_batch")
  /// The savepoint of each of several rows, so that a row that can't be written is left out alone.
  static let row = Savepoint(name: "repokit_row")
  /// The savepoint of an attempt that is only made to learn its result, and always undone.
  package static let trial = Savepoint(name: "repokit_trial")
}

extension Connection {
  /// Sets a savepoint.
  package func begin(_ savepoint: Savepoint) throws(RepositoryError) {
    try execute("SAVEPOINT \(savepoint.name)")
    note(set: savepoint)
  }

  /// Keeps the changes since ``begin(_:)-(Savepoint)``, as a part of the enclosing savepoint or transaction.
  package func release(_ savepoint: Savepoint) throws(RepositoryError) {
    try execute("RELEASE \(savepoint.name)")
    note(ended: savepoint)
  }

  /// Undoes the changes since ``begin(_:)-(Savepoint)``, even if the connection is interrupted. If that fails, the whole
  /// transaction is rolled back: its commit would otherwise keep changes that were to be undone.
  package func rollBack(to savepoint: Savepoint) {
    uninterruptibly {
      defer { note(ended: savepoint) }
      // The database itself may have rolled back the whole transaction, and the savepoint with it.
      guard isInTransaction else { return }
      do throws(RepositoryError) {
        try execute("ROLLBACK TO \(savepoint.name)")
      } catch {
        return rollBack(.writing)
      }
      _ = try? execute("RELEASE \(savepoint.name)")
    }
  }

  /// Makes a failed transaction usable again, so that details of its error can be queried. Its changes since the innermost
  /// savepoint are undone, or all of them if there is no savepoint: the error that is thrown in the end has the same effect.
  package func recover(_ kind: TransactionKind) throws(RepositoryError) {
    guard raw.transactionStatus == .failed else { return }
    if let savepoint = savepoints.last {
      try execute("ROLLBACK TO \(savepoint.name)")
    } else {
      rollBack(kind)
      try begin(kind)
    }
  }

  /// Runs a closure in a savepoint, all or nothing.
  func within<Result>(
    _ savepoint: Savepoint, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    try begin(savepoint)
    do throws(RepositoryError) {
      let result = try body()
      try release(savepoint)
      return result
    } catch {
      rollBack(to: savepoint)
      throw error
    }
  }
}
