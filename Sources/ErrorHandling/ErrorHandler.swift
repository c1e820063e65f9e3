/// A node in a tree of error handlers, in which errors are handled from the root down.
///
/// An error that is thrown at a handler rises to the root, past all handlers in between. From there it descends the
/// same way, and each handler may consume it, let it pass, or replace it for those below. So errors that affect the
/// whole program are handled once, and the others come down to the flow and the screen that know more.
///
/// ```swift
/// let root = ErrorHandler()
///   .listen { error in log("\(error)") }
///   .catch(SessionError.expired) { _ in await restart() }
/// let flow = root.catch(TrainerError.self) { error in await show(error) }
/// let screen = flow.catch { error in await showPlainly(error) }
///
/// await screen.throw(SessionError.expired)  // the root's: neither flow nor screen hear of it
/// ```
///
/// A handler never changes: `catch`, `listen` and `replace` return a new handler below it. A handler retains the one above it,
/// and none retains those below, so that a screen is freed when its owner releases it. The forms with `for:` hold their owner
/// weakly.
///
/// Any number of tasks may throw at one tree concurrently. For one error the order is fixed: root first, each handler is
/// awaited before the next, and `finally` is called last, once. Handlers run where the thrower runs, unless they are
/// declared otherwise, as `{ @MainActor error in … }` is.
public final class ErrorHandler: Sendable {
  /// A closure that consumes an error by returning. By throwing, it lets the error pass, or passes another one instead.
  public typealias Action = @Sendable (any Error) async throws -> Void

  private let parent: ErrorHandler?
  private let action: Action
  /// The closure for unhandled errors; only the root has one.
  private let unhandled: (@Sendable (any Error) async -> Void)?

  /// Makes a root.
  ///
  /// - Parameter unhandled: called with each error that no handler has consumed, as the last handler passed it. A fallback
  ///   belongs here, since the root itself is called before the other handlers.
  public init(unhandled: (@Sendable (any Error) async -> Void)? = nil) {
    parent = nil
    action = { throw $0 }
    self.unhandled = unhandled
  }

  private init(parent: ErrorHandler, _ action: @escaping Action) {
    self.parent = parent
    self.action = action
    unhandled = nil
  }

  /// Returns a handler below this one, for every error that descends to it.
  ///
  /// - Parameter action: consumes the error by returning; throws it to let it pass, or throws another one, which the
  ///   handlers below receive instead.
  public func `catch`(_ action: @escaping Action) -> ErrorHandler { ErrorHandler(parent: self, action) }

  /// Throws an error at the root, from which it descends to this handler, until a handler consumes it.
  ///
  /// The handlers that are above this one at the time of the call are called; they stay alive until this call returns. A
  /// cancelled task's errors are handled, too.
  ///
  /// A handler may throw other errors at the tree meanwhile. If that recurses, such as in a log that fails and logs its
  /// failure, no handler is called beyond ``maximumDepth``.
  ///
  /// - Returns: whether a handler has consumed the error.
  @discardableResult
  public func `throw`(_ error: any Error) async -> Bool {
    guard let nesting = Nesting(below: Nesting.current) else { return false }
    defer { nesting.end() }
    return await Nesting.$current.withValue(nesting) { await descend(with: error) }
  }

  /// Throws an error at the root, from which it descends to this handler, and then calls a closure with the outcome.
  ///
  /// - Parameter finally: called once, with whether a handler has consumed the error.
  public func `throw`(_ error: any Error, finally: (_ isHandled: Bool) async -> Void) async {
    await finally(await `throw`(error))
  }

  /// The maximum depth of nested handlings.
  public static let maximumDepth = 32

  private func descend(with error: any Error) async -> Bool {
    let path = path
    var error = error
    for handler in path {
      do {
        try await handler.action(error)
        return true
      } catch let passed {
        error = passed
      }
    }
    await path[0].unhandled?(error)
    return false
  }

  /// The handlers from the root to this one.
  private var path: [ErrorHandler] {
    var path = [self]
    while let parent = path[path.count - 1].parent { path.append(parent) }
    path.reverse()
    return path
  }
}

// Handlers for some errors, which let all others pass.
extension ErrorHandler {
  /// Returns a handler below this one, for the errors of one type.
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

  /// Returns a handler below this one, for the errors that are equal to a value.
  public func `catch`<Failure: Error & Equatable>(
    _ value: Failure, _ action: @escaping @Sendable (Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(Failure.self) { error in
      guard error == value else { throw error }
      try await action(error)
    }
  }

  /// Returns a handler below this one, for the errors that a matcher matches.
  public func `catch`(matching matcher: ErrorMatcher, _ action: @escaping Action) -> ErrorHandler {
    `catch` { error in
      guard matcher.matches(error) else { throw error }
      try await action(error)
    }
  }

  /// Returns a handler below this one that replaces an error of a type by another one, for the handlers below.
  public func replace<Failure: Error>(
    _ type: Failure.Type, with replacement: @escaping @Sendable (Failure) async -> any Error
  ) -> ErrorHandler {
    `catch`(type) { throw await replacement($0) }
  }

  /// Returns a handler below this one that replaces each error that a matcher matches by another one, for the handlers below.
  public func replace(
    matching matcher: ErrorMatcher, with replacement: @escaping @Sendable (any Error) async -> any Error
  ) -> ErrorHandler {
    `catch`(matching: matcher) { throw await replacement($0) }
  }
}

// Handlers that observe errors and never consume them.
extension ErrorHandler {
  /// Returns a handler below this one that observes every error that descends to it.
  public func listen(_ action: @escaping @Sendable (any Error) async -> Void) -> ErrorHandler {
    `catch` { error in
      await action(error)
      throw error
    }
  }

  /// Returns a handler below this one that observes the errors of one type.
  public func listen<Failure: Error>(
    _ type: Failure.Type, _ action: @escaping @Sendable (Failure) async -> Void
  ) -> ErrorHandler {
    `catch`(type) { error in
      await action(error)
      throw error
    }
  }

  /// Returns a handler below this one that observes the errors that are equal to a value.
  public func listen<Failure: Error & Equatable>(
    _ value: Failure, _ action: @escaping @Sendable (Failure) async -> Void
  ) -> ErrorHandler {
    `catch`(value) { error in
      await action(error)
      throw error
    }
  }

  /// Returns a handler below this one that observes the errors that a matcher matches.
  public func listen(
    matching matcher: ErrorMatcher, _ action: @escaping @Sendable (any Error) async -> Void
  ) -> ErrorHandler {
    `catch`(matching: matcher) { error in
      await action(error)
      throw error
    }
  }
}

// Handlers of an object that retains them, such as a screen: they hold it weakly, so that neither keeps the other alive.
extension ErrorHandler {
  /// Returns a handler below this one that acts on an object; once the object is freed, errors pass.
  ///
  /// ```swift
  /// lazy var errors = flow.catch(for: self) { screen, error in await screen.show(Alert(error)) }
  /// ```
  ///
  /// - Parameter owner: the object, which is held weakly, and kept alive only while the action runs.
  public func `catch`<Owner: AnyObject & Sendable>(
    for owner: Owner, _ action: @escaping @Sendable (Owner, any Error) async throws -> Void
  ) -> ErrorHandler {
    `catch` { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// Returns a handler below this one that acts on an object, for the errors of one type.
  public func `catch`<Owner: AnyObject & Sendable, Failure: Error>(
    _ type: Failure.Type, for owner: Owner, _ action: @escaping @Sendable (Owner, Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(type) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// Returns a handler below this one that acts on an object, for the errors that are equal to a value.
  public func `catch`<Owner: AnyObject & Sendable, Failure: Error & Equatable>(
    _ value: Failure, for owner: Owner, _ action: @escaping @Sendable (Owner, Failure) async throws -> Void
  ) -> ErrorHandler {
    `catch`(value) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// Returns a handler below this one that acts on an object, for the errors that a matcher matches.
  public func `catch`<Owner: AnyObject & Sendable>(
    matching matcher: ErrorMatcher, for owner: Owner,
    _ action: @escaping @Sendable (Owner, any Error) async throws -> Void
  ) -> ErrorHandler {
    `catch`(matching: matcher) { [weak owner] error in
      guard let owner else { throw error }
      try await action(owner, error)
    }
  }

  /// Returns a handler below this one that notifies an object of every error that descends to it, and consumes none.
  public func listen<Owner: AnyObject & Sendable>(
    for owner: Owner, _ action: @escaping @Sendable (Owner, any Error) async -> Void
  ) -> ErrorHandler {
    listen { [weak owner] error in
      guard let owner else { return }
      await action(owner, error)
    }
  }
}
