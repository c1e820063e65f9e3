extension RepositoryError {
  /// The task was cancelled.
  package static let cancelled = RepositoryError(
    .cancelled, "the task was cancelled", reason: "nothing of what it was about to do is kept")

  /// Something was to be written within a transaction that only reads.
  package static let writeInsideRead = RepositoryError(
    .writeInsideRead, "a transaction that only reads can't write",
    reason: "what it reads is one state of the store, which a write would change",
    suggestion: "use `transaction` instead of `read`")

  /// Somebody began to observe within a transaction.
  package static let changesInsideTransaction = RepositoryError(
    .unsupported, "results can't be observed within a transaction",
    reason: "others wait for the transaction to end, which would wait for a change",
    suggestion: "begin to observe before or after it")

  /// A repository of a transaction was used after it.
  package static let transactionEnded = RepositoryError(
    .transactionEnded, "the transaction has ended",
    reason: "a repository that a transaction opened can be used within its closure alone",
    suggestion: "open a repository of the store itself")

  /// The store itself has given a transaction up.
  package static func transactionFailed(_ cause: RepositoryError?) -> RepositoryError {
    RepositoryError(
      .transactionEnded, "the transaction has failed, and nothing of it is kept",
      reason: cause.map { "after this error the store had to undo all of it: \($0.summary)" },
      suggestion: "let the error leave the closure, and try the whole transaction again", underlying: cause)
  }
}
