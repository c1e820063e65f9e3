/// The point in time until which a task or thread waits.
package struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant?
  /// The object that says whether the deadline has passed; `nil` for the clock.
  private let signal: (any DeadlineSignal)?

  /// Makes a deadline after a duration from now; one of more than a year never passes.
  package init(in duration: Duration) {
    self.init(instant: duration > .seconds(365 * 86_400) ? nil : ContinuousClock.now + max(duration, .zero))
  }

  /// Makes a deadline that passes when a signal says so. Only waits of tasks for a resource regard it.
  package init(by signal: any DeadlineSignal) {
    (instant, self.signal) = (nil, signal)
  }

  private init(instant: ContinuousClock.Instant?) {
    (self.instant, signal) = (instant, nil)
  }

  /// A deadline that never passes.
  package static let never = Deadline(instant: nil)

  /// Whether the deadline has passed.
  package var hasPassed: Bool { instant.map { $0 <= .now } ?? signal?.hasPassed ?? false }

  /// The executor on which a task waits for the deadline; `nil` for the threads that all tasks share.
  var executor: (any TaskExecutor)? { signal?.executor }

  /// The remaining time, zero if it has passed; `nil` for a deadline that never passes.
  package var remaining: Duration? { instant.map { max($0 - .now, .zero) } }

  /// Waits until the deadline.
  ///
  /// The wait is divided into steps. On a busy machine, the tasks that hold the resource are not scheduled in time either: each
  /// step is then delayed as much as they are, so that a task does not time out only because it was not scheduled.
  ///
  /// - Returns: whether the deadline has passed; false if the task was cancelled before.
  package func wait() async -> Bool {
    guard let remaining else { return await signal?.wait() ?? false }
    let steps = min(max(Int(min((remaining / Self.step).rounded(.up), 1e6)), 1), Self.mostSteps)
    for _ in 0..<steps {
      guard (try? await Task.sleep(for: remaining / steps, tolerance: .zero)) != nil else { return false }
    }
    return true
  }

  private static let step = Duration.milliseconds(50)
  private static let mostSteps = 100
}

/// A clock that a test controls, so that it can try a deadline that passes at any step.
package protocol DeadlineSignal: Sendable {
  /// Whether the deadline has passed.
  var hasPassed: Bool { get }
  /// The executor on which a task waits for the deadline.
  var executor: any TaskExecutor { get }
  /// Waits until the deadline has passed.
  ///
  /// - Returns: false if the task was cancelled before.
  func wait() async -> Bool
}
