import ErrorHandling

/// What is done where an operation of a repository fails.
///
/// The operators that come with ``Repository`` are policies, such as `retrying` and `catching`. One of your own is a
/// type with one method, which all operations share:
///
/// ```swift
/// struct Mending<Element: Storable>: FailurePolicy {
///   let mend: @Sendable () async throws(RepositoryError) -> Void
///
///   func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
///     guard failure.error.code == .missingTable, failure.count == 1 else { throw failure.error }
///     try await mend()
///     return .again
///   }
/// }
/// let mended = pokedex.handlingFailures(by: Mending { () throws(RepositoryError) in try createTable() })
/// ```
public protocol FailurePolicy<Element>: Sendable {
  /// What the repository finds and saves.
  associatedtype Element: Storable

  /// Says what is done instead, or throws: the error itself to let it pass, or another one in its place.
  ///
  /// Where the operation can't be done once more, see ``FailedOperation/isRepeatable``, its error passes whatever the
  /// answer is.
  func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element>
}

/// How it goes on after an operation of a repository has failed.
public enum FailureAnswer<Element: Storable>: Sendable {
  /// The same repository is asked once more. Where it fails again, so is the policy.
  case again
  /// Another repository is asked. Where that one fails, its error passes.
  case instead(any Repository<Element>)
}

/// Tries again what fails for a moment only.
public struct Retrying<Element: Storable>: FailurePolicy {
  let times: Int
  let matcher: ErrorMatcher
  let backoff: Backoff
  let clock: any Clock<Duration>

  /// Waits and asks again, or lets the error pass.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
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
    return .again
  }
}

/// Asks another repository.
public struct Catching<Element: Storable>: FailurePolicy {
  /// Whether the errors of writes pass, whatever `other` says.
  let isReadOnly: Bool
  let other: @Sendable (RepositoryError) async throws(RepositoryError) -> (any Repository<Element>)?

  /// Says what is done, or throws the error on.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    // Who has cancelled his task wants no answer from anybody else.
    guard failure.isRepeatable, failure.error.code != .cancelled, failure.operation.isRead || !isReadOnly,
      let other = try await other(failure.error)
    else { throw failure.error }
    return .instead(other)
  }
}

/// Puts another error in the place of each.
public struct Mapping<Element: Storable>: FailurePolicy {
  let transform: @Sendable (RepositoryError) async -> RepositoryError

  /// Says what is done, or throws the error on.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    throw await transform(failure.error)
  }
}

/// Tells somebody of each failure, and lets its error pass.
public struct Observing<Element: Storable>: FailurePolicy {
  let observe: @Sendable (FailedOperation) async -> Void

  /// Says what is done, or throws the error on.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    await observe(failure)
    throw failure.error
  }
}
