import Dispatch

/// A sequence of waits between retries.
///
/// ```swift
/// let backoff = Backoff.exponential(from: .milliseconds(20), atMost: .seconds(1))
/// ```
public struct Backoff: Sendable {
  /// The maximum length of a wait, a year, which every clock can represent.
  private static let limit = Duration.seconds(365 * 24 * 3_600)

  fileprivate let wait: @Sendable (_ count: Int) -> Duration
  /// The random part of each wait.
  private let jitter: Double

  /// Makes custom waits.
  ///
  /// - Parameters:
  ///   - jitter: the random part of each wait, from 0 to 1.
  ///   - wait: returns the wait after a number of failures, 1 at first.
  public init(jitter: Double = 0, _ wait: @escaping @Sendable (_ count: Int) -> Duration) {
    self.wait = wait
    self.jitter = jitter > 0 ? min(jitter, 1) : 0
  }

  /// No wait: the next try follows immediately.
  public static let none = Backoff { _ in .zero }

  /// Returns waits of the same length.
  public static func constant(_ duration: Duration, jitter: Double = 0) -> Backoff {
    Backoff(jitter: jitter) { _ in duration }
  }

  /// Returns waits that grow by a factor.
  ///
  /// By default, each wait is twice as long as the wait before, and half of each wait is random: tasks that failed together,
  /// because of contention, don't retry together. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  ///
  /// - Parameters:
  ///   - first: the first wait.
  ///   - factor: the ratio of each wait to the previous wait; at least 1.
  ///   - longest: the maximum wait.
  ///   - jitter: the random part of each wait, from 0 to 1.
  public static func exponential(
    from first: Duration = .milliseconds(50), factor: Double = 2, atMost longest: Duration = .seconds(5),
    jitter: Double = 0.5
  ) -> Backoff {
    let factor = factor > 1 ? factor : 1
    let longest = min(max(longest, .zero), limit) / .seconds(1)
    let first = min(max(first, .zero), limit) / .seconds(1)
    return Backoff(jitter: jitter) { count in
      var seconds = first
      for _ in 1..<max(1, count) {
        if seconds == 0 || seconds >= longest || factor == 1 { break }
        seconds *= factor
      }
      return .seconds(min(seconds, longest))
    }
  }

  /// Returns the wait after a number of failures, with its random part.
  package func duration(after count: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let whole = min(max(wait(count), .zero), Self.limit)
    return jitter == 0 ? whole : whole * Double.random(in: (1 - jitter)...1, using: &generator)
  }
}

/// Polling until a deadline with exponential backoff, for a resource that can't signal that it is free, such as a lock of
/// another process.
package struct PollingBackoff: Sendable {
  // The maximum wait is also the maximum time for which a free lock remains unnoticed.
  private static let backoff = Backoff.exponential(
    from: .microseconds(200), atMost: .milliseconds(5), jitter: 0)
  private let deadline: Deadline
  private var count = 0

  /// Starts polling.
  package init(until deadline: Deadline) {
    self.deadline = deadline
  }

  /// Returns the next wait; `nil` if the deadline has passed.
  package mutating func next() -> Duration? {
    count += 1
    let wait = Self.backoff.wait(count)
    guard let remaining = deadline.remaining else { return wait }
    return remaining > .zero ? min(wait, remaining) : nil
  }

  /// Blocks the thread until the next try.
  ///
  /// - Returns: whether there was time left.
  package mutating func waitBlocking() -> Bool {
    guard let wait = next() else { return false }
    wait.block()
    return true
  }
}

extension Duration {
  /// Suspends the task for this time.
  ///
  /// - Throws: ``RepositoryError`` if the task is cancelled.
  package func suspend() async throws(RepositoryError) {
    do {
      try await Task.sleep(for: self, tolerance: .zero)
    } catch {
      throw .cancelled
    }
  }

  /// Blocks the thread for this time, of less than a second.
  package func block() {
    // A semaphore without a signal: a way to sleep that Dispatch has on every platform.
    _ = DispatchSemaphore(value: 0).wait(
      timeout: .now() + .nanoseconds(Int(components.attoseconds / 1_000_000_000)))
  }
}
