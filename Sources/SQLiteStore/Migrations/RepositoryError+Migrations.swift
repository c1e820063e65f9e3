import Query
import Repository

extension RepositoryError {
  /// The closure of a migration threw.
  static func invalidMigration(_ name: String, _ error: any Error) -> RepositoryError {
    let error = (error as? QueryError).map { RepositoryError($0) } ?? RepositoryError(translating: error)
    return RepositoryError(
      error.code, "migration \(name) makes no sense: \(error.summary)", reason: error.reason,
      suggestion: error.suggestion, sql: error.sql, underlying: error)
  }

  /// The database knows more migrations than the program.
  static func newerVersion(_ names: [String]) -> RepositoryError {
    RepositoryError(
      .newerVersion, "the database was migrated by a newer version of the program",
      reason: "this one does not know \(names.joined(separator: ", "))", suggestion: "use the newer version")
  }

  /// Another migration was applied at a place than the program has there.
  static func migrationMismatch(
    _ name: String, at position: Int, in migrations: [Migration], after applied: [String]
  ) -> RepositoryError {
    let migration = migrations[position].name
    let reason =
      "number \(position + 1) of those that the database has gone through is \(name), "
      + "where the program has \(migration)"
    let suggestion =
      if migrations.contains(where: { $0.isCalled(name) }) {
        applied.contains(migration)
          ? "put them into the order in which they were applied: \(applied.joined(separator: ", "))"
          : "put \(migration) behind those that were applied"
      } else {
        "migrations keep their names and their places: was \(name) renamed or removed?"
      }
    return RepositoryError(
      .migrationMismatch, "the database's migrations are others than the program's", reason: reason,
      suggestion: suggestion)
  }

  /// A migration that was applied is another one now.
  static func migrationChanged(_ name: String) -> RepositoryError {
    RepositoryError(
      .migrationChanged, "migration \(name) was edited after it had been applied",
      reason: "what it does now is not what the database has gone through",
      suggestion: "write it as it was, also where it takes a model type's schema of today, "
        + "and put the change into a new migration")
  }

  /// A migration failed.
  static func migrationFailed(_ name: String, _ error: RepositoryError, after applied: [String]) -> RepositoryError {
    // They say nothing about this migration.
    let others: [Code] = [.cancelled, .busy, .readOnly, .newerVersion, .migrationMismatch, .migrationChanged]
    if others.contains(error.code) { return error }
    let kept =
      applied.isEmpty ? "" : "; \(applied.joined(separator: ", ")) before it \(applied.count == 1 ? "is" : "are") kept"
    return RepositoryError(
      .migrationFailed, "migration \(name) failed, and nothing of it is kept\(kept)",
      reason: [error.summary, error.reason].compactMap(\.self).joined(separator: "; "), suggestion: error.suggestion,
      sql: error.sql, storeCode: error.storeCode, underlying: error)
  }
}
