public import ErrorHandling

extension ErrorMatcher {
  /// The errors of repositories with one of these codes.
  public static func repository(_ codes: RepositoryError.Code...) -> ErrorMatcher {
    .type(RepositoryError.self) { codes.contains($0.code) }
  }

  /// The errors of repositories that may be gone a moment later: the store is busy, or did not answer in time.
  public static let transient = repository(.busy, .timeout)
}
