import Dispatch

/// The waits between retries.
///
/// ```swift
/// let backoff = Backoff.exponential(from: .milliseconds(20), atMost: .seconds(1))
/// ```
public struct Backoff: Sendable {
  /// No wait is longer than a year, so that none is beyond what a clock can tell.
  private static let limit = Duration.seconds(365 * 24 * 3_600)

  fileprivate let wait: @Sendable (_ count: Int) -> Duration
  /// The random part of each wait.
  private let jitter: Double

  /// Makes custom waits.
  ///
  /// - Parameters:
  ///   - jitter: the random part of each wait, from 0 to 1.
  ///   - wait: how long is waited after so many failures, 1 at first.
  public init(jitter: Double = 0, _ wait: @escaping @Sendable (_ count: Int) -> Duration) {
    self.wait = wait
    self.jitter = jitter > 0 ? min(jitter, 1) : 0
  }

  /// The next try follows at once.
  public static let none = Backoff { _ in .zero }

  /// The same wait each time.
  public static func constant(_ duration: Duration, jitter: Double = 0) -> Backoff {
    Backoff(jitter: jitter) { _ in duration }
  }

  /// Waits that grow from one to the next.
  ///
  /// By default each is twice as long as the one before, and half of it is random: tasks that failed together,
  /// because they got into each other's way, don't retry together.
  /// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
  ///
  /// - Parameters:
  ///   - first: the first wait.
  ///   - factor: how much longer each is than the one before; at least 1.
  ///   - longest: no wait is longer.
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

  /// The wait after so many failures, with its chance part.
  package func duration(after count: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let whole = min(max(wait(count), .zero), Self.limit)
    return jitter == 0 ? whole : whole * Double.random(in: (1 - jitter)...1, using: &generator)
  }
}

/// Polls until a deadline with exponential back-off, for what can't announce that it is free, such as a lock of another
/// process.
package struct PollingBackoff: Sendable {
  // The longest wait is also the longest time for which a lock stays free without being noticed.
  private static let backoff = Backoff.exponential(
    from: .microseconds(200), atMost: .milliseconds(5), jitter: 0)
  private let deadline: Deadline
  private var count = 0

  /// Starts polling.
  package init(until deadline: Deadline) {
    self.deadline = deadline
  }

  /// The next wait; `nil` where the deadline has passed.
  private mutating func next() -> Duration? {
    count += 1
    let wait = Self.backoff.wait(count)
    guard let remaining = deadline.remaining else { return wait }
    return remaining > .zero ? min(wait, remaining) : nil
  }

  /// Waits before the next try, suspended.
  ///
  /// - Returns: whether there was time left.
  /// - Throws: ``RepositoryError`` where the task is cancelled.
  package mutating func wait() async throws(RepositoryError) -> Bool {
    guard let wait = next() else { return false }
    do {
      try await Task.sleep(for: wait, tolerance: .zero)
    } catch {
      throw .cancelled
    }
    return true
  }

  /// Waits before the next try, with the thread blocked.
  ///
  /// - Returns: whether there was time left.
  package mutating func waitBlocking() -> Bool {
    guard let wait = next() else { return false }
    // A semaphore without a signal: the way to sleep that every platform's Dispatch has.
    _ = DispatchSemaphore(value: 0).wait(
      timeout: .now() + .nanoseconds(Int(wait.components.attoseconds / 1_000_000_000)))
    return true
  }
}
