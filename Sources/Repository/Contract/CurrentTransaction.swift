/// A transaction of the current task, as repositories find it.
///
/// Transactions are held in a task-local value, so that a repository that was opened before joins the transaction in which it
/// is used. Transactions form a chain: each refers to the enclosing one, which may be of another store.
package protocol CurrentTransaction: AnyObject, Sendable {
  associatedtype Owner: AnyObject

  /// The store.
  var owner: Owner { get }
  /// The enclosing transaction of the same store; `nil` for an outermost one.
  var parent: Self? { get }
  /// The enclosing transaction, of whatever store.
  var enclosing: Self? { get }
  /// Whether the transaction has not ended. A task that was started within a transaction may outlive it.
  var isActive: Bool { get }
}

extension CurrentTransaction {
  /// Returns the innermost transaction of a store in a chain.
  ///
  /// - Parameters:
  ///   - innermost: the end of the chain, the last transaction of the task.
  ///   - owner: the store.
  ///   - bound: the transaction in which a repository was opened, if any; then only a transaction within it counts.
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
