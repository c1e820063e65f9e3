import Repository
import Synchronization
import WebRepositoryFormat

/// The deadline for the answer to a request, which is extended for as long as the body of the request is on its way: a body may be
/// produced for hours.
final class AnswerDeadline: Sendable {
  private struct State {
    /// Whether the transport waits for the next chunk of the body.
    var isProducing = false
    /// The time at which the request or a part of it was last known to be on its way.
    var start: ContinuousClock.Instant
  }

  private let timeout: Duration
  private let state: Mutex<State>

  init(in timeout: Duration, from now: ContinuousClock.Instant = .now) {
    self.timeout = timeout
    state = Mutex(State(start: now))
  }

  /// The time until the deadline, which may be extended meanwhile.
  func rest(at now: ContinuousClock.Instant = .now) -> Duration {
    state.withLock { $0.isProducing ? timeout : $0.start + timeout - now }
  }

  /// Records that a part of the request was sent, or produced.
  func note(isProducing: Bool = false, at now: ContinuousClock.Instant = .now) {
    state.withLock { $0 = State(isProducing: isProducing, start: now) }
  }

  /// Returns the same body, whose production does not count.
  func observing(_ body: WebBody) -> WebBody {
    if body.bytes != nil { return body }
    return WebBody(chunks: {
      var chunks = body.makeAsyncIterator()
      return {
        self.note(isProducing: true)
        defer { self.note() }
        return try await chunks.next()
      }
    })
  }
}
