import Dispatch
import Synchronization

/// A canceller of what a session runs, which may be called from any thread, and never cancels a later statement.
///
/// A request to cancel is sent to the server over a separate connection, and cancels whatever the session runs when it
/// arrives. The server answers once it has signalled the session, so the session starts no other statement while a request is
/// pending.
///
/// A request is repeated for as long as the statement runs: PostgreSQL ignores one that arrives before the session has begun to
/// read the statement (`ProcessInterrupts` in
/// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/tcop/postgres.c), and one may be lost on its way.
final class StatementCanceller: Sendable {
  /// The state of a session: what it runs.
  enum Work {
    /// A statement, which ``cancel()`` and ``stop()`` interrupt.
    case statement
    /// A commit, which only ``cancelForGood()`` interrupts.
    case commit
  }

  private struct State {
    /// The number of the running statement, or of the last one.
    var number = 0
    var running: Work?
    /// Whether statements are to be cancelled.
    var isAsked = false
    /// Whether commits are to be cancelled.
    var isAskedForGood = false
    /// The number of a statement that alone is to be cancelled.
    var stopped = 0
    /// The number of the statement whose requests are repeated.
    var repeated = 0

    var isWanted: Bool {
      switch running {
      case .statement: isAsked || stopped == number
      case .commit: isAskedForGood
      case nil: false
      }
    }
  }

  private static let firstWait = 50
  private static let longestWait = 5_000

  private let state = Mutex(State())
  private let request: @Sendable () -> Void
  private let later: @Sendable (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - request: requests the server to cancel what the session runs, and returns once it has done so.
  ///   - later: runs a closure later, on another thread.
  init(
    requesting request: @escaping @Sendable () -> Void,
    later: @escaping @Sendable (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> Void
  ) {
    (self.request, self.later) = (request, later)
  }

  convenience init(_ library: LibPQ, of connection: OpaquePointer) {
    let handle = CancelHandle(library, of: connection)
    self.init(requesting: { handle.send() }) { milliseconds, body in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
  }

  func begin(_ work: Work = .statement) {
    state.withLock { state in
      state.number += 1
      state.running = work
      send(&state, nextAfter: Self.firstWait)
    }
  }

  func end() { state.withLock { $0.running = nil } }

  /// Requests the server to cancel the running statement, and later ones until ``forget()``. The call blocks until the server
  /// has answered.
  func cancel() {
    state.withLock { state in
      state.isAsked = true
      send(&state, nextAfter: Self.firstWait)
    }
  }

  /// Requests the server to cancel the running commit, and later ones.
  func cancelForGood() {
    state.withLock { state in
      state.isAskedForGood = true
      send(&state, nextAfter: Self.firstWait)
    }
  }

  /// Allows statements to run again.
  func forget() { state.withLock { $0.isAsked = false } }

  /// Requests the server to cancel only the running statement.
  func stop() {
    state.withLock { state in
      state.stopped = state.number
      send(&state, nextAfter: Self.firstWait)
    }
  }

  /// Sends a request if one is wanted, and another one later.
  private func send(_ state: inout State, nextAfter wait: Int) {
    guard state.isWanted else { return }
    // While the lock is held, the session can't go on to another statement, which the request would cancel.
    request()
    if state.repeated == state.number { return }
    state.repeated = state.number
    let number = state.number
    later(wait) { [weak self] in self?.sendAgain(for: number, nextAfter: wait * 2) }
  }

  private func sendAgain(for number: Int, nextAfter wait: Int) {
    state.withLock { state in
      guard state.repeated == number else { return }
      state.repeated = 0
      if state.number == number { send(&state, nextAfter: min(wait, Self.longestWait)) }
    }
  }
}

/// libpq's means to cancel what a session runs, which any thread may use.
private final class CancelHandle: @unchecked Sendable {
  // It is not changed after it was made: "can safely be invoked from a signal handler" and from other threads,
  // https://www.postgresql.org/docs/15/libpq-cancel.html
  private let library: LibPQ
  private let handle: OpaquePointer?

  init(_ library: LibPQ, of connection: OpaquePointer) {
    self.library = library
    handle = library.getCancel(connection)
  }

  deinit { handle.map(library.freeCancel) }

  func send() {
    guard let handle else { return }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = message.baseAddress.map { library.cancel(handle, $0, 256) }
    }
  }
}
