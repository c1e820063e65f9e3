import Synchronization

/// An observer that reads from a store again when the result may have changed; counted for as long as it is retained.
package final class StoreObserver: Sendable {
  private let signal: ChangeSignal
  /// The revision and the tables of the last read.
  private let seen = Mutex<(revision: Int, tables: TableSet)?>(nil)

  package init(of signal: ChangeSignal) {
    self.signal = signal
    signal.addObserver()
  }

  deinit {
    signal.removeObserver()
  }

  /// Waits until there may be a new result, and reads; the first call, and the one after an error, read immediately.
  ///
  /// - Parameter look: reads the result, and returns it with the tables on which it depends.
  /// - Returns: `nil` if the task is cancelled.
  package func next<Value, Failure>(
    _ look: () async throws(Failure) -> (Value, of: TableSet)
  ) async throws(Failure) -> Value? {
    await signal.waitForFirstPoll()
    if let seen = seen.withLock(\.self) { await signal.wait(beyond: seen.revision, in: seen.tables) }
    if Task.isCancelled { return nil }
    // The revision is noted before the read, so that changes in the meantime cause another read.
    let revision = signal.revision
    let (value, tables) = try await look()
    seen.withLock { $0 = (revision, tables) }
    return value
  }
}
