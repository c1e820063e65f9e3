/// Until when somebody waits.
package struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant?

  /// In some time from now; what is longer than a year never comes.
  package init(in duration: Duration) {
    instant = duration > .seconds(365 * 86_400) ? nil : ContinuousClock.now + max(duration, .zero)
  }

  private init(instant: ContinuousClock.Instant?) {
    self.instant = instant
  }

  /// No end.
  package static let never = Deadline(instant: nil)

  /// Whether it is past.
  package var hasPassed: Bool { instant.map { $0 <= .now } ?? false }

  /// How much time is left, none where it has passed; `nil` for ever.
  package var remaining: Duration? { instant.map { max($0 - .now, .zero) } }

  /// Waits until it comes.
  ///
  /// It does so in steps: on a machine that is too busy to run this task in time, it is too busy as well for those who are
  /// waited for, and that time must not count in full.
  ///
  /// - Returns: whether it came; false where the task was cancelled before.
  package func wait() async -> Bool {
    guard let step = remaining.map({ $0 / Self.steps }) else { return false }
    for _ in 0..<Self.steps {
      guard (try? await Task.sleep(for: step, tolerance: .milliseconds(1))) != nil else { return false }
    }
    return true
  }

  private static let steps = 8
}
