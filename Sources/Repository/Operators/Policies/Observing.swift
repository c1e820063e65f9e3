/// Tells somebody of each failure, and lets its error pass.
public struct Observing<Element: Storable>: FailurePolicy {
  let observe: @Sendable (FailedOperation) async -> Void

  /// Says what is done, or throws the error on.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    await observe(failure)
    throw failure.error
  }
}
