extension Store {
  /// Runs a transaction, and repeats all of it if the store refuses it because of concurrent transactions.
  ///
  /// ```swift
  /// try await store.transaction(attempts: 5) { _ in
  ///   var account = try await accounts.find(id) ?? Account(id: id)
  ///   account.balance -= 10
  ///   try await accounts.save(account)
  /// }
  /// ```
  ///
  /// The closure is run once for each attempt, including its side effects outside of the store.
  ///
  /// - Parameters:
  ///   - attempts: the maximum number of attempts; at least one.
  ///   - backoff: the waits between two attempts.
  ///   - clock: the clock of the waits.
  ///   - body: the work of the transaction.
  /// - Returns: what the closure returns.
  /// - Throws: as ``transaction(_:)`` does; of the ``RepositoryError/Code/busy`` errors, only that of the last attempt.
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
  /// Whether the transaction was refused because of concurrent ones, even if its closure continued after the error was thrown.
  fileprivate var isBusy: Bool {
    code == .busy || code == .transactionEnded && (underlying as? RepositoryError)?.code == .busy
  }
}
