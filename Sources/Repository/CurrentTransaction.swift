/// A transaction that the current task is in, as repositories find it.
///
/// Transactions are noted in a task-local value, so that a repository that was opened before joins the one that it is used
/// in. They form a chain: each knows the one around it, be it another store's.
package protocol CurrentTransaction: AnyObject, Sendable {
  associatedtype Owner: AnyObject

  /// The store.
  var owner: Owner { get }
  /// The transaction of the same store around this one; `nil` for an outermost one.
  var parent: Self? { get }
  /// What was noted before this one, of whatever store.
  var enclosing: Self? { get }
  /// Whether it has not ended. A task that was started within a transaction may outlive it.
  var isActive: Bool { get }
}

extension CurrentTransaction {
  /// The innermost transaction of a store in a chain.
  ///
  /// - Parameters:
  ///   - innermost: the end of the chain, which the task noted last.
  ///   - owner: the store.
  ///   - bound: the transaction that a repository was opened in, if any; only one within that counts then.
  package static func current(from innermost: Self?, of owner: Owner, boundTo bound: Self?) -> Self? {
    var candidate = innermost
    while let transaction = candidate {
      if transaction.owner === owner, transaction.isActive {
        guard let bound else { return transaction }
        return transaction.isWithin(bound) ? transaction : bound
      }
      candidate = transaction.enclosing
    }
    return bound
  }

  private func isWithin(_ other: Self) -> Bool {
    var candidate: Self? = self
    while let transaction = candidate {
      if transaction === other { return true }
      candidate = transaction.parent
    }
    return false
  }
}
