public import ErrorHandling

// Each operator gives another repository, and the one before stays as it is: they chain, the last one is outermost.
// What succeeds passes through all of them as it is.
extension Repository {
  /// A repository that retries operations after transient errors.
  ///
  /// ```swift
  /// let patient = pokedex.retrying(5, backoff: .exponential(from: .milliseconds(20)))
  /// ```
  ///
  /// A write that has timed out is never tried again, since a server may have done it. Nor is one of a sequence whose
  /// elements were taken already: they won't come again.
  ///
  /// - Parameters:
  ///   - times: how many times at most, beside the first try.
  ///   - matcher: which errors are worth it; by default where the store is busy or did not answer in time.
  ///   - backoff: how long is waited between two tries.
  ///   - clock: waits. One of a test need not.
  /// - Returns: a repository that throws the error of the last try; where its task is cancelled between two tries, an
  ///   error with the code ``RepositoryError/Code/cancelled`` whose `underlying` is the error of the try before.
  @inlinable
  public func retrying(
    _ times: Int = 3, on matcher: ErrorMatcher = .transient, backoff: Backoff = .exponential(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> some Repository<Element> {
    HandlingRepository(self, .retrying(times, on: matcher, backoff: backoff, clock: clock))
  }

  /// A repository that falls back to another one where this one fails.
  ///
  /// ```swift
  /// let robust = pokedex.catching { error in error.code == .corrupt ? backup : nil }
  /// ```
  ///
  /// Writes fall back, too, and are not repeated in this repository afterwards; see ``replacingErrors(with:)``,
  /// which is for reading alone. Cancellation passes without a fallback.
  ///
  /// - Parameter other: opens the other one; nil to let the error pass. It may throw another error in its place.
  @inlinable
  public func catching(
    _ other: @escaping @Sendable (RepositoryError) async throws(RepositoryError) -> (any Repository<Element>)?
  ) -> some Repository<Element> {
    HandlingRepository(self, .catching(isReadOnly: false, other))
  }

  /// A repository whose reads never fail as long as another one's don't: what can't be read here is read there.
  ///
  /// ```swift
  /// let starters = try MemoryRepository([bulbasaur, charmander, squirtle])
  /// let lenient = pokedex.replacingErrors(with: starters)
  /// ```
  ///
  /// Writes still fail: what is saved in passing would be lost without a word.
  @inlinable
  public func replacingErrors(with other: some Repository<Element>) -> some Repository<Element> {
    HandlingRepository(self, .catching(isReadOnly: true) { _ in other })
  }

  /// A repository that replaces each error with another one.
  ///
  /// - Parameter transform: makes the other error. What it was made of belongs into its `underlying`, so that the first
  ///   cause is not lost.
  @inlinable
  public func mappingErrors(
    _ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError
  ) -> some Repository<Element> {
    HandlingRepository(self, .mapping(transform))
  }

  /// A repository that must not fail, for tests: a failure is a mistake in the program. Its error passes all the same.
  ///
  /// The error of a cancelled task is no mistake.
  ///
  /// - Parameter report: is called with the failure. By default the program ends there, if it is built for debugging; a
  ///   test can say `{ Issue.record("\($0)") }`.
  @inlinable
  public func assertingNoFailure(
    _ report: @escaping @Sendable (FailedOperation) -> Void = { assertionFailure("\($0)") }
  ) -> some Repository<Element> {
    HandlingRepository(self, .observing { if $0.error.code != .cancelled { report($0) } })
  }

  /// A repository that throws each error at a handler first, which asks its tree from the root down.
  ///
  /// The error passes on, whether a handler has consumed it or not: the caller has no result. So this is for errors
  /// that would be lost above, in a `try?` or a task that is not awaited.
  @inlinable
  public func reporting(to handler: ErrorHandler) -> some Repository<Element> {
    HandlingRepository(self, .observing { await handler.throw($0.error) })
  }

  /// A repository that throws each error first at the handler that is current where it was called.
  ///
  /// It is for code that holds no handler, see `ErrorHandler.current`. Where there is none, errors just pass.
  @inlinable
  public func reporting() -> some Repository<Element> {
    HandlingRepository(self, .observing { await ErrorHandler.current?.throw($0.error) })
  }

  /// A repository that logs each failure, and lets its error pass.
  ///
  /// ```swift
  /// let logged = pokedex.logging { failure in log("\(failure)") }
  /// ```
  ///
  /// - Parameter sink: writes it down. The error and its description hold no values, so they may be logged.
  @inlinable
  public func logging(to sink: @escaping @Sendable (FailedOperation) async -> Void) -> some Repository<Element> {
    HandlingRepository(self, .observing(sink))
  }

  /// A repository whose failures a policy answers: an operator of your own.
  @inlinable
  public func handlingFailures(by policy: some FailurePolicy<Element>) -> some Repository<Element> {
    HandlingRepository(self, FailureHandler(policy))
  }
}

extension ErrorMatcher {
  /// The errors of repositories with one of these codes.
  public static func repository(_ codes: RepositoryError.Code...) -> ErrorMatcher {
    .type(RepositoryError.self) { codes.contains($0.code) }
  }

  /// The errors of repositories that may be gone a moment later: the store is busy, or did not answer in time.
  public static let transient = repository(.busy, .timeout)
}
