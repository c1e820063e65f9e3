import Repository
import Synchronization

/// A deadline that passes at a step of a program, so that no order depends on how long anything takes.
package final class ManualDeadline: DeadlineSignal {
  private final class Ticket: Sendable {}
  private struct State {
    var hasPassed = false
    var waiting: [(ticket: Ticket, continuation: CheckedContinuation<Void, Never>)] = []
  }

  package let executor: any TaskExecutor
  private let state = Mutex(State())

  /// - Parameter executor: where those that wait for it run.
  package init(on executor: any TaskExecutor) { self.executor = executor }

  package var hasPassed: Bool { state.withLock(\.hasPassed) }

  package func pass() {
    let waiting = state.withLock { state in
      defer { state = State(hasPassed: true) }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume() }
  }

  package func wait() async -> Bool {
    let ticket = Ticket()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.hasPassed || Task.isCancelled { return true }
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
    return !Task.isCancelled
  }
}
