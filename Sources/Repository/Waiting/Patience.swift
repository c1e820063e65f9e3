import Dispatch

/// How somebody waits who can't be told when something becomes free, such as a lock of another process: looks again and
/// again, in steps that grow.
package struct Patience: Sendable {
  private let deadline: Deadline
  private var step: Duration = .microseconds(200)
  /// The longest step: this much later than possible somebody may notice that he need not wait any more.
  private static let longestStep: Duration = .milliseconds(5)

  /// Makes one who waits until a deadline.
  package init(until deadline: Deadline) {
    self.deadline = deadline
  }

  /// The next step; `nil` where time is up.
  private mutating func next() -> Duration? {
    let now = step
    step = min(step * 2, Self.longestStep)
    guard let remaining = deadline.remaining else { return now }
    return remaining > .zero ? min(now, remaining) : nil
  }

  /// Waits for one step, suspended.
  ///
  /// - Returns: whether there was time left.
  /// - Throws: ``RepositoryError`` where the task is cancelled.
  package mutating func wait() async throws(RepositoryError) -> Bool {
    guard let step = next() else { return false }
    do {
      try await Task.sleep(for: step, tolerance: .zero)
    } catch {
      throw .cancelled
    }
    return true
  }

  /// Waits for one step, with the thread blocked.
  ///
  /// - Returns: whether there was time left.
  package mutating func waitBlocking() -> Bool {
    guard let step = next() else { return false }
    // A semaphore that nobody signals: the way to sleep that every platform's Dispatch has.
    _ = DispatchSemaphore(value: 0).wait(
      timeout: .now() + .nanoseconds(Int(step.components.attoseconds / 1_000_000_000)))
    return true
  }
}
