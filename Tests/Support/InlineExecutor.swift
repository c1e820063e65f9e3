import Synchronization

/// Runs the jobs of a task within the call that enqueues them, so that a test knows how far the task has come: when
/// `Task(executorPreference: InlineExecutor.shared)` returns, the task is suspended or over, and when something resumes it,
/// it runs to its next suspension before that call returns.
package final class InlineExecutor: TaskExecutor {
  package static let shared = InlineExecutor()

  package func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// Suspends tasks until a test lets them go on.
package final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  package init() {}

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  package var isOpen: Bool { state.withLock(\.isOpen) }

  package func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// What a task has come across so far, in order.
package final class Journal<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  package init() {}

  package func note(_ entry: Entry) { state.withLock { $0.append(entry) } }

  package var entries: [Entry] { state.withLock(\.self) }
}
