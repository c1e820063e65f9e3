package import Repository

/// A position within a transaction to which it can be rolled back, so that earlier changes are kept.
///
/// A nested transaction is one: it begins with a savepoint, releases it at its end, and rolls back to it if it throws. The
/// statements are the same in all databases: https://www.sqlite.org/lang_savepoint.html,
/// https://www.postgresql.org/docs/current/sql-savepoint.html
package struct Savepoint: Hashable, Sendable {
  /// The name in SQL, which needs no quotes.
  package let name: String

  /// The savepoint of a nested transaction. Nested ones may have the same name.
  static let nested = Savepoint(name: "repokit_nested")

  /// The savepoint of several statements of a repository that are committed or undone together. It is never nested in itself.
  package static let work = Savepoint(name: "repokit_work")
  /// The savepoint of each piece of work in which a failed statement would otherwise end the whole transaction.
  static let containment = Savepoint(name: "repokit_containment")
  /// The savepoint of rows that are written together, or one by one if that is refused.
  package static let batch = Savepoint(name: "repokit_batch")
  /// The savepoint of each of several rows, so that one that can't be written is left out.
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

  /// Undoes what was done since ``begin(_:)-(Savepoint)``, also where the connection is interrupted. Where that fails, all of the
  /// transaction is undone: a part of what was to be undone would be kept by its commit.
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

  /// Makes a transaction usable that refuses everything after an error, in order to get details of the error. Its changes are
  /// undone back to the innermost savepoint, or all of them: the error is thrown in the end, with the same effect.
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
