public import ErrorHandling

// The borders of a repository: what lies below is infrastructure, what lies above the domain. Each is crossed here and
// nowhere else. The error below always becomes the `underlying` of the one above.
extension RepositoryError {
  /// What infrastructure has refused, as a repository of your own throws it.
  ///
  /// ```swift
  /// do {
  ///   return try Data(contentsOf: file)
  /// } catch {
  ///   throw RepositoryError(InfrastructureError(error))
  /// }
  /// ```
  public init(_ error: InfrastructureError) {
    let code: Code =
      switch error.code {
      case .connection: .unreachable
      case .busy: .busy
      case .timeout: .timeout
      case .diskFull: .full
      case .corrupt: .corrupt
      case .permission, .missing: .cannotOpen
      case .inputOutput: .inputOutput
      case .cancelled: .cancelled
      case .other: .storeFailure
      }
    self.init(code, error.summary, reason: error.reason, suggestion: error.suggestion, underlying: error)
  }
}

extension DomainError {
  /// What a repository could not do, in the words of the domain.
  ///
  /// A code that is not the repository's own, see ``RepositoryError/Code``, is ``DomainError/Code/broken``.
  public init(_ error: RepositoryError) {
    self.init(
      error.code.domainCode ?? .broken, error.summary, reason: error.reason, suggestion: error.suggestion,
      underlying: error)
  }

  /// Runs what asks repositories, and translates its errors: the border of a use case.
  ///
  /// ```swift
  /// func count() async throws(DomainError) -> Int {
  ///   try await DomainError.translating { () throws(RepositoryError) in try await pokemon.count() }
  /// }
  /// ```
  public static func translating<Result>(
    _ ask: () async throws(RepositoryError) -> Result
  ) async throws(DomainError) -> Result {
    do {
      return try await ask()
    } catch {
      throw DomainError(error)
    }
  }
}

extension RepositoryError.Code {
  /// What it means for the domain; nil for codes of others' own.
  package var domainCode: DomainError.Code? {
    switch self {
    case .notFound: .notFound
    case .conflict: .conflict
    case .constraint, .missingReference, .stillReferenced, .invalidValue: .ruleBroken
    case .invalidQuery, .overflow, .notANumber, .tooBig, .unsupported: .invalidRequest
    case .unreadableRow: .translationFailed
    case .busy, .timeout, .unreachable: .unavailable
    case .cancelled: .cancelled
    // The store is not as the program needs it.
    case .readOnly, .cannotOpen, .notADatabase, .corrupt, .full, .inputOutput, .storeFailure: .broken
    // The store and the program are of different versions.
    case .schemaMismatch, .newerVersion, .migrationMismatch, .migrationChanged, .migrationFailed, .missingTable: .broken
    // The program makes no sense.
    case .invalidStatement, .invalidSchema, .writeInsideRead, .transactionEnded: .broken
    default: nil
    }
  }
}
