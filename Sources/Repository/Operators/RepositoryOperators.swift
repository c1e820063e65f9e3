public import ErrorHandling

// Each operator returns another repository, and leaves its own unchanged: they can be chained, the last one being outermost.
// Results of successful operations pass through all of them unchanged.
extension Repository {
  /// Returns a repository that retries operations after transient errors.
  ///
  /// ```swift
  /// let patient = pokedex.retrying(5, backoff: .exponential(from: .milliseconds(20)))
  /// ```
  ///
  /// A write that has timed out is never retried, since a server may have done it. Nor is a write of a sequence whose elements
  /// were already pulled, since the sequence does not yield them again.
  ///
  /// - Parameters:
  ///   - times: the maximum number of retries.
  ///   - matcher: the errors to retry; by default the errors of a store that is busy or did not answer in time.
  ///   - backoff: the waits between two tries.
  ///   - clock: the clock of the waits. The clock of a test need not wait.
  /// - Returns: a repository that throws the error of the last try; if its task is cancelled between two tries, an error
  ///   with the code ``RepositoryError/Code/cancelled`` whose `underlying` is the error of the try before.
  @inlinable
  public func retrying(
    _ times: Int = 3, on matcher: ErrorMatcher = .transient, backoff: Backoff = .exponential(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> some Repository<Element> {
    HandlingRepository(self, .retrying(times, on: matcher, backoff: backoff, clock: clock))
  }

  /// Returns a repository that falls back to another one if this one fails.
  ///
  /// ```swift
  /// let robust = pokedex.catching { error in error.code == .corrupt ? backup : nil }
  /// ```
  ///
  /// Writes fall back, too, and are not repeated in this repository afterwards; see ``replacingErrors(with:)``, which is
  /// only for reads. Cancellation passes without a fallback.
  ///
  /// - Parameter other: opens the other repository; returns `nil` to let the error pass. It may throw another error in its
  ///   place.
  @inlinable
  public func catching(
    _ other: @escaping @Sendable (RepositoryError) async throws(RepositoryError) -> (any Repository<Element>)?
  ) -> some Repository<Element> {
    HandlingRepository(self, .catching(isReadOnly: false, other))
  }

  /// Returns a repository whose reads fall back to another one: rows that can't be read here are read there.
  ///
  /// ```swift
  /// let starters = try MemoryRepository([bulbasaur, charmander, squirtle])
  /// let lenient = pokedex.replacingErrors(with: starters)
  /// ```
  ///
  /// Writes still fail: elements that were saved in the fallback would be silently lost.
  @inlinable
  public func replacingErrors(with other: some Repository<Element>) -> some Repository<Element> {
    HandlingRepository(self, .catching(isReadOnly: true) { _ in other })
  }

  /// Returns a repository that replaces each error by another.
  ///
  /// - Parameter transform: makes the other error. The original one belongs in its `underlying`, so that the first cause is
  ///   not lost.
  @inlinable
  public func mappingErrors(
    _ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError
  ) -> some Repository<Element> {
    HandlingRepository(self, .mapping(transform))
  }

  /// Returns a repository that must not fail, for tests: a failure is a mistake in the program. The error still passes.
  ///
  /// The error of a cancelled task is not a mistake.
  ///
  /// - Parameter report: called with the failure. By default it stops the program in a debug build; a test can pass `{
  ///   Issue.record("\($0)") }`.
  @inlinable
  public func assertingNoFailure(
    _ report: @escaping @Sendable (FailedOperation) -> Void = { assertionFailure("\($0)") }
  ) -> some Repository<Element> {
    HandlingRepository(self, .observing { if $0.error.code != .cancelled { report($0) } })
  }

  /// Returns a repository that first throws each error at a handler, which asks its tree from the root down.
  ///
  /// The error passes on, whether a handler has consumed it or not: the caller has no result. So this is for errors that
  /// would be lost further up, in a `try?` or a task that is not awaited.
  @inlinable
  public func reporting(to handler: ErrorHandler) -> some Repository<Element> {
    HandlingRepository(self, .observing { await handler.throw($0.error) })
  }

  /// Returns a repository that first throws each error at the current handler of the caller.
  ///
  /// Use it in code without a handler, see `ErrorHandler.current`. Without a current handler, errors just pass.
  @inlinable
  public func reporting() -> some Repository<Element> {
    HandlingRepository(self, .observing { await ErrorHandler.current?.throw($0.error) })
  }

  /// Returns a repository that logs each failure, and lets its error pass.
  ///
  /// ```swift
  /// let logged = pokedex.logging { failure in log("\(failure)") }
  /// ```
  ///
  /// - Parameter sink: writes the log. The error and its description contain no values, so a program may log them.
  @inlinable
  public func logging(to sink: @escaping @Sendable (FailedOperation) async -> Void) -> some Repository<Element> {
    HandlingRepository(self, .observing(sink))
  }

  /// Returns a repository whose failures a policy handles: an operator of your own.
  @inlinable
  public func handlingFailures(by policy: some FailurePolicy<Element>) -> some Repository<Element> {
    HandlingRepository(self, FailureHandler(policy))
  }
}

extension ErrorMatcher {
  /// Returns a matcher of errors of repositories with these codes.
  public static func repository(_ codes: RepositoryError.Code...) -> ErrorMatcher {
    .type(RepositoryError.self) { codes.contains($0.code) }
  }

  /// A matcher of the errors of repositories that may be transient: the store is busy, or did not answer in time.
  public static let transient = repository(.busy, .timeout)
}
