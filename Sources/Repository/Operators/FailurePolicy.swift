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
