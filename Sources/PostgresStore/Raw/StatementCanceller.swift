import Synchronization

/// A canceller of the running statement of a session, which may be called from any thread, and never cancels a later statement.
///
/// A request to cancel is sent to the server over a separate connection, and cancels whatever the session runs when it
/// arrives. The server answers once it has signalled the session, so the session starts no other statement while a request is
/// pending.
final class StatementCanceller: @unchecked Sendable {
  private let library: LibPQ
  private let handle: OpaquePointer?
  private let state = Mutex((isRunning: false, isAsked: false))

  init(_ library: LibPQ, of connection: OpaquePointer) {
    self.library = library
    handle = library.getCancel(connection)
  }

  deinit { handle.map(library.freeCancel) }

  func begin() {
    state.withLock { state in
      state.isRunning = true
      if state.isAsked { send() }
    }
  }

  func end() { state.withLock { $0.isRunning = false } }

  /// Requests the server to cancel the running statement, and later ones until ``forget()``. The call blocks until the server
  /// has answered.
  func cancel() {
    state.withLock { state in
      state.isAsked = true
      if state.isRunning { send() }
    }
  }

  /// Allows statements to run again.
  func forget() { state.withLock { $0.isAsked = false } }

  /// Requests the server to cancel only the running statement.
  func stop() { state.withLock { if $0.isRunning { send() } } }

  private func send() {
    guard let handle else { return }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = message.baseAddress.map { library.cancel(handle, $0, 256) }
    }
  }
}
