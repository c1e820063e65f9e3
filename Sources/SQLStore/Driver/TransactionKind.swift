/// The purpose of a transaction.
package enum TransactionKind: Hashable, Sendable {
  case reading
  case writing
  /// Writing by several statements of one operation of a repository, each of which may see what other transactions have
  /// committed in the meantime.
  case operation
  /// Applying a migration, which only one process does at a time.
  case migrating
  /// Applying a migration with foreign keys checked at the end on request, instead of being enforced throughout.
  case rebuilding

  /// The access to a connection that the transaction needs.
  package var access: Access { self == .reading ? .read : .write }
}

/// A command on a transaction.
package enum TransactionCommand: Hashable, Sendable {
  case begin(TransactionKind)
  case commit(TransactionKind)
  case rollBack(TransactionKind)
}

/// The transaction status of a connection.
package enum TransactionStatus: Hashable, Sendable {
  /// No transaction is open: a statement commits by itself.
  case none
  case open
  /// A transaction is open that only accepts a rollback to a savepoint.
  case failed
}
