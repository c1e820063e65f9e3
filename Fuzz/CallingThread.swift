import Dispatch
import Synchronization

/// Runs the jobs of a task on the thread that waits for it: to change threads takes longer than most answers.
final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let available = DispatchSemaphore(value: 0)

  /// Runs a closure, and waits for it.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let thread = CallingThread()
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    Task.detached(executorPreference: thread) {
      let found: Swift.Result<Result, any Error>
      do { found = .success(try await body()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
    }
    while true {
      thread.available.wait()
      thread.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }?
        .runSynchronously(on: thread.asUnownedTaskExecutor())
      if let found = result.withLock({ $0 }) { return try found.get() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }
}
