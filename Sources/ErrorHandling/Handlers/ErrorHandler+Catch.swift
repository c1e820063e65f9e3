// Handlers for some errors; they let all others pass.
extension ErrorHandler {
  /// A handler below this one, for the errors of one type.
  ///
  /// On Apple's systems every error can be cast to `NSError`, so use ``ErrorMatcher/nsError(domain:code:)`` there.
  public func `catch`<Failure: Error>(
    _ type: Failure.Type, _ action: @escaping @Sendable (Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch` { error in
      guard let failure = error as? Failure else { throw error }
      try await action(failure)
    }
  }

  /// A handler below this one, for the errors that are equal to a value.
  public func `catch`<Failure: Error & Equatable>(
    _ value: Failure, _ action: @escaping @Sendable (Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(Failure.self) { error in
      guard error == value else { throw error }
      try await action(error)
    }
  }

  /// A handler below this one, for the errors that a matcher matches.
  public func `catch`(matching matcher: ErrorMatcher, _ action: @escaping Action) -> ErrorHandler {
    `catch` { error in
      guard matcher.matches(error) else { throw error }
      try await action(error)
    }
  }

  /// Puts another error in the place of one of a type, for the handlers below.
  public func replace<Failure: Error>(
    _ type: Failure.Type, with replacement: @escaping @Sendable (Failure) async -> any Error
  ) -> ErrorHandler {
    `catch`(type) { throw await replacement($0) }
  }

  /// Puts another error in the place of each that a matcher matches, for the handlers below.
  public func replace(
    matching matcher: ErrorMatcher, with replacement: @escaping @Sendable (any Error) async -> any Error
  ) -> ErrorHandler {
    `catch`(matching: matcher) { throw await replacement($0) }
  }
}
