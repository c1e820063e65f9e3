import Dispatch
import Foundation

/// A thread for what blocks: where tests block as many threads as tasks have, one a processor, no task goes on, and a test
/// that waits for another one's tasks waits for ever.
package enum OwnThread {
  /// Runs something there.
  ///
  /// - Parameter stackSize: in bytes; the system's default unless it is given.
  package static func run<Result: Sendable>(
    stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
      if let stackSize { thread.stackSize = stackSize }
      thread.start()
    }
  }

  /// Lets other threads run, for a loop that waits on such a thread.
  package static func pause() { Thread.sleep(forTimeInterval: 0.001) }
}

/// An executor whose tasks have a thread to themselves, where tests that block theirs would keep them from running.
package final class OwnThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "a test's own thread")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A thread with as little stack as Apple's systems give to all threads but the first.
package enum SmallStack {
  /// Runs something there; what it makes is to be freed there as well.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await OwnThread.run(stackSize: 512 * 1024, body)
  }

  /// Runs checks there.
  ///
  /// - Returns: the names of those that failed, or the error that was thrown.
  package static func check(_ checks: @escaping @Sendable () throws -> [String: Bool]) async -> [String] {
    do {
      return try await run { try checks().filter { !$0.value }.keys.sorted() }
    } catch {
      return [String("\(error)".prefix(300))]
    }
  }
}
