/// The treatment of elements whose key exists.
public enum WriteMode: Hashable, Sendable {
  /// An element with an existing key is a conflict.
  case insert
  /// An element with an existing key replaces the existing element.
  case save
}

/// The progress of a long operation: writing many elements, an import, a backup.
public struct WorkProgress: Hashable, Sendable {
  /// The number of completed units, such as elements.
  public let done: Int
  /// The total number of units, if it is known beforehand.
  public let total: Int?

  /// Makes a progress value.
  public init(done: Int, total: Int? = nil) {
    self.done = done
    self.total = total
  }

  /// The completed fraction, from 0 to 1, if the total is known.
  public var fraction: Double? {
    total.map { $0 == 0 ? 1 : min(1, Double(done) / Double($0)) }
  }
}

/// A meter that counts units of work and reports the count at intervals.
package struct ProgressMeter {
  /// The number of units between two reports.
  package static let interval = 1_000

  private let total: Int?
  private let report: (@Sendable (WorkProgress) -> Void)?
  /// The number of completed units.
  package private(set) var done = 0

  package init(total: Int?, _ report: (@Sendable (WorkProgress) -> Void)?) {
    self.total = total
    self.report = report
  }

  /// Counts another completed unit.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/cancelled`` if the task was cancelled.
  package mutating func advance() throws(RepositoryError) {
    if Task.isCancelled { throw .cancelled }
    done += 1
    if done % Self.interval == 0 { report?(WorkProgress(done: done, total: total)) }
  }

  /// Reports the end, unless the last report was the end.
  package func finish() {
    if done == 0 || done % Self.interval != 0 { report?(WorkProgress(done: done, total: total)) }
  }
}
