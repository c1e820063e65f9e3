public import ErrorHandling

// What the operators of repositories mean for a live result. One look that fails ends it otherwise. Where its task is
// cancelled it ends without an error, and no operator hears of that.
extension Changes {
  /// A live result that fetches again after a transient error, at most so many times in a row.
  ///
  /// ```swift
  /// for try await heavy in pokedex.changes(where: { $0.weight > 90 }).retrying(10) { show(heavy) }
  /// ```
  ///
  /// - Parameters: as for `retrying` of a repository.
  public func retrying(
    _ times: Int = 3, on matcher: ErrorMatcher = .transient, backoff: Backoff = .exponential(),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Changes {
    answering(by: .retrying(times, on: matcher, backoff: backoff, clock: clock))
  }

  /// A live result that goes on with another one where this one fails.
  ///
  /// - Parameter other: begins the other one; nil to let the error pass.
  public func catching(
    _ other: @escaping @Sendable (RepositoryError) async throws(RepositoryError) -> Changes?
  ) -> Changes {
    answering { failure throws(RepositoryError) in
      guard let other = try await other(failure.error) else { throw failure.error }
      return other
    }
  }

  /// A live result that replaces the error it ends with.
  public func mappingErrors(
    _ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError
  ) -> Changes {
    answering(by: .mapping(transform))
  }

  /// A live result that must not fail, for tests; see `assertingNoFailure` of a repository.
  public func assertingNoFailure(
    _ report: @escaping @Sendable (FailedOperation) -> Void = { assertionFailure("\($0)") }
  ) -> Changes {
    answering(by: .observing { report($0) })
  }

  /// A live result that throws the error it ends with at a handler first, which asks its tree from the root down.
  public func reporting(to handler: ErrorHandler) -> Changes {
    answering(by: .observing { await handler.throw($0.error) })
  }

  /// A live result that throws the error it ends with first at the handler that is current where it is awaited.
  public func reporting() -> Changes {
    answering(by: .observing { await ErrorHandler.current?.throw($0.error) })
  }

  /// A live result that logs the failure it ends with.
  public func logging(to sink: @escaping @Sendable (FailedOperation) async -> Void) -> Changes {
    answering(by: .observing(sink))
  }

  /// Answers with a handler that never falls back to another repository.
  private func answering(by handler: FailureHandler<Element>) -> Changes {
    answering { failure throws(RepositoryError) in
      if case .fallback = try await handler.answer(failure) { throw failure.error }
      return nil
    }
  }
}
