#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Query
public import Repository

/// A migration that was applied to a database, as recorded in its table `repokit_migrations`.
public struct AppliedMigration: Entity, Hashable {
  /// The position in the order, counted from 1.
  public let id: Int
  /// The migration's name.
  public let name: String
  /// The time at which the migration was applied.
  public let appliedAt: Date
  /// The checksum that detects later edits of the migration.
  public let checksum: String

  /// The schema of the table in which a database records its migrations.
  public static let schema = Schema(
    SQLDatabase.migrationsTable, AppliedMigration.init, Column("position", \.id, .primaryKey),
    Column("name", \.name, .unique), Column("applied_at", \.appliedAt), Column("checksum", \.checksum))
}

extension SQLDatabase {
  /// The name of the table in which a database records the applied migrations.
  package static let migrationsTable = "repokit_migrations"
}

/// The plan of a `migrate(_:)`.
///
/// `print(plan)` shows the SQL, without bound values.
public struct MigrationPlan: Hashable, Sendable {
  /// The migrations that would be applied, in order.
  public let pending: [Step]

  /// A migration that would be applied.
  public struct Step: Hashable, Sendable {
    /// The migration's name.
    public let name: String
    /// The statements that would be run, in one transaction. Code is represented by a comment with its description.
    public let statements: [SQLStatement]
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The SQL of all pending migrations.
  public var description: String {
    pending.isEmpty ? "-- nothing to do\n" : pending.map(\.description).joined(separator: "\n")
  }
}

extension MigrationPlan.Step: CustomStringConvertible {
  /// The name as a comment, and the SQL, with each statement on its own line.
  public var description: String {
    SQLStatement.comment(name).sql + "\n"
      + statements.map { $0.sql + ($0.sql.hasPrefix("--") ? "\n" : ";\n") }.joined()
  }
}

extension SQLStatement {
  /// Returns a text as a comment of one line: a line break would end the comment, and the rest be run as SQL.
  static func comment(_ text: String) -> SQLStatement {
    SQLStatement(verbatim: "-- \(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }
}

/// The migrations that were applied to a database, compared with those of the program.
struct MigrationHistory {
  let applied: [AppliedMigration]

  /// Returns the migrations that are still to be applied.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the applied migrations are not the beginning of the program's list.
  func pending(of migrations: [Migration]) throws(RepositoryError) -> ArraySlice<Migration> {
    try checkNames(of: migrations)
    for (position, (applied, migration)) in zip(applied, migrations).enumerated() {
      if Name(migration.name) != applied.name {
        throw .migrationMismatch(applied.name, at: position, in: migrations, after: self.applied.map(\.name))
      }
      if try migration.checksum != applied.checksum { throw .migrationChanged(migration.name) }
    }
    let unknown = applied.dropFirst(migrations.count).map(\.name)
    if !unknown.isEmpty { throw .newerVersion(unknown) }
    // A mistake in a later migration is reported before an earlier one is applied.
    for migration in migrations { _ = try migration.steps }
    return migrations.dropFirst(applied.count)
  }

  private func checkNames(of migrations: [Migration]) throws(RepositoryError) {
    for (position, migration) in migrations.enumerated() {
      if migration.name.isEmpty {
        throw RepositoryError(.invalidSchema, "migration \(position + 1) has no name")
      }
      if migrations[..<position].contains(named: migration.name) {
        throw RepositoryError(
          .invalidSchema, "two migrations have the name \(migration.name)",
          reason: "the database identifies migrations by name")
      }
    }
  }
}

extension RepositoryError {
  /// Returns the error for a migration whose closure threw.
  static func invalidMigration(_ name: String, _ error: any Error) -> RepositoryError {
    let error = (error as? QueryError).map { RepositoryError($0) } ?? RepositoryError(translating: error)
    return RepositoryError(
      error.code, "migration \(name) is invalid: \(error.summary)", reason: error.reason,
      suggestion: error.suggestion, sql: error.sql, underlying: error)
  }

  /// Returns the error for a database with more migrations than the program.
  static func newerVersion(_ names: [String]) -> RepositoryError {
    RepositoryError(
      .newerVersion, "a newer version of the program migrated the database",
      reason: "this version does not know \(names.joined(separator: ", "))", suggestion: "use the newer version")
  }

  /// Returns the error for an applied migration that differs from the program's one at the same position.
  static func migrationMismatch(
    _ name: String, at position: Int, in migrations: [Migration], after applied: [String]
  ) -> RepositoryError {
    let migration = migrations[position].name
    let reason =
      "migration \(position + 1) is \(name) in the database, but \(migration) in the program"
    let suggestion =
      if migrations.contains(named: name) {
        applied.contains(named: migration)
          ? "restore the order in which the database applied the migrations: \(applied.joined(separator: ", "))"
          : "put \(migration) after the applied migrations"
      } else {
        "migrations need stable names and positions: was \(name) renamed or removed?"
      }
    return RepositoryError(
      .migrationMismatch, "the migrations of the database differ from those of the program", reason: reason,
      suggestion: suggestion)
  }

  /// Returns the error for an applied migration that was edited.
  static func migrationChanged(_ name: String) -> RepositoryError {
    RepositoryError(
      .migrationChanged, "migration \(name) has changed since the database applied the migration",
      reason: "the migration differs from the change that the database made",
      suggestion: "restore the migration, including a model's schema that changed since, and put the change into a new "
        + "migration")
  }

  /// Returns the error for a migration that failed.
  static func migrationFailed(_ name: String, _ error: RepositoryError, after applied: [String]) -> RepositoryError {
    // Errors with these codes are not specific to this migration.
    let others: [Code] = [.cancelled, .busy, .readOnly, .newerVersion, .migrationMismatch, .migrationChanged]
    if others.contains(error.code) { return error }
    let kept =
      applied.isEmpty
      ? ""
      : "; the earlier \(applied.count == 1 ? "migration" : "migrations") \(applied.joined(separator: ", ")) "
        + "\(applied.count == 1 ? "stays" : "stay") applied"
    return RepositoryError(
      .migrationFailed, "migration \(name) failed, and the database rolled back the migration\(kept)",
      reason: [error.summary, error.reason].compactMap(\.self).joined(separator: "; "),
      suggestion: error.suggestion
        ?? (error.code == .conflict
          ? "change or delete the rows with equal values in an earlier step of the migration" : nil),
      sql: error.sql, storeCode: error.storeCode, underlying: error)
  }
}
