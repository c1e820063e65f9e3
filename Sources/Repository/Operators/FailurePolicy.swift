public import ErrorHandling

/// Decides how a repository goes on after an operation has failed: the way to write an operator.
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

  /// Returns how to go on, or throws: the error itself to let it pass, or another one in its place.
  ///
  /// Where the operation can't be repeated, see ``FailedOperation/isRepeatable``, its error passes whatever the answer is.
  func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element>
}

/// How a repository goes on after an operation has failed.
public enum FailureAnswer<Element: Storable>: Sendable {
  /// The operation is tried again. Where it fails again, the policy is asked again.
  case retry
  /// The operation is done by another repository, whose error passes where it fails.
  case fallback(any Repository<Element>)
}

/// The policy of a repository behind an operator, without its type.
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

  /// Retries errors that a matcher matches, with waits in between.
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
          .cancelled, "the task was cancelled between two tries",
          reason: "nothing of what it was about to do is kept", underlying: failure.error)
      }
      return .retry
    }
  }

  /// Falls back to another repository.
  ///
  /// - Parameter isReadOnly: whether the errors of writes pass, whatever `other` says.
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

  /// Throws another error in the place of each.
  @usableFromInline
  static func mapping(_ transform: @escaping @Sendable (RepositoryError) async -> RepositoryError) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in throw await transform(failure.error) }
  }

  /// Reports each failure, and lets its error pass.
  @usableFromInline
  static func observing(_ observe: @escaping @Sendable (FailedOperation) async -> Void) -> FailureHandler {
    FailureHandler { failure throws(RepositoryError) in
      await observe(failure)
      throw failure.error
    }
  }
}
