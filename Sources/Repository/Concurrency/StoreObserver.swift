import Synchronization

/// One who looks at a store again when what it has read may have changed; counted for as long as it is held.
package final class StoreObserver: Sendable {
  private let signal: ChangeSignal
  /// When it looked last, and at what.
  private let seen = Mutex<(revision: Int, tables: TableSet)?>(nil)

  package init(of signal: ChangeSignal) {
    self.signal = signal
    signal.addObserver()
  }

  deinit {
    signal.removeObserver()
  }

  /// Waits until there may be something new, and looks; the first time it looks at once, and so it does after an error.
  ///
  /// - Parameter look: what is read, and of which tables a change may change it.
  /// - Returns: `nil` where the task is cancelled.
  package func next<Value, Failure>(
    _ look: () async throws(Failure) -> (Value, of: TableSet)
  ) async throws(Failure) -> Value? {
    if let seen = seen.withLock(\.self) { await signal.wait(beyond: seen.revision, in: seen.tables) }
    if Task.isCancelled { return nil }
    // Before the look: what changes meanwhile is looked at once more.
    let revision = signal.revision
    let (value, tables) = try await look()
    seen.withLock { $0 = (revision, tables) }
    return value
  }
}
