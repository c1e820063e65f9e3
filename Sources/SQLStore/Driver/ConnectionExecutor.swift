import Dispatch
import Repository

/// An executor on whose thread tasks wait for a connection's server: the threads that all tasks share must not be blocked.
package final class ConnectionExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "repository-kit.connection")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Connection {
  /// Runs a closure on the thread where it may wait for the connection's server. The task switches to the thread and back only
  /// once, for any number of statements.
  ///
  /// - Parameter isolation: the isolation of the caller, which is suspended meanwhile.
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

/// A value that only one task uses, on any thread.
private struct Exclusive<Value>: @unchecked Sendable {
  let value: Value
}
