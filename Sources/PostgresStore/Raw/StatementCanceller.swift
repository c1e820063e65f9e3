import Synchronization

/// Stops the statement that a session runs, from any thread, and none that comes after it.
///
/// A request to cancel goes to the server by a connection of its own, and hits whatever the session runs when it arrives. The
/// server answers once it has told the session. So the session starts nothing else while a request is under way.
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

  /// Asks the server to stop the statement that is running, and those that come until ``forget()``. It blocks until the server
  /// has answered.
  func cancel() {
    state.withLock { state in
      state.isAsked = true
      if state.isRunning { send() }
    }
  }

  /// Lets statements run again.
  func forget() { state.withLock { $0.isAsked = false } }

  /// Asks the server to stop the statement that is running, and it alone.
  func stop() { state.withLock { if $0.isRunning { send() } } }

  private func send() {
    guard let handle else { return }
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = message.baseAddress.map { library.cancel(handle, $0, 256) }
    }
  }
}
