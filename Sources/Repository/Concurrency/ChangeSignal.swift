import Dispatch
import Synchronization

/// Wakes observers after a store has changed.
///
/// Without observers, a write costs one atomic load more. Changes by other programs, which the store can't notice by
/// itself, are polled for as long as there are observers.
package final class ChangeSignal: Sendable {
  private struct State {
    var revision = 0
    var waiting: [(ticket: Ticket, continuation: CheckedContinuation<Void, Never>)] = []
    var isPolling = false
  }
  private final class Ticket: Sendable {}

  private let observerCount = Atomic(0)
  private let state = Mutex(State())
  private let interval: Duration
  private let poll: (@Sendable () -> Bool)?

  /// Makes a signal.
  ///
  /// - Parameters:
  ///   - interval: how often to look for changes by others.
  ///   - poll: whether others have changed something since it was called last; `nil` where there are no others.
  package init(every interval: Duration = .milliseconds(50), poll: (@Sendable () -> Bool)? = nil) {
    self.interval = interval
    self.poll = poll
  }

  /// Notes that something was changed, after that has become visible.
  package func notify() {
    // An observer that begins after this load sees the change in its first result.
    if observerCount.load(ordering: .sequentiallyConsistent) > 0 { wake() }
  }

  /// The number of the state; it grows with each change.
  var revision: Int { state.withLock(\.revision) }

  /// Waits until there is a newer state, or until the task is cancelled.
  func wait(beyond revision: Int) async {
    let ticket = Ticket()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.revision > revision || Task.isCancelled { return true }
          state.waiting.append((ticket, continuation))
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
    observerCount.add(1, ordering: .sequentiallyConsistent)
    guard let poll else { return }
    let isFirst = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    guard isFirst else { return }
    _ = poll()
    Task.detached { [weak self, interval] in
      while (try? await Task.sleep(for: interval)) != nil, let self, self.continuesPolling() {
        // To look may take as long as to connect to a server.
        let hasChanged = await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: poll()) }
        }
        if hasChanged { self.wake() }
      }
    }
  }

  func removeObserver() {
    observerCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  private func wake() {
    let waiting = state.withLock { state in
      state.revision += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for (_, continuation) in waiting { continuation.resume() }
  }

  /// Whether there are observers; polling ends otherwise.
  private func continuesPolling() -> Bool {
    state.withLock { state in
      state.isPolling = observerCount.load(ordering: .sequentiallyConsistent) > 0
      return state.isPolling
    }
  }
}
