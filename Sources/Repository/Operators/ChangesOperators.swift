public import ErrorHandling

// The operators of repositories for a live result, which otherwise ends with the first failed fetch. If its task is
// cancelled, it ends without an error, and operators are not called.
extension Changes {
  /// Returns a live result that fetches again after a transient error, up to a number of times in a row.
  ///
  /// ```swift
  /// for try await heavy in pokedex.filter({ $0.weight > 90 }).changes().retrying(10) { show(heavy) }
  /// ```
  ///
  /// - Parameters: as for `retrying` of a repository.
  public func retrying(
    _ times: Int = 3, on matcher: ErrorMatcher = .transient, backoff: Backoff = .exponential(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Changes {
    answering(by: .retrying(times, on: matcher, backoff: backoff, clock: clock))
  }

  /// Returns a live result that continues with another one if this one fails.
  ///
  /// - Parameter other: starts the other live result; returns `nil` to let the error pass.
  public func catching(
    _ other: @escaping @Sendable (RepositoryError) async throws(RepositoryError) -> Changes?
  ) -> Changes {
    answering { failure throws(RepositoryError) in
      guard let other = try await other(failure.error) else { throw failure.error }
      return other
    }
  }

  /// Returns a live result that replaces the error with which it ends.
  public func mappingErrors(
    _ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError
  ) -> Changes {
    answering(by: .mapping(transform))
  }

  /// Returns a live result that must not fail, for tests; see `assertingNoFailure` of a repository.
  public func assertingNoFailure(
    _ report: @escaping @Sendable (FailedOperation) -> Void = { assertionFailure("\($0)") }
  ) -> Changes {
    answering(by: .observing { report($0) })
  }

  /// Returns a live result that first throws the error with which it ends at a handler, which asks its tree from the root down.
  public func reporting(to handler: ErrorHandler) -> Changes {
    answering(by: .observing { await handler.throw($0.error) })
  }

  /// Returns a live result that, when it fails, first throws the error at the current handler of the awaiting task.
  public func reporting() -> Changes {
    answering(by: .observing { await ErrorHandler.current?.throw($0.error) })
  }

  /// Returns a live result that logs the failure with which it ends.
  public func logging(to sink: @escaping @Sendable (FailedOperation) async -> Void) -> Changes {
    answering(by: .observing(sink))
  }

  /// Returns a live result with a handler that never falls back to another repository.
  private func answering(by handler: FailureHandler<Element>) -> Changes {
    answering { failure throws(RepositoryError) in
      if case .fallback = try await handler.answer(failure) { throw failure.error }
      return nil
    }
  }
}
