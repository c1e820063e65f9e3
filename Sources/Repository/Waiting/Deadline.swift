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
  /// It does so in steps. Where this task gets no thread in time, those who are waited for get none either: each step comes
  /// late by one turn then, as each of those does who stand before, so that nobody gives up who only waits for a thread.
  ///
  /// - Returns: whether it came; false where the task was cancelled before.
  package func wait() async -> Bool {
    guard let remaining else { return false }
    let steps = min(max(Int(min((remaining / Self.step).rounded(.up), 1e6)), 1), Self.mostSteps)
    for _ in 0..<steps {
      guard (try? await Task.sleep(for: remaining / steps, tolerance: .zero)) != nil else { return false }
    }
    return true
  }

  private static let step = Duration.milliseconds(50)
  private static let mostSteps = 100
}
