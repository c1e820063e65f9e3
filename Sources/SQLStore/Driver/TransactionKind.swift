/// What a transaction is for.
package enum TransactionKind: Hashable, Sendable {
  case reading
  case writing
  /// Writing by several statements that are one operation of a repository, each of which may see what others committed
  /// meanwhile.
  case operation
  /// Applying a migration, as one process at a time does.
  case migrating
  /// The same, with foreign keys checked at the end on request instead of being enforced all the time.
  case rebuilding

  /// What it needs a connection for.
  package var access: Access { self == .reading ? .read : .write }
}

/// What is done to a transaction.
package enum TransactionCommand: Hashable, Sendable {
  case begin(TransactionKind)
  case commit(TransactionKind)
  case rollBack(TransactionKind)
}

/// What a connection says about its transaction.
package enum TransactionStatus: Hashable, Sendable {
  /// None is open: a statement commits by itself.
  case none
  case open
  /// One is open in which nothing can be done but going back to a savepoint.
  case failed
}
