// Handlers that hear of errors and never consume them.
extension ErrorHandler {
  /// A handler below this one that hears of every error that comes down to it.
  public func listen(_ action: @escaping @Sendable (any Error) async -> Void) -> ErrorHandler {
    `catch` { error in
      await action(error)
      throw error
    }
  }

  /// A handler below this one that hears of the errors of one type.
  public func listen<Failure: Error>(
    _ type: Failure.Type, _ action: @escaping @Sendable (Failure) async -> Void
  ) -> ErrorHandler {
    `catch`(type) { error in
      await action(error)
      throw error
    }
  }

  /// A handler below this one that hears of the errors that are equal to a value.
  public func listen<Failure: Error & Equatable>(
    _ value: Failure, _ action: @escaping @Sendable (Failure) async -> Void
  ) -> ErrorHandler {
    `catch`(value) { error in
      await action(error)
      throw error
    }
  }

  /// A handler below this one that hears of the errors that a matcher matches.
  public func listen(
    matching matcher: ErrorMatcher, _ action: @escaping @Sendable (any Error) async -> Void
  ) -> ErrorHandler {
    `catch`(matching: matcher) { error in
      await action(error)
      throw error
    }
  }
}
