// Handlers of an object that holds them, such as a screen: they hold it weakly, so that neither keeps the other alive.
extension ErrorHandler {
  /// A handler below this one that acts on an object; once the object is gone, errors pass.
  ///
  /// ```swift
  /// lazy var errors = flow.catch(for: self) { screen, error in await screen.show(Alert(error)) }
  /// ```
  ///
  /// - Parameter owner: is held weakly, and kept alive only while the action runs.
  public func `catch`<Owner: AnyObject & Sendable>(
    for owner: Owner, _ action: @escaping @Sendable (Owner, any Error) async throws -> Void
  ) -> ErrorHandler {
    `catch` { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// A handler below this one that acts on an object, for the errors of one type.
  public func `catch`<Owner: AnyObject & Sendable, Failure: Error>(
    _ type: Failure.Type, for owner: Owner, _ action: @escaping @Sendable (Owner, Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(type) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// A handler below this one that acts on an object, for the errors that are equal to a value.
  public func `catch`<Owner: AnyObject & Sendable, Failure: Error & Equatable>(
    _ value: Failure, for owner: Owner, _ action: @escaping @Sendable (Owner, Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(value) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// A handler below this one that acts on an object, for the errors that a matcher matches.
  public func `catch`<Owner: AnyObject & Sendable>(
    matching matcher: ErrorMatcher, for owner: Owner,
    _ action: @escaping @Sendable (Owner, any Error) async throws -> Void
  ) -> ErrorHandler {
    `catch`(matching: matcher) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// A handler below this one that tells an object of every error that comes down to it, and consumes none.
  public func listen<Owner: AnyObject & Sendable>(
    for owner: Owner, _ action: @escaping @Sendable (Owner, any Error) async -> Void
  ) -> ErrorHandler {
    listen { [weak owner] error in
      guard let owner else { return }
      await action(owner, error)
    }
  }
}
