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
  /// The longest time that a store which ends waits for its last notification.
  private static let shutdownTimeout = DispatchTimeInterval.seconds(1)

  private let server: PostgresServer
  private let retryDelay: Duration
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
    /// Whether the last attempt to connect has failed.
    var isUnreachable = false
  }

  /// - Parameter retryDelay: the time between two attempts to connect.
  init(_ server: PostgresServer, retryDelay: Duration = .seconds(1)) {
    (self.server, self.retryDelay) = (server, retryDelay)
  }

  /// A pending notification is sent at once, because the program may end with its store. The server may not answer, so that this
  /// is done on another thread, for which this one waits no longer than a moment.
  deinit {
    guard isScheduled.load(ordering: .acquiring) else { return }
    let state = state.withLock(\.self)
    if state.session == nil, state.isUnreachable { return }
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [server, notification] in
      let session = state.session.flatMap { $0.checkIsAlive() && server.isCurrent($0) ? $0 : nil }
      _ = try? (session ?? server.connect()).run(notification)
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + Self.shutdownTimeout)
  }

  private var notification: String { "SELECT pg_notify('\(Self.channel)', '\(identifier)')" }

  /// Schedules a notification of a change.
  func scheduleNotification() { scheduleNotification(in: Self.delay) }

  private func scheduleNotification(in delay: DispatchTimeInterval) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.send() }
  }

  private func send() {
    // A change from now on is the subject of another notification.
    isScheduled.store(false, ordering: .releasing)
    let isSent = state.withLock { state in
      guard let session = session(&state) else { return false }
      do throws(PostgresError) {
        try session.run(notification)
        return true
      } catch {
        // A session that goes on would fail again, as that with a standby does.
        return !error.isConnectionLost
      }
    }
    // Writers have connections of their own, and may commit while there is none for notifications.
    if !isSent { scheduleNotification(in: .milliseconds(Int(retryDelay.milliseconds))) }
  }

  /// Returns whether other stores have notified a change since the last call, or may have done so while there was no session that
  /// listens.
  func hasReceivedNotification() -> Bool {
    state.withLock { state in
      let session = session(&state)
      if !state.isListening {
        guard let session, (try? session.run("LISTEN \(Self.channel)")) != nil else {
          state.wasLost = true
          return false
        }
        state.isListening = true
      }
      guard let session else { return false }
      var hasReceived = state.wasLost
      state.wasLost = false
      guard session.checkIsAlive() else { return hasReceived }
      while let payload = session.nextNotification() { if payload != identifier { hasReceived = true } }
      return hasReceived
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
    state.nextTry = .now + retryDelay
    state.session = try? server.connect()
    state.isUnreachable = state.session == nil
    return state.session
  }
}
