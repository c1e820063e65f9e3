public import ErrorHandling
public import Query

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
  /// A code that is not the repository's own, see ``RepositoryError/Code``, is ``/ErrorHandling/DomainError/Code/broken``.
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
    case .constraint, .foreignKeyViolation, .restrictViolation, .invalidValue: .ruleBroken
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

// What every store does before it runs anything, with the errors of a repository.
extension TableSchema {
  /// Checks a request against the table.
  public func resolve(_ request: FetchRequest) throws(RepositoryError) -> ResolvedRequest {
    try resolve(request) { _ in nil }
  }

  /// Checks a request that may lead to other tables.
  package func resolve(
    _ request: FetchRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedRequest {
    do throws(QueryError) {
      return try request.resolved(in: self, with: tables)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks a query against the table.
  public func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    try resolve(query) { _ in nil }
  }

  /// Checks a query that may lead to other tables.
  package func resolve(
    _ query: AnyQuery, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedQuery {
    do throws(QueryError) {
      return try query.resolved(in: self, with: tables)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks a question for aggregates against the table.
  public func resolve(_ request: AggregateRequest) throws(RepositoryError) -> ResolvedAggregates {
    try resolve(request) { _ in nil }
  }

  /// Checks a question for aggregates that may lead to other tables.
  package func resolve(
    _ request: AggregateRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedAggregates {
    do throws(QueryError) {
      return try request.resolved(in: self, with: tables)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks a projection against the table.
  public func resolve(_ request: ProjectionRequest) throws(RepositoryError) -> ResolvedProjection {
    try resolve(request) { _ in nil }
  }

  /// Checks a projection that may lead to other tables.
  package func resolve(
    _ request: ProjectionRequest, with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedProjection {
    do throws(QueryError) {
      return try request.resolved(in: self, with: tables)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks assignments against the table.
  public func resolve(_ assignments: [Assignment]) throws(RepositoryError) -> ResolvedAssignments {
    try resolve(assignments) { _ in nil }
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

  /// The values of a primary key as the table holds them.
  ///
  /// - Throws: ``RepositoryError`` where the table can't hold the key, so that no row can have it, or where the key has
  ///   another number of columns than the table's.
  public func key(_ id: some PrimaryKey) throws(RepositoryError) -> [Value] {
    if primaryKey.isEmpty { throw .noPrimaryKey(self) }
    var key: [Value] = []
    do throws(ValueError) {
      key = try id.keyValues()
    } catch {
      throw .unstorable(
        ColumnError(column: primaryKey.count == 1 ? self.columns[primaryKey[0]].name : nil, error: error), in: self)
    }
    // As nearly always.
    if isKept(key: key) { return key }
    let columns = primaryKeyColumns
    do {
      guard key.count == columns.count else {
        throw RepositoryError(
          .invalidValue, "the key of \(name) has \(columns.count) columns, not \(key.count)",
          reason: "it is made of \(columns.map(\.name).joined(separator: " and "))")
      }
      return try zip(columns, key).map { column, value in try column.stored(value) }
    } catch let error as QueryError {
      throw RepositoryError(error)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// The query that means the row with a key.
  package func query(forKey key: [Value]) -> AnyQuery {
    .all(of: zip(primaryKeyColumns, key).map { .equal(key: $0.name, value: $1) })
  }
}
