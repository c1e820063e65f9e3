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
