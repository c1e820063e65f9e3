import Synchronization

/// A clock that waits for nobody, and notes for how long it was to wait.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private let state = Mutex<[Duration]>([])

  /// How long each wait was.
  var waits: [Duration] { state.withLock(\.self) }
  var now: Instant { Instant(offset: waits.reduce(.zero, +)) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let wait = now.duration(to: deadline)
    state.withLock { $0.append(wait) }
  }
}
