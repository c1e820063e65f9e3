public import ErrorHandling
public import Query

// The translations of errors at the borders of a repository: below it is infrastructure, above it the domain. Each border is
// crossed only here. The error below always becomes the `underlying` of the one above.
extension RepositoryError {
  /// Converts an error of infrastructure to an error of a repository, for your own repositories.
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

  /// Runs a closure that may refuse a request, and translates its error.
  @inlinable
  package static func translating<Result>(_ body: () throws(QueryError) -> Result) throws(RepositoryError) -> Result {
    do throws(QueryError) {
      return try body()
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Runs a closure that prepares a write. Within a transaction that only reads, the error is that of a write there, whatever else
  /// is wrong with the write.
  @inlinable
  package static func preparingWrite<Result>(
    isReadOnly: @autoclosure () -> Bool, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    do throws(RepositoryError) {
      return try body()
    } catch {
      throw isReadOnly() ? .writeInsideRead : error
    }
  }
}

extension DomainError {
  /// Converts an error of a repository to an error of the domain.
  ///
  /// A custom code, see ``RepositoryError/Code``, becomes ``/ErrorHandling/DomainError/Code/broken``.
  public init(_ error: RepositoryError) {
    self.init(
      error.code.domainCode ?? .broken, error.summary, reason: error.reason, suggestion: error.suggestion,
      underlying: error)
  }

  /// Runs a closure that uses repositories, and translates its errors: the border of a use case.
  ///
  /// ```swift
  /// func count() async throws(DomainError) -> Int {
  ///   try await DomainError.translating { try await pokemon.count() }
  /// }
  /// ```
  ///
  /// An error of the domain, such as an error that ends a transaction, does not change. An error of neither the domain nor a
  /// repository becomes ``/ErrorHandling/DomainError/Code/broken``, unless it is a cancellation.
  public static func translating<Result, Failure: Error>(
    _ ask: () async throws(Failure) -> Result
  ) async throws(DomainError) -> Result {
    do throws(Failure) {
      return try await ask()
    } catch {
      if let error = error as? DomainError { throw error }
      if let error = error as? RepositoryError { throw DomainError(error) }
      let friendly = AnyFriendlyError(error)
      throw DomainError(
        ErrorMatcher.cancellation.matches(error) ? .cancelled : .broken, friendly.summary, reason: friendly.reason,
        suggestion: friendly.suggestion, underlying: error)
    }
  }
}

extension RepositoryError.Code {
  /// The corresponding code of the domain; `nil` for custom codes.
  package var domainCode: DomainError.Code? {
    switch self {
    case .notFound: .notFound
    case .conflict: .conflict
    case .constraint, .foreignKeyViolation, .restrictViolation, .invalidValue: .ruleBroken
    case .invalidQuery, .overflow, .notANumber, .tooBig, .unsupported: .invalidRequest
    case .unreadableRow: .translationFailed
    case .busy, .timeout, .unreachable: .unavailable
    case .cancelled: .cancelled
    // The store is not in the state that the program needs.
    case .readOnly, .cannotOpen, .notADatabase, .corrupt, .full, .inputOutput, .storeFailure: .broken
    // The store and the program are of different versions.
    case .schemaMismatch, .newerVersion, .migrationMismatch, .migrationChanged, .migrationFailed, .missingTable: .broken
    // Mistakes in the program.
    case .invalidStatement, .invalidSchema, .writeInsideRead, .transactionEnded: .broken
    default: nil
    }
  }
}

// The checks that every store performs before it runs anything, with the errors of a repository.
extension TableSchema {
  /// Checks a request against the table.
  public func resolve(_ request: FetchRequest) throws(RepositoryError) -> ResolvedRequest {
    try resolve(request) { _ in nil }
  }

  /// Checks a request that may lead to other tables.
  package func resolve(
    _ request: FetchRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedRequest {
    try RepositoryError.translating { () throws(QueryError) in try request.resolved(in: self, with: tables) }
  }

  /// Checks a query against the table.
  public func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    try resolve(query) { _ in nil }
  }

  /// Checks a query that may lead to other tables.
  package func resolve(
    _ query: AnyQuery, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedQuery {
    try RepositoryError.translating { () throws(QueryError) in try query.resolved(in: self, with: tables) }
  }

  /// Checks a request for aggregates against the table.
  public func resolve(_ request: AggregateRequest) throws(RepositoryError) -> ResolvedAggregates {
    try resolve(request) { _ in nil }
  }

  /// Checks a request for aggregates that may lead to other tables.
  package func resolve(
    _ request: AggregateRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedAggregates {
    try RepositoryError.translating { () throws(QueryError) in try request.resolved(in: self, with: tables) }
  }

  /// Checks a projection against the table.
  public func resolve(_ request: ProjectionRequest) throws(RepositoryError) -> ResolvedProjection {
    try resolve(request) { _ in nil }
  }

  /// Checks a projection that may lead to other tables.
  package func resolve(
    _ request: ProjectionRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedProjection {
    try RepositoryError.translating { () throws(QueryError) in try request.resolved(in: self, with: tables) }
  }

  /// Checks assignments against the table.
  public func resolve(_ assignments: [Assignment]) throws(RepositoryError) -> ResolvedAssignments {
    try resolve(assignments) { _ in nil }
  }

  /// Checks a conflict rule against the table.
  package func resolve(_ rule: ConflictRule) throws(RepositoryError) -> ResolvedConflictRule {
    try RepositoryError.translating { () throws(QueryError) in try ResolvedConflictRule(rule, in: self) }
  }

  /// Checks assignments that may lead to other tables.
  package func resolve(
    _ assignments: [Assignment], with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedAssignments {
    do throws(QueryError) {
      return try ResolvedAssignments(assignments, in: self, with: tables)
    } catch {
      throw RepositoryError(error, ofAssignmentsIn: self)
    }
  }

  /// Returns the values of a primary key as the table stores them.
  ///
  /// - Throws: ``RepositoryError`` if the table can't store the key, or if the key has another number of columns than the
  ///   primary key of the table.
  public func key(_ id: some PrimaryKey) throws(RepositoryError) -> [Value] {
    if primaryKey.isEmpty { throw .noPrimaryKey(self) }
    var key: [Value] = []
    do throws(ValueError) {
      key = try id.keyValues()
    } catch {
      throw .unstorable(
        ColumnError(column: primaryKey.count == 1 ? self.columns[primaryKey[0]].name : nil, error: error), in: self)
    }
    // Most keys have values of the columns' own types.
    if isKept(key: key) { return key }
    let columns = primaryKeyColumns
    do {
      guard key.count == columns.count else {
        throw RepositoryError(
          .invalidValue, "the key of \(name) has \(columns.count) columns, not \(key.count)",
          reason: "the key consists of \(columns.map(\.name).joined(separator: " and "))")
      }
      return try zip(columns, key).map { column, value in try column.stored(value) }
    } catch let error as QueryError {
      throw RepositoryError(error)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// Returns the query for the row with a key.
  package func query(forKey key: [Value]) -> AnyQuery {
    .all(of: zip(primaryKeyColumns, key).map { .equal(key: $0.name, value: $1) })
  }
}
