/// Puts another error in the place of each.
public struct Mapping<Element: Storable>: FailurePolicy {
  let transform: @Sendable (RepositoryError) async -> RepositoryError

  /// Says what is done, or throws the error on.
  public func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    throw await transform(failure.error)
  }
}
