extension SQLiteStore {
  /// Does things in a transaction, and undoes them once it is known what they came to.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does; it is all undone then as well.
  package func rehearse<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    var result: Result?
    do {
      try transaction { (transaction: SQLiteTransaction) in
        result = try body(transaction)
        // A transaction is undone by any error.
        throw Undoing()
      }
    } catch is Undoing {}
    guard let result else { throw Undoing() }
    return result
  }
}

/// What ends a transaction that is not to be kept.
private struct Undoing: Error {}
