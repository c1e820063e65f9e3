import ErrorHandling

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
