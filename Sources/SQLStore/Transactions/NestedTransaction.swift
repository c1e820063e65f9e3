import Repository

// Parts of the transaction that can be rolled back on their own, or that only read.
extension SQLTransaction {
  /// Runs a nested transaction in a savepoint; if it fails, the outer transaction may continue.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  @discardableResult
  public func transaction<Result>(
    _ body: (SQLTransaction) async throws -> Result
  ) async throws -> Result {
    try await owner.run(TransactionSteps(ofPartOf: innermost, .nested), body)
  }

  /// Reads as the transaction sees the database; writes within it are refused.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLTransaction) async throws -> Result) async throws -> Result {
    try await owner.run(TransactionSteps(ofPartOf: innermost, nil), body)
  }

  /// The innermost transaction of the current task within this one.
  var innermost: SQLTransaction {
    get throws(RepositoryError) {
      try checkActive()
      return SQLTransaction.current(from: Self.innermost, of: owner, boundTo: self) ?? self
    }
  }
}
