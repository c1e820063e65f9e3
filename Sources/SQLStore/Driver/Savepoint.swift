package import Repository

/// A point of a transaction to which it can go back alone, so that what was done before it is kept.
///
/// A nested transaction is one: it begins with a savepoint, releases it at its end, and rolls back to it where it throws. The
/// statements are the same in all databases: https://www.sqlite.org/lang_savepoint.html,
/// https://www.postgresql.org/docs/current/sql-savepoint.html
package struct Savepoint: Hashable, Sendable {
  /// Its name in SQL, where it needs no quotes.
  package let name: String

  /// The savepoint of a nested transaction.
  ///
  /// - Parameter depth: how many transactions there are around it.
  static let nested = Savepoint(name: "repokit_nested")

  /// Around several statements of a repository that are kept or undone together. It never holds another of its kind.
  package static let work = Savepoint(name: "repokit_work")
  /// Around each piece of work where a failed statement would otherwise end the whole transaction.
  static let containment = Savepoint(name: "repokit_containment")
  /// Around rows that are written together, and one by one where that is refused.
  package static let batch = Savepoint(name: "repokit_batch")
  /// Around each row of several, where one that can't be written is left out.
  static let row = Savepoint(name: "repokit_row")
  /// Around what is tried in order to learn something from it, and always undone.
  package static let trial = Savepoint(name: "repokit_trial")
}

extension Connection {
  /// Sets a savepoint.
  package func begin(_ savepoint: Savepoint) throws(RepositoryError) {
    try execute("SAVEPOINT \(savepoint.name)")
    note(set: savepoint)
  }

  /// Keeps what was done since ``begin(_:)-(Savepoint)``, as a part of what is around it.
  package func release(_ savepoint: Savepoint) throws(RepositoryError) {
    try execute("RELEASE \(savepoint.name)")
    note(ended: savepoint)
  }

  /// Undoes what was done since ``begin(_:)-(Savepoint)``, also where the connection is interrupted. Where that fails, all of the
  /// transaction is undone: a part of what was to be undone would be kept by its commit.
  package func rollBack(to savepoint: Savepoint) {
    uninterruptibly {
      defer { note(ended: savepoint) }
      // The database may have undone the whole transaction by itself, and the savepoint with it.
      guard isInTransaction else { return }
      do throws(RepositoryError) {
        try execute("ROLLBACK TO \(savepoint.name)")
      } catch {
        return rollBack(.writing)
      }
      _ = try? execute("RELEASE \(savepoint.name)")
    }
  }

  /// Makes a transaction go on that refuses everything after an error, in order to find out more about the error. What it has
  /// done is undone as far as the innermost savepoint, or all of it: the error is thrown in the end, and undoes as much.
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
