import Dispatch
import Repository

/// The thread on which tasks wait for a connection's server: one of those that all tasks share must not be blocked.
final class ConnectionExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "repository-kit.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Connection {
  /// Runs a closure on the thread where the connection's server may be waited for. The task goes there and back once, however many
  /// statements that takes.
  ///
  /// - Parameter isolation: where the closure comes from, which is suspended meanwhile.
  func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    guard let executor else { return try body() }
    let result = await withoutActuallyEscaping(body) { body in
      _ = isolation
      let work = Exclusive(value: body)
      return await withTaskExecutorPreference(executor) { await Self.run(work) }
    }
    return try result.value.get()
  }

  @concurrent
  private static func run<Result>(
    _ work: Exclusive<() throws(RepositoryError) -> Result>
  ) async -> Exclusive<Swift.Result<Result, RepositoryError>> {
    Exclusive(value: Swift.Result { () throws(RepositoryError) in try work.value() })
  }
}

/// What one task alone uses, on whatever thread it is.
private struct Exclusive<Value>: @unchecked Sendable {
  let value: Value
}
