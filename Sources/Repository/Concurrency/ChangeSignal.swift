import Dispatch
import Synchronization

/// A signal that wakes observers after a store has changed.
///
/// Without observers, it costs a write one atomic load. Changes by other programs, which the store can't detect itself, are
/// polled for as long as there are observers.
package final class ChangeSignal: Sendable {
  fileprivate struct State {
    var revision = 0
    /// The revision of the last change of each table.
    var changes: [[UInt8]: Int] = [:]
    /// The last revision in which any table may have changed.
    var unknownChange = 0
    var waiting: [(ticket: Ticket, tables: TableSet, continuation: CheckedContinuation<Void, Never>)] = []
    var isPolling = false
  }
  fileprivate final class Ticket: Sendable {}

  private let observerCount = Atomic(0)
  private let state = Mutex(State())
  private let interval: Duration
  private let poll: (@Sendable () -> Bool)?

  /// Makes a signal.
  ///
  /// - Parameters:
  ///   - interval: the interval between polls for changes by other programs.
  ///   - poll: returns whether other programs have changed something since its last call; `nil` if no other program can.
  package init(every interval: Duration = .milliseconds(50), poll: (@Sendable () -> Bool)? = nil) {
    self.interval = interval
    self.poll = poll
  }

  /// Records a change, after it has become visible.
  ///
  /// - Parameter tables: the changed tables; evaluated only if there are observers.
  package func notify(_ tables: @autoclosure () -> TableSet = .all) {
    if isObserved { wake(tables()) }
  }

  /// Whether there are observers. An observer that starts later sees earlier changes in its first result.
  var isObserved: Bool { observerCount.load(ordering: .sequentiallyConsistent) > 0 }

  /// The number of the state; it grows with each change.
  package var revision: Int { state.withLock(\.revision) }

  /// The last revision in which any table may have changed: by other programs, or by statements of unknown effect.
  package var revisionOfUnknownChange: Int { state.withLock(\.unknownChange) }

  /// Waits until one of several tables has changed after a revision, or until the task is cancelled.
  func wait(beyond revision: Int, in tables: TableSet) async {
    let ticket = Ticket()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.hasChange(beyond: revision, in: tables) || Task.isCancelled { return true }
          state.waiting.append((ticket, tables, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume()
    }
  }

  func addObserver() {
    let isAlone = observerCount.add(1, ordering: .sequentiallyConsistent).oldValue == 0
    // Changes without observers were not recorded: any table may have changed.
    if isAlone { state.withLock { $0.note(.all) } }
    guard let poll else { return }
    let isFirst = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    guard isFirst else { return }
    _ = poll()
    Task.detached { [weak self, interval] in
      while (try? await Task.sleep(for: interval)) != nil, let self, self.continuesPolling() {
        // A poll may block for as long as a connection to a server takes, and must not block a thread of tasks.
        let hasChanged = await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: poll()) }
        }
        if hasChanged { self.wake(.all) }
      }
    }
  }

  func removeObserver() {
    observerCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  private func wake(_ tables: TableSet) {
    let woken = state.withLock { state in
      state.note(tables)
      let split = state.waiting.partition { $0.tables.intersects(tables) }
      defer { state.waiting.removeSubrange(split...) }
      return state.waiting[split...]
    }
    for observer in woken { observer.continuation.resume() }
  }

  /// Whether there are observers; polling ends otherwise.
  private func continuesPolling() -> Bool {
    state.withLock { state in
      state.isPolling = observerCount.load(ordering: .sequentiallyConsistent) > 0
      return state.isPolling
    }
  }
}

extension ChangeSignal.State {
  /// Records a change of tables.
  fileprivate mutating func note(_ tables: TableSet) {
    revision += 1
    switch tables {
    case .only(let names): for name in names { changes[name] = revision }
    case .allBut: unknownChange = revision
    }
  }

  /// Returns whether one of several tables has changed after a revision.
  fileprivate func hasChange(beyond revision: Int, in tables: TableSet) -> Bool {
    if unknownChange > revision { return true }
    return switch tables {
    case .only(let names): names.contains { changes[$0, default: 0] > revision }
    case .allBut(let names): changes.contains { $1 > revision && !names.contains($0) }
    }
  }
}
