public import ErrorHandling

/// A policy that decides how a repository continues after an operation has failed: the basis of all operators.
///
/// ```swift
/// struct CreatingTable<Element: Storable>: FailurePolicy {
///   let create: @Sendable () async throws(RepositoryError) -> Void
///
///   func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
///     guard failure.error.code == .missingTable, failure.count == 1 else { throw failure.error }
///     try await create()
///     return .retry
///   }
/// }
/// let created = pokedex.handlingFailures(by: CreatingTable { () throws(RepositoryError) in try createTable() })
/// ```
public protocol FailurePolicy<Element>: Sendable {
  /// The type of the repository's elements.
  associatedtype Element: Storable

  /// Returns how to continue, or throws: the error itself to let it pass, or another one in its place.
  ///
  /// If the operation can't be repeated, see ``FailedOperation/isRepeatable``, its error passes whatever the answer is.
  func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element>
}

/// The way in which a repository continues after an operation has failed.
public enum FailureAnswer<Element: Storable>: Sendable {
  /// A repetition of the operation. If it fails again, the policy is asked again.
  case retry
  /// An execution of the operation by another repository, whose error passes if it fails.
  case fallback(any Repository<Element>)
}

/// The type-erased policy of a repository with an operator.
@usableFromInline
struct FailureHandler<Element: Storable>: Sendable {
  let answer: @Sendable (FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element>

  private init(_ answer: @escaping @Sendable (FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element>)
  {
    self.answer = answer
  }

  @usableFromInline
  init(_ policy: some FailurePolicy<Element>) {
    answer = { failure throws(RepositoryError) in try await policy.answer(to: failure) }
  }

  /// Returns a policy that retries errors that match a matcher, with waits in between.
  @usableFromInline
  static func retrying(
    _ times: Int, on matcher: ErrorMatcher, backoff: Backoff, clock: any Clock<Duration>
  ) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in
      let error = failure.error
      guard failure.isRepeatable, failure.count <= times, matcher.matches(error) else { throw error }
      var generator = SystemRandomNumberGenerator()
      let wait = backoff.duration(after: failure.count, using: &generator)
      do {
        try Task.checkCancellation()
        if wait > .zero { try await clock.sleep(for: wait) }
      } catch {
        throw RepositoryError(
          .cancelled, "the task was cancelled between two attempts",
          reason: "the store saved no changes", underlying: failure.error)
      }
      return .retry
    }
  }

  /// Returns a policy that falls back to another repository.
  ///
  /// - Parameter isReadOnly: whether the errors of writes pass, whatever `other` returns.
  @usableFromInline
  static func catching(
    isReadOnly: Bool,
    _ other: @escaping @Sendable (RepositoryError) async throws(RepositoryError) -> (any Repository<Element>)?
  ) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in
      guard failure.isRepeatable, failure.error.code != .cancelled, failure.operation.isRead || !isReadOnly,
        let other = try await other(failure.error)
      else { throw failure.error }
      return .fallback(other)
    }
  }

  /// Returns a policy that replaces each error by another.
  @usableFromInline
  static func mapping(_ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in throw await transform(failure.error) }
  }

  /// Returns a policy that reports each failure, and lets its error pass.
  @usableFromInline
  static func observing(_ observe: @escaping @Sendable (FailedOperation) async -> Void) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in
      await observe(failure)
      throw failure.error
    }
  }
}
