import Dispatch
import Repository
import Synchronization

/// The notifications of changes between stores in different processes, by `NOTIFY`.
///
/// A store notifies after a commit, in a separate session and at most a hundred times a second, so that writers don't wait:
/// PostgreSQL lets only one transaction that notifies commit at a time. Changes right before a process is killed may not be
/// notified. https://www.postgresql.org/docs/15/sql-notify.html
final class ChangeNotifications: Sendable {
  private static let channel = "repokit"
  private static let delay = DispatchTimeInterval.milliseconds(10)
  private static let retryDelay = Duration.seconds(1)

  private let server: PostgresServer
  private let queue = DispatchQueue(label: "repository-kit.notifications")
  /// The identifier by which a store recognises its own notifications.
  private let identifier = String(UInt64.random(in: 1...(.max)), radix: 36)
  private let isScheduled = Atomic(false)
  /// The session, which one thread uses at a time: the queue for notifications, or a thread that polls.
  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    var session: ServerSession?
    var isListening = false
    /// Whether changes may have been missed.
    var wasLost = false
    var nextTry = ContinuousClock.now
  }

  init(_ server: PostgresServer) { self.server = server }

  /// A pending notification is sent at once, because the program may end with its store.
  deinit { if isScheduled.load(ordering: .acquiring) { send() } }

  /// Schedules a notification of a change.
  func tell() {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.send() }
  }

  private func send() {
    // A change from now on is the subject of another notification.
    isScheduled.store(false, ordering: .releasing)
    state.withLock { state in
      guard let session = session(&state) else { return }
      _ = try? session.run("SELECT pg_notify('\(Self.channel)', '\(identifier)')")
    }
  }

  /// Returns whether other stores have notified a change since the last call, or may have done so while there was no session.
  func hasHeard() -> Bool {
    state.withLock { state in
      guard let session = session(&state) else { return false }
      if !state.isListening {
        guard (try? session.run("LISTEN \(Self.channel)")) != nil else { return false }
        state.isListening = true
      }
      var hasHeard = state.wasLost
      state.wasLost = false
      guard session.checkIsAlive() else { return hasHeard }
      while let payload = session.nextNotification() { if payload != identifier { hasHeard = true } }
      return hasHeard
    }
  }

  /// Returns the session, reopened if it was lost, though at most once a second.
  private func session(_ state: inout State) -> ServerSession? {
    if let session = state.session {
      if session.checkIsAlive(), server.isCurrent(session) { return session }
      state.session = nil
      state.wasLost = state.wasLost || state.isListening
      state.isListening = false
    }
    guard .now >= state.nextTry else { return nil }
    state.nextTry = .now + Self.retryDelay
    state.session = try? server.connect()
    return state.session
  }
}
