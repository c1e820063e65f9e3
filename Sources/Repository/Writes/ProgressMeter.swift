/// Counts what is done and tells it now and then.
package struct ProgressMeter {
  /// After how many units it is told.
  package static let interval = 1_000

  private let total: Int?
  private let report: (@Sendable (WorkProgress) -> Void)?
  /// How many units are done.
  package private(set) var done = 0

  package init(total: Int?, _ report: (@Sendable (WorkProgress) -> Void)?) {
    self.total = total
    self.report = report
  }

  /// Notes that one more unit is done.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/cancelled`` where the task was cancelled.
  package mutating func advance() throws(RepositoryError) {
    if Task.isCancelled { throw .cancelled }
    done += 1
    if done % Self.interval == 0 { report?(WorkProgress(done: done, total: total)) }
  }

  /// Tells the end, unless it was told already.
  package func finish() {
    if done == 0 || done % Self.interval != 0 { report?(WorkProgress(done: done, total: total)) }
  }
}
